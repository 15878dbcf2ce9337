import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digest } from "../src/random/labels.js";
import { Noise } from "../src/random/noise.js";
import { philox4x32 } from "../src/random/philox4x32.js";
import { stream } from "../src/random/stream.js";
import { open53, uniform53 } from "../src/random/uniform53.js";
import { Xoshiro128 } from "../src/random/xoshiro128.js";

const hex = (words: Iterable<number>) => Array.from(words, (word) => (word >>> 0).toString(16).padStart(8, "0")).join(" ");

describe("reference: published known answers", () => {
  // Produced by the authors' C program for the state {1, 2, 3, 4}.
  test("xoshiro128++", () => {
    const rng = new Xoshiro128([1, 2, 3, 4]);
    const answers = [641, 1573767, 3222811527, 3517856514, 836907274, 4247214768, 3867114732, 1355841295, 495546011, 621204420];
    expect(answers.map(() => rng.next())).toEqual(answers);
  });

  // The three vectors for philox4x32 with 10 rounds that come with the Random123 distribution.
  test.each([
    ["00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"],
    ["ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"],
    ["243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"],
  ])("philox4x32-10 of counter %s", (counter, key, answer) => {
    const words = (text: string) => text.split(" ").map((word) => Number.parseInt(word, 16));
    const block = Int32Array.from(words(counter), (word) => word | 0);
    philox4x32(block, words(key)[0]!, words(key)[1]!);
    expect(hex(block)).toBe(answer);
  });
});

describe("uniforms", () => {
  test("have 53 bits, from 0 to 1 - 2^-53", () => {
    expect(uniform53(0, 0)).toBe(0);
    expect(uniform53(-1, -1)).toBe(1 - 2 ** -53);
    expect(uniform53(0, 64)).toBe(2 ** -53);
    expect(uniform53(0x80000000, 0)).toBe(0.5);
  });
  test("the open ones are never 0", () => {
    expect(open53(0, 0)).toBe(2 ** -54);
    expect(open53(0, 64)).toBe(2 ** -53);
  });
});

describe("streams", () => {
  test("a state restores the same future", () => {
    const rng = stream(7, "policy");
    rng.uniform();
    const twin = new Xoshiro128(JSON.parse(JSON.stringify(rng.state())));
    expect(Array.from({ length: 100 }, () => twin.next())).toEqual(Array.from({ length: 100 }, () => rng.next()));
  });

  test("labels are separated: no two label lists of a large family collide", () => {
    const seen = new Set<string>();
    const lists = [[], ["a"], ["a", ""], ["", "a"], ["ab"], ["a", "b"], ["1"], [1], [1, 0], [0, 1], ["a\u0000"], [2 ** 40], [2 ** 40 + 1]] as (
      | string
      | number
    )[][];
    for (let seed = 0; seed < 2000; seed++) for (const list of lists) seen.add(hex(digest(seed, list)));
    expect(seen.size).toBe(2000 * lists.length);
  });

  // chi-squared on 256 cells of 1e6 uniforms from streams with neighbouring seeds; false-alarm rate 1e-6 (upper quantile of chi2(255) is 378).
  test("first numbers of neighbouring seeds are uniform", () => {
    const counts = new Float64Array(256);
    for (let seed = 0; seed < 100_000; seed++) {
      const rng = stream(seed, "chi");
      for (let i = 0; i < 10; i++) counts[Math.floor(rng.uniform() * 256)]!++;
    }
    const expected = 1e6 / 256;
    expect(counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)).toBeLessThan(378);
  });

  test.each([[-1], [1.5], [Number.NaN], ["7"], [2 ** 53]])("seed %s is refused", (seed) => {
    expect(() => stream(seed as number)).toThrow(expect.objectContaining({ code: "ERR_PARAMETER", parameter: "seed" }));
  });
  test.each([[[0, 0, 0, 0]], [[1, 2, 3]], [[1, 2, 3, -4]], [[1, 2, 3, 2 ** 32]], [null]])("state %s is refused", (state) => {
    expect(() => new Xoshiro128(state as number[])).toThrow(expect.objectContaining({ code: "ERR_PARAMETER", parameter: "state" }));
  });
});

describe("noise", () => {
  test("property: a cell's numbers do not depend on order or on what else was asked", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ round: fc.integer({ min: 1, max: 2 ** 53 - 1 }), arm: fc.nat(1e6), draws: fc.integer({ min: 1, max: 9 }) }), {
          minLength: 1,
          maxLength: 20,
        }),
        (cells) => {
          const shared = new Noise(5, "world");
          for (const { round, arm, draws } of cells) {
            const own = new Noise(5, "world").at(round, arm);
            shared.at(round, arm);
            for (let i = 0; i < draws; i++) expect(shared.uniform()).toBe(own.uniform());
          }
        },
      ),
    );
  });
  test("neighbouring cells, blocks, seeds and labels differ", () => {
    const first = (noise: Noise) => noise.uniform();
    const values = [
      first(new Noise(1).at(1, 0)),
      first(new Noise(1).at(1, 1)),
      first(new Noise(1).at(2, 0)),
      first(new Noise(1).at(2 ** 32 + 1, 0)),
      first(new Noise(2).at(1, 0)),
      first(new Noise(1, "a").at(1, 0)),
    ];
    expect(new Set(values).size).toBe(values.length);
    const cell = new Noise(1).at(1, 0);
    expect(new Set(Array.from({ length: 1000 }, () => cell.open())).size).toBe(1000);
  });
});
