// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote down. */
public final class Version implements IVersionProvider {
  /** The version, for example {@code 0.1.0}. */
  public static String text() {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }

  @Override
  public String[] getVersion() {
    return new String[] {
      "jgin " + text(), "Java " + Runtime.version() + " (" + System.getProperty("os.arch") + ")"
    };
  }
}
