import { expect, test } from "vitest";
import { readEdit } from "../../text/edit.laws.ts";
import { lineWidthOf, outgrowsLine } from "./line-width.ts";

const lines = (length: number, count: number) => `${"x".repeat(length)}\n`.repeat(count);

const texts: readonly (readonly [name: string, text: string, width: number])[] = [
  ["short lines", lines(40, 100), 80],
  ["wider lines", lines(40, 100) + lines(95, 10), 100],
  ["one long line among many", lines(40, 100) + lines(300, 1), 80],
  ["lines of any length", lines(300, 10), Number.POSITIVE_INFINITY],
];
for (const [name, text, width] of texts) test(name, () => expect(lineWidthOf(text)).toBe(width));

const edits: readonly (readonly [name: string, marked: string, outgrows: boolean])[] = [
  ["a line that stays short", `${lines(40, 60)}${"x".repeat(70)}[a|bcdef]`, false],
  ["a line that gets too long", `${lines(40, 60)}${"x".repeat(78)}[a|bcdef]`, true],
  ["a line that was too long before", `${lines(40, 60)}${"x".repeat(90)}[a|bcdef]`, false],
  ["two edits of one line", `${lines(40, 60)}[a|bcd]${"x".repeat(76)}[a|bcd]`, true],
  ["two edits of two lines", `${lines(40, 60)}[a|bcd]${"x".repeat(76)}\n[a|bcd]${"x".repeat(76)}`, false],
];
for (const [name, marked, outgrows] of edits) {
  test(name, () => {
    const { text, edit } = readEdit(marked);
    expect(outgrowsLine(text, edit)).toBe(outgrows);
  });
}
