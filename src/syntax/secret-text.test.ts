import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { looksSecret } from "./secret-text.ts";

// The keys are made up. Their prefixes are written separately, so that no scanner reports this file
// as a leak.
const key = (start: string, rest: string) => start + rest;
const random36 = "a8Kd02mQx7Zp4LwV9bTn3RjY6sHc1GfE5uXo";

const secrets: readonly string[] = [
  key("sk-", `proj-${random36}`),
  key("sk-", `ant-api03-${random36}`),
  key("ghp", `_${random36}`),
  key("github", `_pat_11ABCDEFG0${random36}`),
  key("glpat", "-a8Kd02mQx7Zp4LwV9bTn"),
  key("xoxb", "-123456789012-abcdefGHIJKL"),
  key("AKIA", "IOSFODNN7EXAMPLE"),
  key("AIza", "SyA8Kd02mQx7Zp4LwV9bTn3RjY6sHc1GfE5"),
  key("npm", `_${random36}`),
  key("sk", "_live_4eC39HqLyjWDarjtT1zdp7dc"),
  key("hf", "_aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH"),
  key("eyJ", "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"),
  key("-----BEGIN", " RSA PRIVATE KEY-----\nMIIEow\n"),
  key("-----BEGIN", " PRIVATE KEY-----"),
  `Bearer ${key("ghp", `_${random36}`)}`,
  `token=${random36}`,
  random36,
  "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLEKEY1",
  "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  "da39a3ee5e6b4b0d3255bfef95601890afd80709",
  "xyz_164b7896ec8e770207febe0812c5f052",
  "610613b54e5b34f8122d1ba4a3da21a9",
  "postgres://app:hunter2@db.example.com:5432/app",
  "https://me:s3cr3t@x.io",
  "amqp://u:p4s@h",
];

const harmless: readonly string[] = [
  // Names in databases that are made from hashes.
  "col_164b7896ec8e770207febe0812c5f052",
  "table_000a8a0cb7f265a624c851d3e7f8b9462",
  "FK_164b7896ec8e770207febe0812c5f052",
  "",
  "hello",
  "use strict",
  "The quick brown fox jumps over 13 lazy dogs, twice.",
  "a-very-long-slug-of-a-page-about-something-2024-01-31",
  "../components/Button/Button.module.css",
  "@scope/some-package/dist/esm/index.production.min.js",
  "flex items-center justify-between px-4 py-2 md:hover:bg-gray-100",
  "inline-flex-h-10-w-full-rounded-md-border-2",
  "i18nNoLocaleFoundInPath",
  "getElementByIdAndVersion2Or3OrTheFirstOne",
  "SOME_ENVIRONMENT_VARIABLE_NAME_2",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "123e4567-e89b-12d3-a456-426614174000",
  "{123E4567-E89B-12D3-A456-426614174000}",
  "sha512-m3HSJL1i83hdltRq0+o9czGb+8KJDKra4t/3JRlnPKcjI8PZm6XBHXx6zG4UuMXaDEZjR1wuXDre9G9zvN7AQw==",
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
  "0123456789abcdef0123456789abcdef",
  "00000000000000000000000000000000",
  "12345678901234567890123456789012345678901234567890",
  "https://example.com/users/12/posts?sort=createdAt&limit=50#comments",
  "http://localhost:3000",
  "http://[::1]:8080/path@2x.png",
  "https://registry.npmjs.org/@types/node/-/node-20.1.0.tgz",
  "postgres://user:password@localhost:5432/db",
  "postgres://{user}:{password}@{host}",
  "redis://:$REDIS_PASSWORD@cache",
  "sk-toggle-container",
  "-----BEGIN CERTIFICATE-----",
  "YYYY-MM-DDTHH:mm:ss.SSSZ",
  "M10 20L30 40C50.5 60.25 70 80 90 100Z",
  "^[a-z0-9]+(?:-[a-z0-9]+)*$",
];

describe("a secret", () => {
  for (const text of secrets) test(JSON.stringify(text), () => expect(looksSecret(text)).toBe(true));
});

describe("not a secret", () => {
  for (const text of harmless) test(JSON.stringify(text), () => expect(looksSecret(text)).toBe(false));
});

test("32 random bytes look secret, always as hexadecimal and nearly always as base64", () => {
  let found = 0;
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const samples = fc.sample(fc.noShrink(bytes.map((array) => array.map((byte) => (byte * 167 + 13) & 255))), 500);
  // The generator likes small and repeated values; what is left after that should be as random as a
  // key.
  const fair = samples.filter((sample) => new Set(sample).size >= 28);
  for (const sample of fair) {
    expect(looksSecret(Buffer.from(sample).toString("hex"))).toBe(true);
    if (looksSecret(Buffer.from(sample).toString("base64"))) found += 1;
  }
  expect(fair.length).toBeGreaterThan(50);
  expect(found / fair.length).toBeGreaterThan(0.9);
});

test("words separated by spaces do not look secret", () => {
  const word = fc.stringMatching(/^[A-Za-z]{1,12}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 2, maxLength: 20 }), (words) => {
      expect(looksSecret(words.join(" "))).toBe(false);
    }),
  );
});

test("looksSecret takes no longer for a hostile literal than for another", () => {
  for (const piece of ["a://", "a:", "sk-", "eyJ1", "-----BEGIN A ", "Aa1/", "=1"]) {
    expect(typeof looksSecret(piece.repeat(200_000))).toBe("boolean");
  }
});
