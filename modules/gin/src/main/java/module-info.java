// SPDX-License-Identifier: Apache-2.0

/** The model and the SPI of GPU-initiated networking. No native code. */
module dev.jgin.gin {
  exports dev.jgin.gin;
  exports dev.jgin.gin.barrier;
  exports dev.jgin.gin.spi;

  uses dev.jgin.gin.spi.FabricProvider;
}
