import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { BlockReader, type Diagnostic } from "../../../analysis/index.ts";
import { parseScriptTree } from "../../../analysis/node/index.ts";
import { openSyntax } from "../../../syntax/node/index.ts";
import { minimalEdit } from "../../../text/index.ts";
import { ScriptedTypeChecker } from "./fixtures/scripted-type-checker.ts";
import { compareDiagnostics, editedLines, NewDiagnostics } from "./new-diagnostics.ts";
import { ParseCache } from "./parse-cache.ts";
import { TypeCheckCache } from "./type-check-cache.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const before = "export function send(text: A) { return 1; }\n";
const after = before.replace("text: A", "mail: A");

test("the new diagnostics of other files are requested again only when an exported signature changed; an edited file always is", async () => {
  const states = new ParseCache(new BlockReader({ parseScript: parseScriptTree, syntax }));
  const texts = new Map([
    ["send.ts", before],
    ["a.ts", 'bad0; "wants send.ts:text";'],
    ["b.ts", '"wants send.ts:A";'],
  ]);
  const checker = new ScriptedTypeChecker(texts);
  const types = new TypeCheckCache({ checker, texts });
  const diagnostics = new NewDiagnostics(states);
  /** Returns the new diagnostics of these files after `now` was typed, and the requested files. */
  const request = async (now: string, ...paths: readonly string[]) => {
    texts.set("send.ts", now);
    types.update("send.ts", now);
    checker.log.length = 0;
    const files = { textOf: (path: string) => texts.get(path) };
    const of = diagnostics.at({ types, files, changes: new Map([["send.ts", { before, after: now }]]) });
    const messages: string[] = [];
    for (const path of paths) for (const { message } of await of(path)) messages.push(`${path}: ${message}`);
    return {
      messages,
      requested: checker.log.flatMap((line) => /^(?:snapshot )?errors (.*)/.exec(line)?.[1] ?? []),
    };
  };
  const wanting = ["a.ts: send.ts lacks text"];
  expect(await request(after, "a.ts", "b.ts")).toEqual({ messages: wanting, requested: ["a.ts", "a.ts", "b.ts"] });
  expect(await request(after, "a.ts", "b.ts")).toEqual({ messages: wanting, requested: [] });
  // A changed body.
  expect(await request(after.replace("1", "bad2"), "a.ts", "b.ts")).toEqual({ messages: wanting, requested: [] });
  expect(await request(after.replace("1", "bad3"), "send.ts")).toEqual({
    messages: ["send.ts: bad3 is bad"],
    requested: ["send.ts", "send.ts"],
  });
  // A changed parameter type.
  expect(await request(after.replace("mail: A", "mail: B"), "b.ts")).toEqual({
    ...{ messages: ["b.ts: send.ts lacks A"], requested: ["b.ts", "b.ts"] },
  });
});

/** Reads a text with diagnostics: `«word»code` is one at a word, whose message is the word. */
function readDiagnostics(marked: string): { readonly text: string; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const text = marked
    .replaceAll("¶", "\n")
    .split(/(«[^»]*»\d+)/)
    .reduce((read, part) => {
      const [, word, code] = /^«([^»]*)»(\d+)$/.exec(part) ?? [];
      if (word === undefined || code === undefined) return read + part;
      diagnostics.push({ path: "a.ts", start: read.length, end: read.length + word.length, code, message: word });
      return read + word;
    }, "");
  return { text, diagnostics };
}

/** Returns the new and the gone diagnostics as `+word -word`. */
function compared(marked: string): string {
  const [before, after] = marked.split(" => ").map(readDiagnostics) as [
    ReturnType<typeof readDiagnostics>,
    ReturnType<typeof readDiagnostics>,
  ];
  const edit = minimalEdit(before.text, after.text);
  const lines = editedLines(before.text, edit, after.text);
  const { fresh, gone } = compareDiagnostics(before.diagnostics, after.diagnostics, { edit, lines });
  return [...fresh.map(({ message }) => `+${message}`), ...gone.map(({ message }) => `-${message}`)].join(" ");
}

describe("comparing diagnostics before and after an edit", () => {
  const cases: readonly (readonly [name: string, marked: string, expected: string])[] = [
    ["an equal diagnostic is paired", "a «b»1 c => a «b»1 c", ""],
    ["a diagnostic that moves with its line is paired", "x¶«b»1 => new¶x¶«b»1", ""],
    ["a diagnostic on a moved line is paired", "x¶y¶«b»1 => «b»1¶x¶y", ""],
    ["a new diagnostic is reported", "a b => a «c»1", "+c"],
    ["a gone diagnostic is reported", "a «b»1 => a c", "-b"],
    ["a second equal diagnostic is new", "«b»1¶x => «b»1¶«b»1¶x", "+b"],
    ["a diagnostic with another message in the edited line is paired", "f(«a»1) => f(«b»1, c)", ""],
    ["a diagnostic with another message at the same place is paired", "x¶f(«a»1) => y¶f(«a»1)", ""],
    ["a diagnostic with another code in the edited line is new", "f(«a»1) => f(«b»2)", "+b -a"],
    ["a missing library is left out", "a => «import»7016 a", ""],
    [
      "a type that cannot be inferred is left out while a library is missing",
      "«import»7016¶f(x) => «import»7016¶f(«x»7006)",
      "",
    ],
    ["a type that cannot be inferred counts without a missing library", "f(x) => f(«x»7006)", "+x"],
  ];
  test.each(cases)("comparing diagnostics: %s", (_, marked, expected) => {
    expect(compared(marked)).toBe(expected);
  });

  test("a module that is not found is a library unless its name is relative", () => {
    const missing = (name: string): Diagnostic => ({
      ...{ path: "a.ts", start: 0, end: 1, code: "2307" },
      message: `Cannot find module '${name}' or its corresponding type declarations.`,
    });
    expect(compareDiagnostics([], [missing("zod"), missing("./row.ts"), missing("../row.ts")]).fresh).toHaveLength(2);
  });
});

test("law: equal diagnostics give neither new nor gone ones, and counts add up", () => {
  const word = fc.constantFrom("a", "«b»1", "«c»1", "«b»2", "¶");
  const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(text, text, (one, other) => {
      const before = readDiagnostics(one);
      const after = readDiagnostics(other);
      expect(compareDiagnostics(before.diagnostics, before.diagnostics)).toEqual({ fresh: [], gone: [] });
      const edit = minimalEdit(before.text, after.text);
      const { fresh, gone } = compareDiagnostics(before.diagnostics, after.diagnostics, { edit });
      expect(before.diagnostics.length - gone.length).toBe(after.diagnostics.length - fresh.length);
    }),
  );
});
