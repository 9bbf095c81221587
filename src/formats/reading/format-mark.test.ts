import { expect, test } from "vitest";
import type { FormatName } from "../edit-format.ts";
import { formatNamed } from "../formats.ts";
import { readAnswer } from "./answer-reader.ts";
import { tryReadFormatMark } from "./format-mark.ts";

/** The same edit in the formats. Code in a fence has no mark of its own. */
const edits: Partial<Record<FormatName, string>> = {
  range: "@@ file src/a.ts\n@@ 1 a\nx\n@@ end\n",
  numbered: "src/a.ts\n```\n1:x\n```\n",
  "search-replace": "src/a.ts\n<<<<<<< SEARCH\na\n=======\nx\n>>>>>>> REPLACE\n",
  udiff: "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+x\n",
  v4a: "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+x\n*** End Patch\n",
  "str-replace": '{ "path": "src/a.ts", "old_string": "a", "new_string": "x" }\n',
  whole: "src/a.ts\n```\nx\n```\n",
  "line-commands": "open src/a.ts\nedit 1:1\nx\nend_of_edit\n",
};
const formats = Object.keys(edits) as FormatName[];
const marked = formats.filter((name) => name !== "numbered" && name !== "whole");

for (const own of formats) {
  for (const other of marked.filter((name) => name !== own)) {
    test(`an edit in ${other} behind one in ${own} is not dropped`, () => {
      // A blank row, a word and a fence end what would continue in the next row.
      const answer = `${edits[own]}\nThen:\n\n${edits[other]}`;
      const { refusals } = readAnswer(formatNamed(own).read({ paths: ["src/a.ts"] }), answer);
      expect(refusals.map(({ kind }) => kind)).toContain("unreadable-row");
    });
  }
}

for (const row of ["Then I edit 4 files.", "--- a", "{", "@@ end", "@@ none", "=======", '"use strict";']) {
  test(`a row has no mark of a format: ${row}`, () => expect(tryReadFormatMark(row, "")).toBeUndefined());
}
