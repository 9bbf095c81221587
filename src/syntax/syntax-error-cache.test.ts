import { expect, test } from "vitest";
import { Edit } from "../text/index.ts";
import type { SyntaxDiagnostic } from "./syntax-diagnostic.ts";
import { SyntaxErrorCache } from "./syntax-error-cache.ts";

/** Texts in the order of the requests, as `path text`, and which of them are read. `bad` throws. */
test.each<[what: string, requests: string, read: string]>([
  ["a text is read once", "a one, a one", "a one"],
  ["two texts of a file in turn are read once each", "a one, a two, a one, a two", "a one, a two"],
  ["three texts of a file in turn are read again", "a one, a two, a three, a one", "a one, a two, a three, a one"],
  ["the same text in another file is read separately", "a one, b one, a one", "a one, b one"],
  ["a text that failed is read again", "a bad, a bad", "a bad, a bad"],
])("cached syntax errors: %s", async (_, requests, expected) => {
  const read: string[] = [];
  const issue = (text: string): SyntaxDiagnostic => ({ code: "invalid", start: 0, end: 1, message: text });
  const known = new SyntaxErrorCache({
    async syntaxErrors({ uri, text }) {
      read.push(`${uri} ${text}`);
      if (text === "bad") throw new Error("no");
      return [issue(text)];
    },
  });
  for (const one of requests.split(", ")) {
    const [uri, text] = one.split(" ") as [string, string];
    const answer = await known.syntaxErrors({ uri, language: "typescript", text }).catch((error: unknown) => error);
    expect(answer).toEqual(text === "bad" ? new Error("no") : [issue(text)]);
  }
  expect(read.join(", ")).toBe(expected);
});

test("row 14: the errors of an edit that is checked again are cached, apart from those of documents", async () => {
  const read: string[] = [];
  const known = new SyntaxErrorCache({
    async syntaxErrors({ text }) {
      read.push(text);
      return [];
    },
  });
  const document = (text: string) => ({ uri: "a", language: "typescript", text });
  await known.syntaxErrors(document("past"));
  await known.syntaxErrors(document("now"));
  const edits = ["one", "two"].map((text) => Edit.replace({ start: 0, end: 3 }, text));
  for (const edit of [...edits, ...edits]) await known.added(document("now"), edit);
  await known.syntaxErrors(document("past"));
  expect(read).toEqual(["past", "now", "one", "two"]);
  known.forget("a");
  await known.added(document("now"), edits[0]!);
  expect(read.slice(4)).toEqual(["one"]);
});

test("long texts are evicted before the most recent ones", async () => {
  let count = 0;
  const known = new SyntaxErrorCache({
    async syntaxErrors() {
      count += 1;
      return [];
    },
  });
  const ask = (uri: string) => known.syntaxErrors({ uri, language: "typescript", text: "x".repeat(5_000_000) });
  await ask("a");
  await ask("b");
  await ask("b");
  expect(count).toBe(2);
  await ask("a");
  expect(count).toBe(3);
});
