import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Edit } from "../../text/index.ts";
import { tryBehindCursor } from "./try-behind-cursor.ts";

/** An edit of a text with the cursor at `|`: `‹was›«is»`. */
function read(marked: string): { readonly text: string; readonly cursor: number; readonly edit: Edit } {
  const [, head = "", was = "", is = "", tail = ""] = /^(.*?)‹(.*?)›«(.*?)»(.*)$/s.exec(marked)!;
  const before = (head + was + tail).replace("|", "");
  const cursor = (head + was + tail).indexOf("|");
  const start = head.replace("|", "").length;
  const edit = Edit.replace({ start, end: start + was.replace("|", "").length }, is);
  return { text: before, cursor, edit };
}

function print(text: string, edit: Edit | undefined): string {
  if (edit === undefined) return "-";
  let shown = "";
  let at = 0;
  for (const { start, end, text: inserted } of edit.edits) {
    shown += `${text.slice(at, start)}«${inserted}»`;
    at = end;
  }
  return `${shown}${text.slice(at)}`.replaceAll("\n", "⏎").replaceAll("\r", "␍");
}

test.each<[what: string, marked: string, ghost: string]>([
  ["at the cursor", "a(|‹›«x»)", "a(«x»)"],
  ["what stays is left out", "|‹a(1)›«a(1, 2)»;", "a(1«, 2»);"],
  ["behind the cursor on its line", "|a(1‹›«, 2»)", "a(1«, 2»)"],
  ["lines in front of the next line", "one|\n‹›«two\n»three", "one«⏎two»⏎three"],
  ["also with carriage returns", "one|\r\n‹›«two\r\n»three", "one«␍⏎two»␍⏎three"],
  ["what might as well begin at the cursor", "aa|a‹›«ab»c", "aaa«ab»c"],
  ["what reaches back over what is typed", "‹›«ab»ab|", "ab«ab»"],
  ["nothing in front of the cursor", "‹›«x»a|b", "-"],
  ["nothing on another line", "a|\nb‹›«x»\n", "-"],
  ["no lines in the middle of one", "a|\nb\n‹›«x\n»c", "-"],
  ["nothing that takes away", "|‹ab›«a»c", "-"],
])("%s: %j", (_, marked, ghost) => {
  const { text, cursor, edit } = read(marked);
  expect(print(text, tryBehindCursor(text, cursor, edit))).toBe(ghost);
});

test("has the same effect as the edit", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 8 });
  fc.assert(
    fc.property(letters, letters, fc.nat(), fc.nat(), (text, inserted, at, behind) => {
      const edit = Edit.insert(at % (text.length + 1), inserted);
      const ghost = tryBehindCursor(text, behind % (text.length + 1), edit);
      if (ghost !== undefined) expect(ghost.apply(text)).toBe(edit.apply(text));
    }),
  );
});
