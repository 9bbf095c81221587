import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Edit, splitPatchLines } from "../../../src/text/index.ts";
import { rowsAround, tryCaretRow } from "./caret-row.ts";
import { changedWords } from "./changed-words.ts";
import { editsOfHunks } from "./chosen-hunks.ts";
import { type DiffRow, type FileDiff, readFileDiffs, tryFileDiff } from "./file-diff.ts";
import { piecesOf } from "./line-pieces.ts";

/** A row in one line: its mark, its numbers, and its text with changed words in brackets. */
function printRow({ kind, before = 0, after = 0, text, changed, note }: DiffRow): string {
  const mark = { keep: " ", delete: "-", insert: "+" }[kind];
  const words = piecesOf(text, [], changed)
    .map((piece) => (piece.isChanged ? `[${piece.text}]` : piece.text))
    .join("");
  return `${mark}${before || "_"}:${after || "_"} ${words}${note === undefined ? "" : ` (${note})`}`;
}

function printDiff(diff: FileDiff | undefined): readonly string[] {
  return diff === undefined
    ? []
    : diff.hunks.flatMap(({ rows }, at) => [...(at > 0 ? ["…"] : []), ...rows.map(printRow)]);
}

describe("the rows of a change", () => {
  test.each<[name: string, before: string, after: string, rows: readonly string[]]>([
    [
      "a word",
      "a\nlet x = one;\nb\n",
      "a\nlet x = two;\nb\n",
      [" 1:1 a", "-2:_ let x = [one];", "+_:2 let x = [two];", " 3:3 b"],
    ],
    ["lines that have nothing in common", "one two\n", "three four five\n", ["-1:_ one two", "+_:1 three four five"]],
    ["more lines than before", "f(a)\n", "f(a, b)\ng()\n", ["-1:_ f(a)", "+_:1 f(a[, b])", "+_:2 g()"]],
    ["a missing break", "a\nb", "a\nb\n", [" 1:1 a", "-2:_ b (no line break at the end)", "+_:2 b"]],
    ["other breaks", "a\r\nb\r\n", "a\nb\r\n", ["-1:_ a (ends with CR LF)", "+_:1 a (ends with LF)", " 2:2 b"]],
    [
      "two places",
      `a\n${"=\n".repeat(9)}b\n`,
      `A\n${"=\n".repeat(9)}B\n`,
      ["-1:_ a", "+_:1 A", " 2:2 =", " 3:3 =", " 4:4 =", "…", " 8:8 =", " 9:9 =", " 10:10 =", "-11:_ b", "+_:11 B"],
    ],
    ["no change", "a\n", "a\n", []],
  ])("show %s", (_, before, after, rows) => {
    expect(printDiff(tryFileDiff({ path: "a.ts", before, after }))).toEqual(rows);
  });

  test("are shown for a created, a deleted and a renamed file", () => {
    expect(tryFileDiff({ path: "a", before: null, after: "1\n2\n" })).toMatchObject({
      kind: "create",
      added: 2,
      removed: 0,
    });
    expect(tryFileDiff({ path: "a", before: "1\n", after: null })).toMatchObject({
      kind: "delete",
      added: 0,
      removed: 1,
    });
    const moved = "diff --git a/x.ts b/y.ts\nrename from x.ts\nrename to y.ts\n";
    expect(readFileDiffs(moved).files).toMatchObject([{ kind: "rename", path: "y.ts", pathBefore: "x.ts" }]);
  });

  test("readFileDiffs reports an unreadable diff", () => {
    expect(readFileDiffs("prose of a chat").issues).toHaveLength(1);
  });
});

const anyLines = fc.array(fc.constantFrom("a\n", "b\n", "b\r\n", "c c\n", "\n", "x = 1;\n"), { maxLength: 40 });
const anyText = fc.tuple(anyLines, fc.constantFrom("", "end")).map(([lines, end]) => lines.join("") + end);

