import { describe, expect, test } from "vitest";
import { applyWorkspaceEdit } from "../text/index.ts";
import type { Ask } from "./ask.ts";
import { placeAsks } from "./place-asks.ts";

// A file is written with `|` for `\n`. Asks are short: see `read`.

const cases: readonly (readonly [before: string, asks: string, after: string])[] = [
  ["a|b|c|", "1-2=X", "a|X|c|"],
  ["a|b|c|", "1-2=X,Y; 0-1=", "X|Y|c|"],
  ["a|b|c|", "3-3=d", "a|b|c|d|"],
  ["a|b|c", "3-3=d", "a|b|c|d"],
  ["a|b|c", "2-3=", "a|b"],
  ["a|b|c|", "b>X,Y", "a|X|Y|c|"],
  ["a|b|c|", "b>B; B,c>x", "a|x|"],
  ["a|b|c|", "1-1=n; a,n>x", "x|b|c|"],
  ["", "0-0=a", "a|"],
];

describe("placeAsks", () => {
  for (const [before, asks, after] of cases) {
    test(`${before} with ${asks} is ${after}`, () => {
      const files = new Map([["a.ts", before.replaceAll("|", "\n")]]);
      const { edit, refusals } = placeAsks(asks.split("; ").map(read), files);
      expect(refusals).toEqual([]);
      const outcome = applyWorkspaceEdit(files, edit);
      expect(outcome).toEqual({ kind: "applied", files: new Map([["a.ts", after.replaceAll("|", "\n")]]) });
    });
  }
});

function read(text: string): Ask {
  const origin = { row: 0, path: undefined };
  const lines = /^(\d+)-(\d+)=(.*)$/.exec(text);
  if (lines !== null) {
    const [, start, end, put] = lines;
    return { ...origin, kind: "lines", start: Number(start), end: Number(end), lines: listOf(put!), witnesses: [] };
  }
  const [search, replace] = text.split(">");
  return { ...origin, kind: "block", search: listOf(search!), replace: listOf(replace!) };
}

function listOf(text: string): readonly string[] {
  return text === "" ? [] : text.split(",");
}
