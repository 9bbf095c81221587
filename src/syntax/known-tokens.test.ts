import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { charactersOf, tokenSamples } from "./fixtures/token-samples.ts";
import { holdsToken } from "./known-tokens.ts";
import { looksSecret } from "./secret-text.ts";
import { tokenFormats } from "./token-formats.ts";

test("there are more than 120 formats with different names", () => {
  expect(new Set(tokenFormats.map(({ name }) => name)).size).toBe(tokenFormats.length);
  expect(tokenFormats.length).toBeGreaterThan(120);
});

test("a prefix begins with a letter or a digit", () => {
  const starts = tokenFormats.map(({ parts: [first] }) => (typeof first === "string" ? first : "a"));
  expect(starts.filter((start) => !/^[A-Za-z0-9]/.test(start))).toEqual([]);
});

test.each(tokenSamples.map(({ name, token }) => [name, token] as const))("%s is recognized", (_, token) => {
  expect(holdsToken(token)).toBe(true);
  expect(looksSecret(token)).toBe(true);
  expect(looksSecret(`Use ${token}, or another.`)).toBe(true);
});

test.each([
  ["inside of a word", `x${"AKIA"}${charactersOf("A-Z2-7", 16, 1)}`],
  ["too long", `re${"_"}${charactersOf("A-Za-z0-9", 8, 1)}_${charactersOf("A-Za-z0-9", 25, 1)}`],
  ["too short", `figd${"_"}${charactersOf("A-Za-z0-9", 30, 1)}`],
  ["words", `sk${"-"}proj-the-key-of-your-project`],
  ["words with a digit", `md${"-"}columns-of-2-small-bit`],
  ["a name", `npm${"_"}config_registry_of_the_second_2_orgs`],
])("%s is no token", (_, text) => {
  expect(holdsToken(text)).toBe(false);
});

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const digest = (algorithm: string, seed: number) => createHash(algorithm).update(String(seed));
const uuid = (seed: number) =>
  digest("md5", seed)
    .digest("hex")
    .replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
const word = fc.constantFrom(
  ..."get set on is has create update delete user order item list row button text color small dark hover focus main".split(
    " ",
  ),
);
const words = fc.array(fc.oneof({ weight: 4, arbitrary: word }, { weight: 1, arbitrary: fc.nat(99).map(String) }), {
  minLength: 1,
  maxLength: 8,
});
const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
/** Beginnings of names that are also prefixes of tokens. */
const start = fc.constantFrom("", "sk-", "pat-", "key-", "md-", "pa-", "re_", "b_", "fw_", "test_", "secret-", "api-");

test.each<readonly [string, fc.Arbitrary<string>]>([
  ["identifiers", words.map((all) => all.map((one, i) => (i === 0 ? one : upperFirst(one))).join(""))],
  ["names of constants", words.map((all) => all.join("_").toUpperCase())],
  ["hashes of lockfiles", seeds.map((seed) => `sha512-${digest("sha512", seed).digest("base64")}`)],
  ["UUIDs", seeds.map(uuid)],
  ["commits", seeds.map((seed) => digest("sha1", seed).digest("hex"))],
  ["checksums", seeds.map((seed) => digest("sha256", seed).digest("hex"))],
  [
    "names of classes",
    fc
      .array(fc.tuple(fc.constantFrom("", "md-", "b_"), words), { maxLength: 6 })
      .map((all) => all.map(([first, some]) => first + some.join("-")).join(" ")),
  ],
  [
    "names with a prefix of tokens",
    fc
      .tuple(start, words, fc.constantFrom("-", "_"))
      .map(([first, all, between]) => (first + all.join(between)).replace(/-.*/s, (rest) => rest.slice(0, 19))),
  ],
  ["keys of translations", words.map((all) => all.join("."))],
  ["versions", fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99)).map(([a, b, c]) => `^${a}.${b}.${c}-beta.${a}+build.${c}`)],
])("law: %s hold no token", (_, texts) => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(holdsToken(text)).toBe(false);
    }),
  );
});

test("law: images in data URLs do not look secret", () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: 1, max: 60 }), (seed, size) => {
      const bytes = Buffer.concat(Array.from({ length: size }, (_, i) => digest("sha512", seed + i).digest()));
      expect(looksSecret(`data:image/png;base64,${bytes.toString("base64")}`)).toBe(false);
    }),
  );
});

test.each(tokenFormats.map(({ name, parts: [first] }) => [name, typeof first === "string" ? first : "Aa1"] as const))(
  "a long text of the beginning of %s ends",
  (_, piece) => {
    expect(typeof holdsToken(piece.repeat(4096 / piece.length))).toBe("boolean");
    expect(typeof holdsToken(`${piece}-a1`.repeat(4096 / piece.length))).toBe("boolean");
  },
);
