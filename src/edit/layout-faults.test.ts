import { expect, test } from "vitest";
import { languageById } from "../syntax/index.ts";
import { layoutFaults } from "./layout-faults.ts";

/** A text, `/` between its lines and `.` for each blank at their beginning, and which of its lines are misplaced. */
const cases: readonly (readonly [text: string, ...faults: number[]])[] = [
  [""],
  ["a/b"],
  ["if a:/..b/c"],
  ["if a:/..if b:/....c/..d/e"],
  ["if a:/....b/else:/..c"],
  ["class A: pass/b"],
  // What may stand anywhere.
  ["if a:/..b//....# c/# d/..e"],
  ["a(/......b,/..c,/)/d"],
  ["a = '''/..b:/'''/c"],
  ["a = {b:/..c}/d"],
  ["a = b + \\/....c/d"],
  ["if a:  # b/..c"],
  ["a  # b:/c"],
  ["a[b:/..c]"],
  ["if a:/\t b/\t c"],
  // What may not.
  ["..a", 0],
  ["a/..b", 1],
  ["a/..b/..c", 1],
  ["if a:/b", 1],
  ["if a:", 1],
  ["if a:/....b/..c", 2],
  ["a = '''/b/'''/c(/d)/..e", 5],
  ["def f():/def g():/..a", 1],
  ["if a:/..b/....c/d", 2],
];

for (const [notation, ...faults] of cases) {
  test(JSON.stringify(notation), () => {
    const text = notation
      .split("/")
      .map((line) => line.replace(/^\.+/, (dots) => " ".repeat(dots.length)))
      .join("\n");
    expect(layoutFaults(text, languageById("python")!)).toEqual(faults);
    expect(layoutFaults(text.replaceAll("\n", "\r\n"), languageById("python")!)).toEqual(faults);
    expect(layoutFaults(text, languageById("typescript")!)).toEqual([]);
  });
}