describe("the edits of selected hunks", () => {
  test("give the new text if all are selected, and the old text if none is", () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        expect(Edit.of(editsOfHunks({ before, after }, () => true)).apply(before)).toBe(after);
        expect(editsOfHunks({ before, after }, () => false)).toEqual([]);
      }),
    );
  });

  test("leave the other hunks as they were", () => {
    fc.assert(
      fc.property(anyText, anyText, fc.array(fc.boolean(), { maxLength: 12 }), (before, after, choice) => {
        const chosen = Edit.of(editsOfHunks({ before, after }, (hunk) => choice[hunk] ?? true)).apply(before);
        const hunks = tryFileDiff({ path: "", before, after })?.hunks ?? [];
        const linesBefore = splitPatchLines(before);
        const linesChosen = splitPatchLines(chosen);
        const left = hunks.filter((_, at) => choice[at] ?? true);
        const grown = left.reduce(
          (sum, { rows }) =>
            sum +
            rows.filter(({ kind }) => kind === "insert").length -
            rows.filter(({ kind }) => kind === "delete").length,
          0,
        );
        expect(linesChosen.length - linesBefore.length).toBe(grown);
        const rest = Edit.of(editsOfHunks({ before: chosen, after }, () => true)).apply(chosen);
        expect(rest).toBe(after);
      }),
    );
  });
});

test("changed words of a diff lie within changed lines, in order and without overlap", () => {
  const anyLine = fc
    .array(fc.constantFrom("a", "be", " ", "(", ")", ", ", "=", "ü", "x1"), { maxLength: 12 })
    .map((words) => words.join(""));
  fc.assert(
    fc.property(anyLine, anyLine, (before, after) => {
      const words = changedWords([before], [after]);
      for (const [line, ranges] of [
        [before, words.before[0]!],
        [after, words.after[0]!],
      ] as const) {
        let last = -1;
        for (const { start, end } of ranges) {
          expect(start).toBeGreaterThan(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(line.length);
          last = end;
        }
        expect(
          piecesOf(line, [], ranges)
            .map(({ text }) => text)
            .join(""),
        ).toBe(line);
      }
    }),
  );
});

test.each([
  [
    "const a = 1;",
    "0:keyword 5:plain 10:number 11:plain",
    [[6, 7]],
    "const:keyword| :plain|a:plain!| = :plain|1:number|;:plain",
  ],
  ["", "0:plain", [], ""],
  ["ab", "", [[0, 2]], "ab:plain!"],
])("piecesOf splits %j at tokens and changed words", (text, tokens, changed, pieces) => {
  const read = tokens
    .split(" ")
    .filter(Boolean)
    .map((token) => token.split(":"));
  const found = piecesOf(
    text,
    read.map(([start, kind]) => ({ start: Number(start), kind: kind as "plain" })),
    changed.map(([start, end]) => ({ start: start!, end: end! })),
  );
  expect(found.map((piece) => `${piece.text}:${piece.kind}${piece.isChanged ? "!" : ""}`).join("|")).toBe(pieces);
});

describe("the place where a model is writing", () => {
  const diff = tryFileDiff({ path: "a", before: "1\n2\n3\n4\n", after: "1\nnew\nmore\n3\n4\nend\n" })!;
  // Rows: 0 keep 1, 1 delete 2, 2 insert new, 3 insert more, 4 keep 3, 5 keep 4, 6 insert end.
  test.each([
    [1, undefined],
    [2, 2],
    [3, 3],
    [5, 3],
    [6, 6],
  ])("is, after %i written lines, row %j", (line, row) => {
    expect(tryCaretRow(diff, line)?.row).toBe(row);
  });

  test("is shown with the rows around it, of all hunks", () => {
    const rows = Array.from({ length: 10 }, (): DiffRow => ({ kind: "keep", text: "", changed: [] }));
    const hunks = [rows, rows, rows].map((all) => ({ rows: all, before: { start: 0, end: 10 } }));
    const print = (most: number, hunk?: number, row = 0) =>
      rowsAround(hunks, most, hunk === undefined ? undefined : { hunk, row })
        .map(({ hunk: one, start, end }) => `${one}[${start},${end})`)
        .join(" ");
    expect(print(100)).toBe("0[0,10) 1[0,10) 2[0,10)");
    expect(print(12)).toBe("0[0,10) 1[0,2)");
    expect(print(9, 1, 0)).toBe("0[5,10) 1[0,4)");
    expect(print(6, 2, 9)).toBe("2[4,10)");
  });
});
