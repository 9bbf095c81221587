import { expect, test } from "vitest";
import { readEdit } from "../../text/edit.laws.ts";
import { minimalEdit } from "../../text/index.ts";
import { type Agreement, agreementOf } from "./agreement.ts";
import type { RecordedEvent } from "./recording.ts";

/** A suggestion as `[old|new]`, and the later texts, the first of which is the text without it. */
function check(marked: string, later: readonly string[], path = "a.ts"): Agreement {
  const { text, edit } = readEdit(marked);
  return agreementOf({ path: "a.ts", text, edit, place: { start: 0, end: 0 } }, eventsOf(text, later, path));
}

function eventsOf(text: string, later: readonly string[], path: string): readonly RecordedEvent[] {
  let before = text;
  return later.map((after, index) => {
    const edit = minimalEdit(before, after, { unit: "character" });
    before = after;
    return { atMs: index, kind: "changed", path, version: index + 1, edit };
  });
}

test.each<[name: string, marked: string, later: readonly string[], agreement: Agreement]>([
  ["at once", "a\n[old|new]()\nb\n", ["a\nnew()\nb\n"], "exact"],
  ["letter by letter", "f([|x])\n", ["f(y)\n", "f()\n", "f(x)\n"], "exact"],
  ["after another edit", "a\n[old|new]\n", ["A\nold\n", "A\nnew\n"], "exact"],
  ["with a line in front meanwhile", "a\n[old|new]\n", ["a\n\nold\n", "a\n\nnew\n"], "exact"],
  ["with a line behind it", "[old|new]\nb\n", ["old\nx\nb\n", "new\nx\nb\n"], "exact"],
  ["a new line", "a\n[|x\n]b\n", ["a\nx\nb\n"], "exact"],
  ["a new line at the end of the line above", "a[|\nx]\nb\n", ["a\nx\nb\n"], "exact"],
  ["a line taken away", "a\n[x\n|]b\n", ["a\nb\n"], "exact"],
  ["at the end of a text", "a\n[|b]", ["a\nb"], "exact"],
  ["and edited on", "[old|new]\n", ["new\n", "newer\n"], "exact"],
  ["in two places of a line", "[a|b](1, [a|b])\n", ["b(1, a)\n", "b(1, b)\n"], "exact"],
  ["half of it", "[a|b](1, [a|b])\n", ["b(1, a)\n"], "place"],
  ["something else there", "a\n[old|new]\n", ["a\nother\n"], "place"],
  ["somewhere else", "a\nx\n[old|new]\n", ["b\nx\nold\n"], "elsewhere"],
  ["nothing more", "[old|new]\n", [], "unknown"],
])("the agreement of a suggestion with later texts: %s: %j, then %j: %s", (_, marked, later, agreement) => {
  expect(check(marked, later)).toBe(agreement);
});

test("edits of other files are elsewhere", () => {
  expect(check("[old|new]\n", ["new\n"], "b.ts")).toBe("elsewhere");
});

test("a file is followed to its new path, but not past a checkout", () => {
  const { text, edit } = readEdit("[old|new]\n");
  const suggestion = { path: "a.ts", text, edit, place: { start: 0, end: 3 } };
  const renamed: RecordedEvent = { atMs: 0, kind: "renamed", path: "a.ts", newPath: "b.ts" };
  expect(agreementOf(suggestion, [renamed, ...eventsOf(text, ["new\n"], "b.ts")])).toBe("exact");
  expect(agreementOf(suggestion, [{ atMs: 0, kind: "replaced" }, ...eventsOf(text, ["new\n"], "a.ts")])).toBe(
    "unknown",
  );
});

test("a suggestion without an edit agrees at most in its place", () => {
  const place = { start: 0, end: 3 };
  expect(agreementOf({ path: "a.ts", text: "old\n", place }, eventsOf("old\n", ["new\n"], "a.ts"))).toBe("place");
  expect(agreementOf({ path: "a.ts", text: "old\nb\n", place }, eventsOf("old\nb\n", ["old\nc\n"], "a.ts"))).toBe(
    "elsewhere",
  );
});
