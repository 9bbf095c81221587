import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** A comparison of an origin with a name: `origin === "x"`, `"x" !== one.origin`, a `switch`. */
const comparison = /\borigin\)?\s*[!=]==?\s*["'`]|["'`]\s*[!=]==?\s*[\w.?]*\borigin\b|switch \([\w.?]*\borigin\)/;

test.each([
  ['origin === "model"', true],
  ['one.origin !== "name"', true],
  ['"fix" == proposal?.origin', true],
  ["switch (proposal.origin) {", true],
  ['origin: "model"', false],
  ["settings.origins.includes(provider.origin)", false],
])("%s compares an origin with a name: %s", (code, expected) => {
  expect(comparison.test(code)).toBe(expected);
});

test("no source compares the origin of a suggestion with a name: providers declare a policy", () => {
  const folder = new URL("../", import.meta.url).pathname;
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const sources = files.filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"));
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((path) => comparison.test(readFileSync(`${folder}${path}`, "utf8")))).toEqual([]);
});
