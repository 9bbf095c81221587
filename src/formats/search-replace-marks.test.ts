import fc from "fast-check";
import { expect, test } from "vitest";
import { law } from "../text/edit.laws.ts";
import {
  escapeSearchReplaceRow,
  isDivider,
  tryReadSearchReplaceMark,
  unescapeSearchReplaceRow,
} from "./search-replace-marks.ts";

const marks: readonly (readonly [row: string, mark: object])[] = [
  ["<<<<<<< SEARCH", { kind: "open", length: 7, hasWord: true, isPlain: true, rest: "" }],
  ["  >>>>>>> REPLACE ", { kind: "close", indent: "  ", isPlain: true, rest: "" }],
  ["------- SEARCH", { kind: "open", isPlain: true }],
  ["+++++++ REPLACE", { kind: "close", isPlain: true }],
  ["<<<<<<< SEARCH>", { kind: "open", isPlain: false }],
  ["<<<<<<<", { kind: "open", hasWord: false, isPlain: false }],
  ["<<<<<<< SEARCH src/a.ts", { kind: "open", rest: "src/a.ts" }],
];

const otherRows = [
  "<<<<<<< HEAD",
  ">>>>>>> main",
  "-------",
  "+++++++",
  "\\<<<<<<< SEARCH",
  "x <<<<<<< SEARCH",
  "<<<<<<< SEARCHED",
];

for (const [row, mark] of marks) {
  test(`a row is a mark of search-replace: ${row}`, () => expect(tryReadSearchReplaceMark(row)).toMatchObject(mark));
}

for (const row of otherRows) {
  test(`a row is no mark of search-replace: ${row}`, () => expect(tryReadSearchReplaceMark(row)).toBeUndefined());
}

const piece = fc.constantFrom(
  "\\",
  " ",
  "<<<<<<<",
  ">>>>>>>",
  "=======",
  "-------",
  "+++++++",
  "SEARCH",
  "REPLACE",
  ":start_line:",
  "x",
);

law("an escaped row is no mark, and unescaping restores it", [fc.array(piece, { maxLength: 5 })], (pieces) => {
  const row = pieces.join("");
  const escaped = escapeSearchReplaceRow(row);
  expect(unescapeSearchReplaceRow(escaped)).toBe(row);
  expect(tryReadSearchReplaceMark(escaped)).toBeUndefined();
  expect(isDivider(escaped)).toBe(false);
});
