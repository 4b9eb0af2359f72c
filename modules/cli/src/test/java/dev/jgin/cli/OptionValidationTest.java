// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each bad value ends with exit code 2 and a message that names value, limit and remedy. */
class OptionValidationTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --ranks 0                                | --ranks 0; 1..1024
          --ranks 1025                             | --ranks 1025; 1..1024
          --ranks many                             | '--ranks'; 'many'; for example 8
          --ranks 99999999999                      | '99999999999'; at most 2147483647
          --ranks 2 --ranks 3                      | '--ranks'; only once
          --rank 2                                 | '--rank'; --ranks
          --contexts 0                             | --contexts 0; 1..256
          --contexts 257                           | --contexts 257; 1..256
          --tokens-per-rank 0                      | --tokens-per-rank 0; it must be in 1..
          --iterations 0                           | --iterations 0; 1..10000000
          --warmup -1                              | --warmup -1; 0..10000000
          --streams 65                             | --streams 65; 1..64
          --hidden 0                               | hidden = 0; at least 1
          --hidden 7                               | hidden 7; multiple of 16; 8 elements
          --dtype fp9                              | --dtype 'fp9'; bf16, fp16, fp32, fp8
          --scales fp32                            | FP32 with bf16; only fp8 has scales
          --dtype fp8 --scales e5m2                | --scales 'e5m2'; fp32, ue8m0
          --layout compact                         | --layout 'compact'; expanded or one-row
          --layout one-row --combine canonical     | CANONICAL; use REDUCED, or EXPANDED
          --layout one-row --align 4               | expertAlignment 4; must be 1
          --align 0                                | --align 0; 1..1048576
          --combine sum                            | --combine 'sum'; canonical or reduced
          --barrier ring                           | --barrier 'ring'; fan-in-all; order-free
          --barrier fan-in-used --contexts 33      | 33 contexts; 32; FAN_IN_ALL_CONTEXTS
          --experts 0                              | --experts 0; 1..2048
          --experts 2049                           | --experts 2049; 1..2048
          --topk 33                                | --topk 33; 1..32
          --experts 4 --topk 5                     | --topk 5; 1..4
          --routing random                         | 'random'; uniform, zipf:S, hot or deepseek-v3
          --routing zipf                           | exponent; zipf:1.2
          --routing zipf:x                         | 'x'; zipf:1.2
          --routing deepseek-v3 --experts 8        | 8; 256 experts
          --routing hot --trace x.jsonl            | --routing hot; --trace x.jsonl; one of them
          --masked 1.5                             | --masked 1.5; 0..1
          --masked NaN                             | --masked NaN; 0..1
          --masked some                            | '--masked'; 'some'
          --layer 1                                | --layer 1; --trace
          --weights w.npy                          | --weights w.npy; --trace
          --trace no/such.jsonl                    | no/such.jsonl; no such file
          --fabric                                 | '--fabric'; SPEC
          --fabric infiniband                      | 'infiniband'; emulated
          --fabric absent                          | 'absent'; install one; jgin fabrics
          --fabric emulated:fast                   | 'fast'; adversarial
          --fabric emulated:                       | 'emulated:'; an option is empty
          --fabric emulated:adversarial,a4=no      | 'a4'; 'no'; on or off
          --seed x                                 | '--seed'; 'x'; for example 8
          --seed 1 --seeds 1..2                    | --seed 1; --seeds 1..2; one of them
          --seeds 5..1                             | --seeds '5..1'; ascend; 10000
          --seeds 1..x                             | 'x'; 1..20
          --timeout 5                              | --timeout '5'; 500ms, 30s or 2m
          --timeout 0s                             | --timeout '0s'; more than 0
          --memory-budget lots                     | --memory-budget 'lots'; 512M or 16GiB
          --memory-budget 96K                      | 98304; 32768 for each; 4 tokens per rank; at most
          --verify maybe                           | --verify 'maybe'; on or off
          --dump no/x --dump-iterations 0       | --dump-iterations 0; 1..10000000
          --dump x --seeds 1..2                    | --dump; one --barrier and one --seed
          surplus                                  | 'surplus'
          """)
  void shouldNameValueLimitAndRemedy(String options, String expected) {
    Command command = Command.moe(options);
    List<Executable> checks = new ArrayList<>();
    checks.add(() -> assertEquals(ExitCode.USAGE, command.code()));
    checks.add(() -> assertEquals("", command.out()));
    checks.add(() -> assertFalse(command.err().contains("\tat "), "a stack trace"));
    for (String part : expected.split("; ", -1)) {
      checks.add(() -> assertTrue(command.err().contains(part.strip()), "lacks: " + part));
    }
    assertAll(command.err(), checks);
  }
}
