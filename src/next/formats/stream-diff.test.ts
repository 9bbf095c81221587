import fc from "fast-check";
import { expect, test } from "vitest";
import type { LineSplice } from "../../formats/index.ts";
import { type LinesEnd, type StreamDiffOptions, streamDiff } from "./stream-diff.ts";

async function* streamed(lines: readonly string[], end: LinesEnd): AsyncGenerator<string, LinesEnd> {
  yield* lines;
  return end;
}

/** The changes, each with the number of lines read when it was yielded. */
async function diff(window: readonly string[], lines: readonly string[], end: LinesEnd, options?: StreamDiffOptions) {
  let read = 0;
  async function* counted(): AsyncGenerator<string, LinesEnd> {
    for (const line of lines) {
      read++;
      yield line;
    }
    read = Number.POSITIVE_INFINITY;
    return end;
  }
  const changes: { readonly change: LineSplice; readonly read: number }[] = [];
  for await (const change of streamDiff(window, counted(), options)) changes.push({ change, read });
  return changes;
}

/**
 * Lines are words, `_` is an empty one. The window's cursor line is marked `*`. A stream ends with
 * `.` if it is whole, with `?` if it is open and with `!` if it is cut. `1-2:X,Y@4` replaces line 1
 * by X and Y once 4 lines are read; `@.` is the end.
 */
const cases: readonly (readonly [name: string, window: string, stream: string, changes: string])[] = [
  ["nothing changed", "a b c", "a b c .", ""],
  ["a line", "a b c d e", "a X c d e .", "1-2:X@4"],
  ["one line that agrees is not enough", "a b c d", "a X c .", "1-2:X@. 3-4:@."],
  ["brackets agree by chance", "a b } ) c d e", "a X } ) c d .", "1-2:X@6 6-7:@."],
  ["lines put in", "a b c", "a X Y b c .", "1-1:X,Y@5"],
  ["a line gone", "a b c d", "a c d .", "1-2:@3"],
  ["three gone need three", "a b c d e f g h", "a e f g h .", "1-4:@4"],
  ["two places", "a b c d e f g", "a X c d e Y g .", "1-2:X@4 5-6:Y@."],
  ["what agrees in between stays", "a b } c d e", "a X } Y d e .", "1-2:X@6 3-4:Y@6"],
  ["a case like the one before it", "w: p q w: r s", "w: p q w: t q w: r s .", "4-4:t,q,w:@9"],
  ["the cursor's line grows", "a b* c", "a bX c .", "1-2:bX@2"],
  ["and goes on", "a b* c d", "a bX Y c d .", "1-2:bX@2 2-2:Y@5"],
  ["an empty one is written", "a _* c", "a X c .", "1-2:X@2"],
  ["it changes otherwise", "a bc* d e", "a bX d e .", "1-2:bX@4"],
  ["all new", "a b", "X Y Z .", "0-2:X,Y,Z@."],
  ["nothing of it left", "a b", ".", "0-2:@."],
  ["the end is left out", "a b c", "a b .", "2-3:@."],
  ["the end, by a cut", "a b c", "a b !", ""],
  ["the end, without an end marker", "a b c", "a b ?", ""],
  ["a change cut off", "a b c d", "a X Y !", ""],
  ["half a line", "a bcd e", "a b !", ""],
  ["what is sure before a cut", "a b c d e", "a X c d !", "1-2:X@4"],
  ["at least as many lines as there were", "a b c", "a X Y ?", "1-3:X,Y@."],
  ["fewer than there were", "a b c", "a X ?", ""],
];
test.each(cases)("streamDiff, %s: %s | %s", async (_, window, stream, changes) => {
  const words = window.split(" ");
  const cursorLine = words.findIndex((word) => word.endsWith("*"));
  const toLines = (marked: readonly string[]) => marked.map((word) => word.replace("*", "").replace("_", ""));
  const lines = stream.split(" ");
  const end = ({ ".": "whole", "?": "open", "!": "cut" } as const)[lines.pop() as ".+?"[0]]!;
  const found = await diff(toLines(words), toLines(lines), end, cursorLine < 0 ? {} : { cursorLine });
  const shown = found.map(
    ({ change: { start, end, lines }, read }) => `${start}-${end}:${lines}@${Number.isFinite(read) ? read : "."}`,
  );
  expect(shown.join(" ")).toBe(changes);
});

test("leaving a stream of differences early ends its lines", async () => {
  let isEnded = false;
  async function* lines(): AsyncGenerator<string, LinesEnd> {
    try {
      for (const line of ["X", "b", "c", "d"]) yield line;
      return "whole";
    } finally {
      isEnded = true;
    }
  }
  for await (const change of streamDiff(["a", "b", "c", "d"], lines())) {
    expect(change).toEqual({ start: 0, end: 1, lines: ["X"] });
    break;
  }
  expect(isEnded).toBe(true);
});

const anyLines = fc.array(fc.constantFrom("a", "b", "c", "ab", "}", "", "x", "y"), { maxLength: 12 });
const anyCursor = fc.option(fc.nat(12), { nil: undefined });
const optionsFor = (cursorLine: number | undefined) => (cursorLine === undefined ? {} : { cursorLine });

/** The window with the changes made. */
function apply(window: readonly string[], changes: readonly LineSplice[]): string[] {
  const lines: string[] = [];
  let passed = 0;
  for (const change of changes) {
    expect(change.start).toBeGreaterThanOrEqual(passed);
    lines.push(...window.slice(passed, change.start), ...change.lines);
    passed = change.end;
  }
  return [...lines, ...window.slice(passed)];
}

test("law: the changes of a whole stream make its lines of the window, in order and disjoint", () =>
  fc.assert(
    fc.asyncProperty(anyLines, anyLines, anyCursor, async (window, lines, cursorLine) => {
      const found = await diff(window, lines, "whole", optionsFor(cursorLine));
      const changes = found.map(({ change }) => change);
      expect(apply(window, changes)).toEqual(lines);
    }),
  ));

test("law: the changes of a cut stream are the first ones of the whole stream", () =>
  fc.assert(
    fc.asyncProperty(anyLines, anyLines, anyCursor, fc.nat(12), async (window, lines, cursorLine, at) => {
      const whole = await diff(window, lines, "whole", optionsFor(cursorLine));
      const cut = await diff(window, lines.slice(0, at), "cut", optionsFor(cursorLine));
      expect(cut).toEqual(whole.slice(0, cut.length));
    }),
  ));

test("law: a stream that marks no end makes the window no shorter from its last sure change on", () =>
  fc.assert(
    fc.asyncProperty(anyLines, anyLines, anyCursor, async (window, lines, cursorLine) => {
      const sure = await diff(window, lines, "cut", optionsFor(cursorLine));
      const open = await diff(window, lines, "open", optionsFor(cursorLine));
      const added = open
        .slice(sure.length)
        .reduce((sum, { change: { start, end, lines } }) => sum + lines.length - (end - start), 0);
      expect(added).toBeGreaterThanOrEqual(0);
      expect(open.slice(0, sure.length)).toEqual(sure);
    }),
  ));

test("streamDiff reads a stream of many lines in linear time", async () => {
  const window = Array.from({ length: 200 }, (_, i) => `line ${i}`);
  const lines = Array.from({ length: 20_000 }, (_, i) => `other ${i % 7}`);
  const edits: LineSplice[] = [];
  for await (const change of streamDiff(window, streamed(lines, "whole"))) edits.push(change);
  expect(apply(window, edits)).toEqual(lines);
});
