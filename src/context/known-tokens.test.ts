import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tokenSamples } from "../syntax/fixtures/token-samples.ts";
import { languageOf, looksSecret } from "../syntax/index.ts";
import { jumble } from "./fixtures/secret-kinds.ts";
import { hideSecrets, messageLanguage } from "./hide-secrets.ts";

const forms: readonly (readonly [name: string, path: string, of: (token: string) => string])[] = [
  ["a constant", "src/given.ts", (token) => `export const value = "${token}";\n`],
  ["a line of .env", ".env", (token) => `VALUE=${token}\nOTHER=1\n`],
  ["a value of JSON", "given.json", (token) => `{ "value": "${token}", "other": 1 }\n`],
];

describe.each(forms)("%s", (_, path, of) => {
  test.each(tokenSamples.map(({ name, token }) => [name, token] as const))("%s is hidden", (_, token) => {
    const text = of(token);
    const { text: shown, hidden } = hideSecrets(text, languageOf(path).id);
    expect(shown).toBe(of("…"));
    expect(hidden).toBe(1);
  });
});

test("a token in what a tool printed is hidden", () => {
  for (const { token } of tokenSamples) {
    expect(hideSecrets(`error: ${token} is refused`, messageLanguage).text).toBe("error: … is refused");
  }
});

/** The texts that secretlint's recommended rules report in a text. */
async function reportedBySecretlint(content: string): Promise<readonly string[]> {
  const { messages } = await lintSource({
    source: { filePath: "given.ts", content, ext: ".ts", contentType: "text" },
    options: {
      config: { rules: [{ id: "@secretlint/secretlint-rule-preset-recommend", rule: creator }] },
      noPhysicFilePath: true,
    },
  });
  return messages.map(({ range: [start, end] }) => content.slice(start, end));
}

async function expectRecognized(token: string): Promise<number> {
  const reported = await reportedBySecretlint(`export const value = "${token}";\n`);
  const missed = reported.filter((one) => !looksSecret(one));
  expect(missed).toEqual([]);
  return reported.length;
}

test("what secretlint reports in the samples is recognized", async () => {
  let reported = 0;
  for (const { token } of tokenSamples) reported += await expectRecognized(token);
  expect(reported).toBeGreaterThan(20);
});

/**
 * Random characters with a digit among them: a token without one, which few are, may be a
 * placeholder.
 */
const random = (alphabet: string, minLength: number, maxLength = minLength) =>
  fc
    .tuple(fc.integer({ min: 1, max: 2 ** 31 - 1 }), fc.integer({ min: minLength, max: maxLength }))
    .map(([seed, length]) => jumble(length, alphabet, seed))
    .filter((text) => /\d/.test(text));
const lower = "abcdefghijklmnopqrstuvwxyz0123456789";
const upper = lower.toUpperCase();
const alnum = lower + upper.slice(0, 26);
/** A JSON object whose last brace is alone in base64 if `salt` has 42 characters. */
const accountOf = (salt: string) =>
  btoa(JSON.stringify({ email: "a@b.example", userAuth: { method: "SRPg-4096", alg: "PBES2g-HS256" }, salt }));
const joined = (...parts: readonly (string | fc.Arbitrary<string>)[]) =>
  fc.tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part))).map((all) => all.join(""));

test.each<readonly [string, fc.Arbitrary<string>]>([
  ["npm", joined("npm", "_", random(alnum, 36))],
  ["GitHub", joined(fc.constantFrom("ghp", "gho", "ghu", "ghs", "ghr"), "_", random(alnum, 36))],
  ["GitHub, fine-grained", joined("github", "_pat_", random(alnum, 22), "_", random(alnum, 59))],
  [
    "Slack",
    joined(fc.constantFrom("xoxb", "xoxp", "xoxa", "xoxo", "xoxr"), "-", random(alnum, 11), "-", random(alnum, 24)),
  ],
  ["Slack, app", joined("xapp", "-1-", random(upper, 11), "-", random("0123456789", 13), "-", random(lower, 40, 40))],
  [
    "Slack, webhook",
    joined("https://hooks.slack.com", "/services/T", random(upper, 9), "/B", random(upper, 9), "/", random(alnum, 24)),
  ],
  ["OpenAI", joined("sk", "-proj-", random(alnum, 74), "T3Blbk", "FJ", random(alnum, 74))],
  ["OpenAI, earlier", joined("sk", "-", random(alnum, 20), "T3Blbk", "FJ", random(alnum, 20))],
  ["Linear", joined("lin", "_api_", random(alnum, 40))],
  ["SendGrid", joined("SG", ".", random(alnum, 22), ".", random(alnum, 43))],
  ["Shopify", joined(fc.constantFrom("shppa", "shpca", "shpat", "shpss"), "_", random(alnum, 32, 64))],
  ["1Password", random(alnum, 42).map((salt) => `ops_${accountOf(salt)}`)],
  ["a password in an address", joined("https://", random(lower, 8), ":", random(alnum, 16), "@git.example.com/a")],
  [
    "a private key",
    random(alnum, 64).map((row) => `${"-----BEGIN"} EC PRIVATE KEY-----\\n${row}\\n-----END EC PRIVATE KEY-----`),
  ],
])("law: what secretlint reports as %s is recognized", async (_, tokens) => {
  let reported = 0;
  await fc.assert(
    fc.asyncProperty(tokens, async (token) => {
      reported += await expectRecognized(token);
    }),
    { numRuns: 60 },
  );
  expect(reported).toBeGreaterThan(0);
});
