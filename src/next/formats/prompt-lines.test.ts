import { afterEach, expect, test, vi } from "vitest";
import { redacted } from "../../model/fixtures/redacted.ts";
import { Lines } from "../../text/index.ts";
import { tryBuildPromptInput } from "../providers/model/build-prompt-input.ts";
import { chat } from "./chat.ts";
import { fillInTheMiddle } from "./fill-in-the-middle.ts";
import { promptInputOf } from "./format.laws.ts";
import { PromptLines, pastEditDiff } from "./prompt-lines.ts";
import { sweep } from "./sweep.ts";
import { unified } from "./unified.ts";
import { zeta2 } from "./zeta-2.ts";

const input = promptInputOf("1\n2\n3\n«4\n5|\n6\n»7\n8\n9\n");

/** An edit: its first line now, the old lines, and the new ones, separated by `/`. */
test.each([
  ["a line between others", 4, "five", "5", "@@ -2,7 +2,7 @@| 2| 3| 4|-five|+5| 6| 7| 8"],
  ["the first line", 0, "one", "1", "@@ -1,4 +1,4 @@|-one|+1| 2| 3| 4"],
  ["the last line", 8, "nine", "9", "@@ -6,4 +6,4 @@| 6| 7| 8|-nine|+9"],
  ["a line that is new", 4, "", "5", "@@ -2,6 +2,7 @@| 2| 3| 4|+5| 6| 7| 8"],
  ["lines that are gone", 4, "a/b", "", "@@ -2,8 +2,6 @@| 2| 3| 4|-a|-b| 5| 6| 7"],
])("the diff of a past edit: %s", (_, start, before, after, diff) => {
  expect(shown({ path: "src/a.ts", start, before, after })).toBe(diff);
});

test.each([
  ["a line", "b", "c", "@@ -5,1 +5,1 @@|-b|+c"],
  ["a line that is new", "", "c", "@@ -4,0 +5,1 @@|+c"],
  ["with lines that stayed", "a/b/c", "a/B/c", "@@ -5,3 +5,3 @@| a|-b|+B| c"],
])("the diff of a past edit in another file: %s", (_, before, after, diff) => {
  expect(shown({ path: "src/b.ts", start: 4, before, after })).toBe(diff);
});

test("the diff contains no line outside the page", () => {
  const edit = {
    path: "src/a.ts",
    lines: { start: 4, end: 5 },
    before: [redacted("five")],
    after: [redacted("5")],
    atMs: 0,
  };
  const page = { start: 3, end: 6 };
  expect(pastEditDiff(edit, new PromptLines({ ...input, page }))).toBe("@@ -4,3 +4,3 @@\n 4\n-five\n+5\n 6\n");
  expect(pastEditDiff(edit, new PromptLines({ ...input, page: { start: 5, end: 6 } }))).toBe(
    "@@ -5,1 +5,1 @@\n-five\n+5\n",
  );
});

interface Change {
  readonly path: string;
  readonly start: number;
  readonly before: string;
  readonly after: string;
}

function shown({ path, start, before, after }: Change): string {
  const linesOf = (text: string) => (text === "" ? [] : text.split("/").map(redacted));
  const lines = { start, end: start + linesOf(after).length };
  const diff = pastEditDiff(
    { path, lines, before: linesOf(before), after: linesOf(after), atMs: 0 },
    new PromptLines(input),
  );
  return diff.trimEnd().replaceAll("\n", "|");
}

afterEach(() => vi.restoreAllMocks());

function inputWith(text: string, cursor: number) {
  const edit = {
    path: "a.ts",
    lines: { start: 0, end: 1 },
    before: ["const value = 1;"],
    after: ["const value1 = 1;"],
  };
  return tryBuildPromptInput({
    ...{ path: "a.ts", language: "typescript", text, cursor, viewed: [], diagnostics: [] },
    history: [{ ...edit, atMs: 0, ageMs: 0 } as never],
  })!;
}

test.each([chat, fillInTheMiddle, sweep, unified, zeta2])(
  "The format $name reads as many lines of a file of 200,000 lines as of one of 20,000",
  ({ ask }) => {
    const readLines = vi.spyOn(Lines.prototype, "end");
    const linesRead = (text: string) => {
      readLines.mockClear();
      expect(ask(inputWith(text, 12)).kind).not.toBe("refused");
      return readLines.mock.calls.length;
    };
    for (const fill of ["\n", "<<<<<\n", "}\r\n"]) {
      const [fewer, more] = [20_000, 200_000].map((count) => linesRead(`const value1 = 1;\n${fill.repeat(count)}`));
      expect(more).toBe(fewer);
    }
  },
);

test("lines behind the end of the file are left out, and the empty last line is not shown", () => {
  const shown = new PromptLines(inputWith("\uFEFFa\r\nb\n", 1));
  expect(shown.texts({ start: 0, end: 9 })).toEqual(["a", "b", ""]);
  expect(shown.texts({ start: 7, end: 9 })).toEqual([]);
  expect(shown.show({ start: 0, end: 3 })).toBe("a\nb\n");
  expect(shown.show({ start: 1, end: 3 })).toBe("b\n");
  expect(shown.around({ start: 1, end: 3 })).toBe("b\n");
  expect(shown.around({ start: 3, end: 3 })).toBe("");
});

test("a private key that begins above the excerpt is redacted in lines around an edit", () => {
  const row = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz1A2";
  const text = `${"-----BEGIN PRIVATE"} KEY-----\n${`${row}\n`.repeat(6)}const value1 = 1;\n`;
  const withKey = { ...inputWith(text, text.length - 5), page: { start: 4, end: 8 } };
  expect(new PromptLines(withKey).around({ start: 4, end: 7 })).toBe("…\n…\n…\n");
});
