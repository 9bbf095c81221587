import fc from "fast-check";
import { expect, test } from "vitest";
import { law } from "../../text/edit.laws.ts";
import type { EditOperation } from "../edit-operation.ts";
import { block, lines, linesOf } from "./place-cases.laws.ts";
import { resolveOperations } from "./resolve-operations.ts";

const file = "aa(1);|bb('x');|  cc();|  dd();|  ee();|  ff();|  gg();|";
const deep = "aa {|  bb {|    cc {|      dd;|      ee;|    ff;|  gg;|  hh;|  }|}|";

/** Lines are separated by `|`. The expectation is the kinds of normalizations. */
const cases: readonly (readonly [name: string, put: string, kinds: string, path?: string])[] = [
  ["plain characters", "aa('y');", ""],
  ["a blank that looks like another one", "aa(\u00a01);", "typography"],
  ["a character that cannot be seen", "aa(\u200b1);", "typography"],
  ["curly quotes", "aa(‘y’);", "typography"],
  ["curly quotes in prose", "aa(‘y’);", "", "a.md"],
  ["a blank of another kind in prose", "aa\u00a01", "typography", "a.md"],
  ["a character reference", "aa(1 &lt; 2);", "escapes"],
  ["a character reference where they are", "aa(1 &lt; 2);", "", "a.html"],
];

for (const [name, put, kinds, path = "a.ts"] of cases) {
  test(`a doubtful line is reported: ${name}`, () => expect(kindsOf(lines(0, 1, put), path)).toBe(kinds));
}

const texts: readonly (readonly [name: string, put: string, kinds: string, text?: string])[] = [
  ["lines without blanks between words", file.replace(/(?<=\|) {2}/g, "\t\t").replaceAll(";|", "; |"), "white-space"],
  ["lines that lose their indentation", deep.replaceAll("  ", "").replace("aa", "xx"), "white-space", deep],
  ["lines with blanks at their ends", file.replaceAll("|", " |"), "white-space"],
  ["a new level around lines", `if (a) {|${file.replace(/(?<=^|\|)(?=.)/g, "  ")}}|`, ""],
  ["lines with blank ones between", file.replaceAll("|", "||"), "blank-lines"],
  ["another text", "xx();|yy();|zz();|", ""],
  ["the same but for a line", file.replace("aa", "xx"), ""],
];

for (const [name, put, kinds, text = file] of texts) {
  test(`a doubtful line in a whole text is reported: ${name}`, () => {
    const ask: EditOperation = { kind: "whole", row: 0, path: undefined, lines: linesOf(put.replace(/\|$/, "")) };
    expect(kindsOf(ask, "a.ts", text)).toBe(kinds);
  });
}

test("characters that the file has are not reported as doubtful", () => {
  expect(kindsOf(lines(0, 1, "aa(‘y’);"), "a.ts", "aa(“x”);|")).toBe("");
});

test("white space changes of blocks are not reported as doubtful", () => {
  expect(kindsOf(block("  cc();|  dd();|  ee();|  ff();|  gg();", "cc();|dd();|ee();|ff();|gg();"))).toBe("");
  expect(kindsOf(block("aa(1);", "aa(&quot;);"))).toBe("escapes");
});

test("lines of a new file are not reported as white space changes", () => {
  expect(kindsOf({ kind: "create", row: 0, path: "b.ts", lines: ["aa(\u00a01);", "", "", "", "", ""] })).toBe(
    "typography",
  );
});

law(
  "characters typical of copying are reported",
  [fc.constantFrom(" ", "'", "<"), fc.nat(6), fc.nat(1)],
  (mark, at, isWhole) => {
    const spoilt = { " ": "\u00a0", "'": "’", "<": "&lt;" }[mark]!;
    const rows = linesOf(file.replace(/\|$/, ""));
    const put = `hh(${mark})`.replace(mark, spoilt);
    const ask: EditOperation =
      isWhole === 1
        ? { kind: "whole", row: 0, path: undefined, lines: rows.with(at, put) }
        : { kind: "lines", row: 0, path: undefined, start: at, end: at + 1, lines: [put], anchors: [] };
    expect(kindsOf(ask)).toMatch(/^(?:typography|escapes)$/);
  },
);

function kindsOf(ask: EditOperation, path = "a.ts", text = file): string {
  const { normalizations, refusals } = resolveOperations([ask], new Map([[path, text.replaceAll("|", "\n")]]));
  expect(refusals).toEqual([]);
  return normalizations.map(({ kind }) => kind).join(" ");
}
