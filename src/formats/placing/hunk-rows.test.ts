import fc from "fast-check";
import { expect, test } from "vitest";
import { law } from "../../text/edit.laws.ts";
import { hunkRows, newLines, oldLines, readHunkRow } from "./hunk-rows.ts";

test("hunk rows are read with and without marks", () => {
  expect(readHunkRow("+ a")).toEqual({ mark: "+", text: " a", isMarked: true });
  expect(readHunkRow("--a")).toEqual({ mark: "-", text: "-a", isMarked: true });
  expect(readHunkRow("  a")).toEqual({ mark: " ", text: " a", isMarked: true });
  expect(readHunkRow("")).toEqual({ mark: " ", text: "", isMarked: true });
  expect(readHunkRow("}")).toEqual({ mark: " ", text: "}", isMarked: false });
  expect(readHunkRow("\ta")).toEqual({ mark: " ", text: "\ta", isMarked: false });
});

const lines = fc.array(fc.constantFrom("a", "b", "", " c", "+d"), { maxLength: 8 });

law("hunk rows have the old and the new lines, as written and read", [lines, lines], (search, replace) => {
  const rows = hunkRows(search, replace).map(({ mark, text }) => readHunkRow(mark + text));
  expect(oldLines(rows)).toEqual(search);
  expect(newLines(rows)).toEqual(replace);
});
