import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compileLanguage } from "../fixtures/compile-language.ts";
import { recognise } from "../hole/recognise.ts";

const languages = {
  javascript: compileLanguage("javascript"),
  typescript: compileLanguage("typescript"),
  tsx: compileLanguage("tsx"),
};

type Language = keyof typeof languages;

/** The files of `fixtures`, and the languages that their programs are in. */
const tables: Readonly<Record<string, readonly Language[]>> = {
  javascript: ["javascript"],
  ecmascript: ["javascript", "typescript", "tsx"],
  jsx: ["javascript", "tsx"],
  types: ["typescript", "tsx"],
  typescript: ["typescript"],
  tsx: ["tsx"],
};

interface Row {
  readonly feature: string;
  readonly line: string;
}

function readRows(table: string): Row[] {
  let feature = "";
  return readFileSync(join(import.meta.dirname, "fixtures", `${table}.programs`), "utf8")
    .split("\n")
    .flatMap((line) => {
      if (line.startsWith("# ")) feature = line.slice(2);
      return /^(ok|no)/.test(line) ? [{ feature, line }] : [];
    });
}

/**
 * The line as the grammar has it: the mark is where the first word is refused, or at the end of
 * what is unfinished.
 */
function judge(line: string, language: Language): string {
  const program = line.slice(4).replace("▸", "").replaceAll("⏎", "\n");
  const bytes = new TextEncoder().encode(program);
  // A word that ends the text may go on; behind a line break it is what it is.
  const verdict = recognise(languages[language], new TextEncoder().encode(`${program}\n`));
  if (verdict.kind === "whole") return `ok  ${program}`.trimEnd();
  const end = verdict.kind === "unfinished" ? bytes.length : verdict.offset;
  const decoder = new TextDecoder();
  return `no  ${decoder.decode(bytes.subarray(0, end))}▸${decoder.decode(bytes.subarray(end))}`;
}

for (const [table, spoken] of Object.entries(tables)) {
  describe.each(spoken)(`${table}.programs in %s`, (language) => {
    for (const { feature, line } of readRows(table)) {
      test(`${feature}: ${line}`, () => expect(judge(line, language).replaceAll("\n", "⏎")).toBe(line));
    }
  });
}

describe("row 40: `yield` without an operand ends at its line", () => {
  test.each<[Language, string, "whole" | "unfinished" | "refused"]>([
    ["javascript", "yield\n/re/", "whole"],
    ["typescript", "yield\n/re/", "whole"],
    ["tsx", "function* f() { yield\n<b/> }", "whole"],
    ["javascript", "yield\n<b/>", "whole"],
    ["typescript", "function* f() { a = yield\n/b c/.test(d) }", "whole"],
    ["javascript", "yield\n/re", "whole"],
    ["javascript", "a\n/re/", "unfinished"],
    ["javascript", "f(yield, yield)", "whole"],
    ["javascript", "yield yield yield a", "whole"],
    ["javascript", "function* f() { yield\n/re/.test(a) }", "whole"],
    ["typescript", "function* f() { g(yield\n/re/) }", "refused"],
  ])("row 40: %s: %j is %s", (language, text, kind) => {
    expect(recognise(languages[language], new TextEncoder().encode(text)).kind).toBe(kind);
  });
});
