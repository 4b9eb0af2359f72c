// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

import java.util.List;

/**
 * What a carrier knows of one device.
 *
 * @param name by which an option of the carrier chooses it
 * @param details in the order in which they should be shown; a device that could not be asked has
 *     only {@value #PROBLEM}
 */
public record DeviceDetails(String name, List<Detail> details) {

  /** Key of the text that says why a device could not be asked, with the remedy. */
  public static final String PROBLEM = "problem";

  public DeviceDetails {
    details = List.copyOf(details);
  }

  /** A device that could not be asked. */
  public static DeviceDetails failed(String name, String why) {
    return new DeviceDetails(name, List.of(Detail.of(PROBLEM, why)));
  }
}
