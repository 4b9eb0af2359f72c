// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jgin.cli.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Programs read these forms: a change here is a change of contract. */
class PerfFormTest {
  private static final PerfSetting LATENCY =
      new PerfSetting(
          "1.2.3",
          "put_lat",
          "what",
          "verbs:device=rxe0",
          false,
          "A1w, granule 8 B",
          List.of("rxe0 port 1", "rxe1 port 1"),
          2,
          1,
          0,
          false,
          1000,
          0,
          500,
          "waits spin",
          4,
          7,
          false);
  private static final PerfRow LATENCY_ROW =
      new PerfRow(
          "",
          4096,
          1000,
          new PerfRow.Lat(
              new Latency(1234.25, 2000, 1300, 1400, 15, 1900, 1999),
              new Times(new long[] {4, 2, 8, 6}, 2)));
  private static final PerfRow BANDWIDTH_ROW =
      new PerfRow("", 65536, 5000, new PerfRow.Bw(new Bandwidth(2 << 20, 1 << 20, 16), 128));

  private static PerfSetting other(String test, int depth) {
    return new PerfSetting(
        "1.2.3",
        test,
        "what",
        "emulated",
        true,
        "A6",
        List.of("emulated", "emulated"),
        2,
        3,
        depth,
        false,
        0,
        10,
        0,
        "waits spin",
        1,
        1,
        true);
  }

  private static String text(PerfSetting setting, PerfRow row, PerfResult result) {
    StringWriter out = new StringWriter();
    PerfText text = new PerfText(new PrintWriter(out), PerfOutput.Samples.UNSORTED);
    text.begin(setting);
    text.row(row);
    text.end(result);
    return out.toString();
  }

  @Test
  void shouldPrintTheColumnsOfALatencyTest() {
    assertEquals(
        """
        # jgin 1.2.3 perf put_lat
        # measures what
        # fabric   verbs:device=rxe0: all ranks in one process; promises A1w, granule 8 B
        # rank 0    rxe0 port 1
        # rank 1    rxe1 port 1
        # run      2 ranks, 1 context, 1000 iterations, 500 to warm up, seed 7
        # time     System.nanoTime; a thread for each rank, waits spin, on 4 processors
        #
         #bytes     #iterations   t_min[usec]   t_max[usec]   t_typical[usec]   t_avg[usec]   \
        t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]
        #, usec
        1, 0.002
        2, 0.001
        3, 0.004
        4, 0.003
         4096       1000          1.234         2.000         1.300             1.400         \
        0.015           1.900                  1.999
        #
        # OK: #wrong 0 of 9 values compared
        """,
        text(LATENCY, LATENCY_ROW, new PerfResult(9, 0, List.of(), null)));
  }

  @Test
  void shouldPrintTheColumnsOfAThroughputTest() {
    assertEquals(
        """
        # jgin 1.2.3 perf put_bw
        # measures what
        # fabric   emulated: EMULATED, no network, all ranks in one process; promises A6 (MAY BE \
        UNSOUND: --allow-unsound)
        # run      2 ranks, 3 contexts, at most 128 puts outstanding on each, 10 s, 0 to warm up, seed 1
        # time     System.nanoTime; a thread for each rank, waits spin, on 1 processor
        # units    MB is 2^20 bytes, Mpps 10^6 messages per second
        #
         #bytes     #iterations   BW peak[MB/sec]   BW average[MB/sec]   MsgRate[Mpps]
         65536      5000          2.00              1.00                 0.000016
        #
        # wrong: one
        # STOPPED EARLY: a
        # b
        # FAILED: #wrong 2 of 9 values compared
        """,
        text(other("put_bw", 128), BANDWIDTH_ROW, new PerfResult(9, 2, List.of("one"), "a\nb")));
  }

  @Test
  void shouldWriteTheKeysOfALatencyTest() {
    assertEquals(
        """
        {
          "schema" : "jgin.perf/1",
          "exit_code" : 0,
          "stopped" : null,
          "test" : "put_lat",
          "setting" : {
            "version" : "1.2.3",
            "measures" : "what",
            "fabric" : "verbs:device=rxe0",
            "emulated" : false,
            "axioms" : "A1w, granule 8 B",
            "ranks" : 2,
            "contexts" : 1,
            "lanes" : [ "rxe0 port 1", "rxe1 port 1" ],
            "tx_depth" : null,
            "puts" : false,
            "iterations" : 1000,
            "seconds" : null,
            "warmup" : 500,
            "waiting" : "waits spin",
            "processors" : 4,
            "seed" : 7,
            "allow_unsound" : false
          },
          "rows" : [ {
            "bytes" : 4096,
            "iterations" : 1000,
            "min_ns" : 1234.25,
            "max_ns" : 2000.0,
            "typical_ns" : 1300.0,
            "avg_ns" : 1400.0,
            "stdev_ns" : 15.0,
            "p99_ns" : 1900.0,
            "p999_ns" : 1999.0,
            "samples_ns" : [ 1.0, 2.0 ]
          } ],
          "verification" : {
            "compared" : 9,
            "wrong" : 0,
            "first" : [ ]
          }
        }
        """,
        json(LATENCY, LATENCY_ROW, new PerfResult(9, 0, List.of(), null)));
  }

  @Test
  void shouldWriteTheKeysOfAThroughputTest() {
    String document =
        json(other("put_bw", 128), BANDWIDTH_ROW, new PerfResult(9, 2, List.of("one"), "why"));
    int rows = document.indexOf("  \"rows\"");
    assertEquals(
        """
          "rows" : [ {
            "bytes" : 65536,
            "iterations" : 5000,
            "outstanding" : 128,
            "peak_mb_per_s" : 2.0,
            "peak_gb_per_s" : 0.002097152,
            "average_mb_per_s" : 1.0,
            "average_gb_per_s" : 0.001048576,
            "messages_per_s" : 16.0
          } ],
          "verification" : {
            "compared" : 9,
            "wrong" : 2,
            "first" : [ "one" ]
          }
        }
        """,
        document.substring(rows));
  }

  private static String json(PerfSetting setting, PerfRow row, PerfResult result) {
    StringWriter out = new StringWriter();
    PerfJson json = new PerfJson(new PrintWriter(out), PerfOutput.Samples.SORTED);
    json.begin(setting);
    json.row(row);
    json.end(result);
    return out.toString();
  }

  @Test
  void shouldPreferWrongDataOverAnEarlyEnd() {
    assertEquals(ExitCode.OK, new PerfResult(1, 0, List.of(), null).exitCode());
    assertEquals(ExitCode.OTHER, new PerfResult(1, 0, List.of(), "why").exitCode());
    assertEquals(ExitCode.VIOLATION, new PerfResult(1, 1, List.of(), "why").exitCode());
  }
}
