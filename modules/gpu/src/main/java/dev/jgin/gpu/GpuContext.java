// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import java.lang.foreign.MemorySegment;
import jcuda.driver.CUdevice;
import jcuda.driver.JCudaDriver;

/**
 * A GPU's primary context: what memory, streams and modules are made in. All its methods make it
 * the current context of the calling thread first, so that any thread may call them; what is made
 * in it is for one thread at a time unless it says otherwise.
 *
 * <p>Closing it closes what is still open in it and then throws, naming that: who makes, closes.
 */
public final class GpuContext implements AutoCloseable {
  private final GpuDevice device;
  private final CUdevice handle;
  private final Handles.Context context = new Handles.Context();
  private final Ledger ledger = new Ledger();
  private boolean open = true;

  GpuContext(GpuDevice device) {
    this.device = device;
    this.handle = GpuDevice.handle(device.ordinal());
    CudaResult.check(
        JCudaDriver.cuDevicePrimaryCtxRetain(context, handle),
        "cuDevicePrimaryCtxRetain(%d)",
        device.ordinal());
  }

  /** The GPU. */
  public GpuDevice device() {
    return device;
  }

  /** Makes it the current context of this thread: needed before hot calls on another thread. */
  public void makeCurrent() {
    requireOpen();
    CudaResult.check(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
  }

  /**
   * Allocates device memory, aligned to at least 256 bytes. Its content is not defined.
   *
   * @throws IllegalArgumentException if {@code bytes} is not positive
   * @throws CudaException if there is not enough
   */
  public DeviceMemory allocate(String name, long bytes) {
    makeCurrent();
    return new DeviceMemory(this, name, bytes);
  }

  /**
   * Allocates pinned host memory that the GPU can read and write, zero-filled.
   *
   * @throws IllegalArgumentException if {@code bytes} is not positive
   */
  public HostMemory allocateHost(String name, long bytes) {
    makeCurrent();
    return new HostMemory(this, name, bytes);
  }

  /**
   * Lets the GPU read and write host memory that exists: pins its pages until it is closed. The
   * memory must stay until then.
   *
   * @throws IllegalArgumentException if the segment is not native or is empty
   * @throws CudaException if its pages cannot be pinned, or are already
   */
  public RegisteredMemory register(String name, MemorySegment segment) {
    makeCurrent();
    return new RegisteredMemory(this, name, segment);
  }

  /**
   * Opens memory of another process of this machine.
   *
   * @throws CudaException if that process is this one, has freed the memory, or its GPU cannot be
   *     reached from this one
   */
  public IpcMemory openIpc(String name, IpcHandle handle) {
    makeCurrent();
    return new IpcMemory(this, name, handle);
  }

  /** Makes a stream that does not wait for the default stream. */
  public GpuStream stream(String name) {
    makeCurrent();
    return new GpuStream(this, name);
  }

  /** Makes an event; one that takes time can be asked for {@link GpuEvent#elapsedNanos}. */
  public GpuEvent event(String name, boolean timed) {
    makeCurrent();
    return new GpuEvent(this, name, timed);
  }

  /**
   * Loads kernels: a fatbin, a cubin or PTX.
   *
   * @throws CudaException if they hold no code for this GPU
   */
  public GpuModule module(String name, byte[] image) {
    makeCurrent();
    return new GpuModule(this, name, image);
  }

  /**
   * Lets kernels here read and write memory of {@code peer}'s context. Doing it again is harmless.
   *
   * @throws IllegalArgumentException if these GPUs cannot reach each other
   */
  public void enablePeer(GpuContext peer) {
    if (!device.canAccess(peer.device)) {
      throw new IllegalArgumentException(
          "GPU "
              + device.ordinal()
              + " cannot access memory of GPU "
              + peer.device.ordinal()
              + ": no NVLink and no PCIe path between them that the driver allows");
    }
    if (device.ordinal() == peer.device.ordinal()) {
      return;
    }
    makeCurrent();
    int result = JCudaDriver.cuCtxEnablePeerAccess(peer.context, 0);
    final int alreadyEnabled = 704;
    if (result != alreadyEnabled) {
      CudaResult.check(
          result, "cuCtxEnablePeerAccess(%d from %d)", peer.device.ordinal(), device.ordinal());
    }
  }

  /** Waits until all work in the context is done. */
  public void synchronize() {
    makeCurrent();
    CudaResult.check(JCudaDriver.cuCtxSynchronize(), "cuCtxSynchronize");
  }

  Ledger ledger() {
    requireOpen();
    return ledger;
  }

  private void requireOpen() {
    if (!open) {
      throw new IllegalStateException("the context of GPU " + device.ordinal() + " is closed");
    }
  }

  /**
   * @throws IllegalStateException if something made in it was not closed; it is closed all the same
   */
  @Override
  public void close() {
    if (!open) {
      return;
    }
    String left = ledger.closeRest();
    open = false;
    CudaResult.check(JCudaDriver.cuDevicePrimaryCtxRelease(handle), "cuDevicePrimaryCtxRelease");
    if (!left.isEmpty()) {
      throw new IllegalStateException("GPU " + device.ordinal() + ": " + left);
    }
  }
}
