import { describe, expect, test } from "vitest";
import type { FileChangeTexts } from "../text/index.ts";
import type { EditFormat } from "./edit-format.ts";
import { replay } from "./format.laws.ts";
import { numbered } from "./numbered.ts";
import { range } from "./range.ts";
import { whole } from "./whole.ts";

/** Texts and answers with ` / ` for line endings; `undefined` for a missing file. */
type Case = readonly [
  name: string,
  before: string | undefined,
  after: string | undefined,
  answer: string | "not-encodable",
];

const edits: readonly Case[] = [
  ["one line", "a / b / c /", "a / x / c /", "@@ 2 b / x / @@ end /"],
  ["a range", "a / b / c / d /", "a / x / d /", "@@ 2-3 b | c / x / @@ end /"],
  ["an insertion", "a / b /", "a / x / b /", "@@ 1+ a / x / @@ end /"],
  ["an insertion at the top", "a /", "x / a /", "@@ 0+ / x / @@ end /"],
  ["a deletion", "a / b / c /", "a / c /", "@@ delete 2 b / @@ end /"],
  ["a blank line", "a /  / c /", "a / x / c /", "@@ 2 / x / @@ end /"],
  ["two places near each other", "one / } / two /", "1 / } / 2 /", "@@ 1-3 one | two / 1 / } / 2 / @@ end /"],
  [
    "two places with more between them",
    "one / a long line between / two /",
    "1 / a long line between / 2 /",
    "@@ 1 one / 1 / @@ 3 two / 2 / @@ end /",
  ],
  ["code that looks like a command", "a /", "@@ end /", "@@ 1 a / \\@@ end / @@ end /"],
  ["code that looks like a fence", "a /", "```ts /", "@@ 1 a / \\```ts / @@ end /"],
  ["code that looks like a numbered display", "a /", "1:x /", "@@ 1 a / 1\t1:x / @@ end /"],
  ["a line that begins with a bar", "| a / | b /", "x /", "@@ 1-2 | a | | b / x / @@ end /"],
  ["nothing", "a /", "a /", "@@ none / @@ end /"],
  ["a new file", undefined, "a / b /", "@@ create src/a.ts / a / b / @@ end /"],
  ["a file that goes", "a /", undefined, "@@ remove src/a.ts / @@ end /"],
  ["a line ending at the end", "a", "a /", "not-encodable"],
];

const rows: readonly Case[] = [
  ["one line for one", "a / b / c /", "a / x / c /", "``` / 2:x / ``` /"],
  ["several for one", "a / b /", "x / y / b /", "``` / 1:x / 1:y / ``` /"],
  ["one for several", "a / b / c /", "x / c /", "``` / 1:x / 2: / ``` /"],
  ["a deletion", "a / b /", "b /", "``` / 1: / ``` /"],
  ["a line that becomes empty", "a / b /", " / b /", "``` / 1= / ``` /"],
  ["an insertion", "a / b /", "a / x / b /", "``` / 1:a / 1:x / ``` /"],
  ["the top and the end", "a /", "x / a / y /", "``` / _:x / +:y / ``` /"],
  ["nothing", "a /", "a /", "No changes. /"],
  ["a line that moves by one blank", "a /", " a /", "not-encodable"],
  ["a new file", undefined, "a /", "not-encodable"],
];

const files: readonly Case[] = [
  ["a file", "a /", "b /", "``` / b / ``` /"],
  ["a fence in the text", "a /", "``` /", "```` / ``` / ```` /"],
  ["a file that becomes empty", "a /", "", "``` / ``` /"],
  ["a new file", undefined, "a /", "# src/a.ts /  / ``` / a / ``` /"],
  ["a file that goes", "a /", undefined, "not-encodable"],
];

for (const [format, cases] of [
  [range, edits],
  [numbered, rows],
  [whole, files],
] as const) {
  describe(`${format.name} writes`, () => {
    const changeOf = (before: string | undefined, after: string | undefined) => {
      return { path: "src/a.ts", before: textOf(before), after: textOf(after) };
    };

    test.each(cases)("%s", (_, before, after, expected) => {
      expect(encode(format, changeOf(before, after))).toBe(textOf(expected));
    });

    const encodable = cases.filter(([, , , expected]) => expected !== "not-encodable");
    test.each(encodable)("and reads back: %s", (_, before, after) => {
      const change = changeOf(before, after);
      const files = new Map(change.before === undefined ? [] : [[change.path, change.before]]);
      const { files: found } = replay(format, encode(format, change), files);
      expect(found?.get(change.path)).toBe(change.after);
    });
  });
}

test("encoded edits name their files where there are several", () => {
  const changes = [
    { path: "a.ts", before: "a\n", after: "x\n" },
    { path: "b c.ts", pathBefore: "b.ts", before: "b\n", after: "y\n" },
  ];
  expect(range.encode(changes)).toBe(
    '@@ file a.ts\n@@ 1 a\nx\n@@ move b.ts "b c.ts"\n@@ file "b c.ts"\n@@ 1 b\ny\n@@ end\n',
  );
  const edited = [changes[0]!, { path: "d.ts", before: "b\n", after: "y\n" }];
  expect(numbered.encode(edited)).toBe("# a.ts\n\n```\n1:x\n```\n\n# d.ts\n\n```\n1:y\n```\n");
  expect(whole.encode(edited)).toBe("# a.ts\n\n```\nx\n```\n\n# d.ts\n\n```\ny\n```\n");
});

function encode(format: EditFormat, change: FileChangeTexts): string {
  try {
    return format.encode([change]);
  } catch (error) {
    return `${(error as { code?: unknown }).code}`;
  }
}

function textOf(marked: string): string;
function textOf(marked: string | undefined): string | undefined;
function textOf(marked: string | undefined): string | undefined {
  return marked?.replaceAll(" / ", "\n").replace(/ \/$/, "\n");
}
