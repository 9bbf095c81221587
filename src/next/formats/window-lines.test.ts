import fc from "fast-check";
import { expect, test } from "vitest";
import { Edit, isInsideCharacter, type LineEnding, Lines } from "../../text/index.ts";
import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
import type { LinesEnd } from "./stream-diff.ts";
import { WindowLines, windowEdits } from "./window-lines.ts";

/** A file whose window is between `«` and `»` at line ends, with the cursor as `|`. */
function readScene(marked: string): NextEditPromptInput {
  const bare = marked.replace(/[«»]/g, "");
  const text = bare.replace("|", "");
  const lines = Lines.of(text);
  const start = lines.lineAt(marked.replace("|", "").indexOf("«"));
  const end = lines.lineAt(marked.replace(/[|«]/g, "").indexOf("»")) + 1;
  return inputOf(text, { start, end }, bare.indexOf("|"));
}

function inputOf(text: string, window: { readonly start: number; readonly end: number }, cursor: number) {
  return { path: "a.ts", language: "typescript", text, cursor, window, area: window, page: window, ...nothing };
}
const nothing = { history: [], viewed: [], diagnostics: [] };

async function* streamed(lines: readonly string[], end: LinesEnd): AsyncGenerator<string, LinesEnd> {
  yield* lines;
  return end;
}

async function rewrite(input: NextEditPromptInput, lines: readonly string[], end: LinesEnd = "whole"): Promise<string> {
  const edits = [];
  for await (const edit of windowEdits(streamed(lines, end), input)) {
    for (const offset of [edit.start, edit.end]) expect(isInsideCharacter(input.text, offset)).toBe(false);
    edits.push(edit);
  }
  return Edit.of(edits).apply(input.text);
}

const cases: readonly (readonly [name: string, input: string, lines: readonly string[], after: string])[] = [
  ["a line", "a\n«b|\nc»\nd", ["X", "c"], "a\nX\nc\nd"],
  ["line endings as in the file", "a\r\n«b|\r\nc»\r\nd", ["b", "X", "Y", "c"], "a\r\nb\r\nX\r\nY\r\nc\r\nd"],
  ["lines at the end of a file without a last ending", "a\n«b|»", ["bX", "c"], "a\nbX\nc"],
  ["the last line of it goes", "a\n«b|\nc»", ["b"], "a\nb"],
  ["nothing is left", "«a|\nb»", [], ""],
  ["a last line ending stays", "a\n«b|\n»", ["bX"], "a\nbX\n"],
  ["also where all of the window goes", "a\n«b|\n»", [], "a\n"],
  ["an empty file", "«|»", ["a", "b"], "a\nb"],
  ["a byte order mark stays", "\uFEFF«a|\nb»", ["X", "b"], "\uFEFFX\nb"],
  ["lines in front of the first", "\uFEFF«a|\nb»", ["X", "a", "b"], "\uFEFFX\na\nb"],
];
test.each(cases)("the edits of a rewritten window: %s", async (_, input, lines, after) => {
  expect(await rewrite(readScene(input), lines)).toBe(after);
});

test("a growing cursor line is yielded first, then the lines after it", async () => {
  const input = readScene("«a|»");
  const edits = [];
  for await (const edit of windowEdits(streamed(["ab", "c"], "whole"), input)) edits.push(edit);
  expect(edits).toEqual([
    { start: 0, end: 1, text: "ab" },
    { start: 1, end: 1, text: "\nc" },
  ]);
});

test.each([
  ["a|b", 1],
  ["|\uFEFFa", 0],
  ["\uFEFFa|b", 1],
  ["a\r|\nb", 1],
  ["😀|", 2],
])("the cursor of %j is at column %d of its line", (marked, column) => {
  const cursor = marked.indexOf("|");
  const { cursor: found } = WindowLines.of(inputOf(marked.replace("|", ""), { start: 0, end: 1 }, cursor));
  expect(found).toEqual({ line: 0, column });
});
test("a cursor inside a surrogate pair is in front of it", () => {
  expect(WindowLines.of(inputOf("a😀", { start: 0, end: 1 }, 2)).cursor.column).toBe(1);
});

const anyLines = fc.array(fc.constantFrom("a", "b", "ab", "}", "", "x", "😀"), { minLength: 1, maxLength: 10 });

test("law: a whole answer replaces the window by its lines, and leaves the rest of the file as it is", () =>
  fc.assert(
    fc.asyncProperty(
      fc.record({
        lines: anyLines,
        ending: fc.constantFrom<LineEnding>("\n", "\r\n", "\r"),
        ends: fc.tuple(fc.nat(), fc.nat()),
        cursor: fc.nat(),
        rewritten: anyLines,
        isMarked: fc.boolean(),
      }),
      async ({ lines, ending, ends, cursor, rewritten, isMarked }) => {
        const text = (isMarked ? "\uFEFF" : "") + lines.join(ending);
        const file = Lines.of(text);
        const [one, other] = ends.map((end) => end % file.count) as [number, number];
        const window = { start: Math.min(one, other), end: Math.max(one, other) + 1 };
        const line = window.start + (cursor % (window.end - window.start));
        const input = inputOf(text, window, file.start(line) + (cursor % (file.end(line) - file.start(line) + 1)));
        const after = await rewrite(input, rewritten);
        const isEnd = WindowLines.of(input).endsBehindLastBreak && rewritten.at(-1) !== "";
        const made = [
          ...lines.slice(0, window.start),
          ...rewritten,
          ...(isEnd ? [""] : []),
          ...lines.slice(window.end),
        ];
        const madeEnding = lines.length > 1 ? ending : "\n";
        expect(after).toBe((isMarked ? "\uFEFF" : "") + made.join(madeEnding));
      },
    ),
  ));
