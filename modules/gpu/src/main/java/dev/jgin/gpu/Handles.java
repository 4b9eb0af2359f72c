// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUmodule;
import jcuda.driver.CUstream;

/**
 * JCuda's handles, each with its address: JCuda shows it to subclasses alone, and the calls that do
 * not go through JCuda need it.
 */
final class Handles {
  private Handles() {}

  static final class Context extends CUcontext {
    long address() {
      return getNativePointer();
    }
  }

  static final class Device extends CUdeviceptr {
    long address() {
      return getNativePointer() + getByteOffset();
    }
  }

  static final class Host extends Pointer {
    Host() {}

    Host(long address) {
      super(address);
    }

    long address() {
      return getNativePointer() + getByteOffset();
    }
  }

  static final class Stream extends CUstream {
    long address() {
      return getNativePointer();
    }
  }

  static final class Event extends CUevent {
    long address() {
      return getNativePointer();
    }
  }

  static final class Function extends CUfunction {
    long address() {
      return getNativePointer();
    }
  }

  static final class Module extends CUmodule {
    long address() {
      return getNativePointer();
    }
  }

  static final class Graph extends CUgraph {
    long address() {
      return getNativePointer();
    }
  }

  static final class GraphExec extends CUgraphExec {
    long address() {
      return getNativePointer();
    }
  }
}
