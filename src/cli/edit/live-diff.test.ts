import { expect, test } from "vitest";
import { Edit, workspaceEdit } from "../../text/index.ts";
import { liveDiff } from "./edit-by-model.ts";

const before = Array.from({ length: 60 }, (_, i) => `line ${i + 1}\n`).join("");
const at = (line: number) => before.indexOf(`line ${line}\n`);
const edit = workspaceEdit([
  {
    kind: "edit",
    uri: "a.ts",
    edit: Edit.of([
      { start: at(10), end: at(11), text: "new 10\nnew 10b\n" },
      { start: at(40), end: at(41), text: "new 40\n" },
    ]),
  },
  { kind: "create", uri: "b.ts", text: "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n" },
]);

const files = new Map([["a.ts", before]]);

test.each<[place: string, path: string, line: number, shown: string]>([
  ["at its beginning", "a.ts", 0, "diff --git a/a.ts b/a.ts|--- a/a.ts|+++ b/a.ts|@@ -7,7 +7,8 @@| line 7| line 8"],
  ["in the first hunk", "a.ts", 10, " line 8| line 9|-line 10|+new 10|+new 10b| line 11"],
  ["in the last hunk", "a.ts", 40, " line 37| line 38| line 39|-line 40|+new 40| line 41"],
  ["in a new file", "b.ts", 0, "+four|+five|+six|+seven|+eight|+nine"],
  ["in a file without a change", "c.ts", 0, "+four|+five|+six|+seven|+eight|+nine"],
])("a diff with too many rows is cut to those around the current place of the answer: %s", (_, path, line, shown) => {
  const rows = liveDiff(files, { edit, at: { path, line } }, { height: 6, colour: false });
  expect(rows.join("|")).toBe(shown);
});

test("a diff that fits the terminal is shown whole", () => {
  const rows = liveDiff(files, { edit }, { height: 60, colour: false });
  expect([rows[0], rows.at(-1)]).toEqual(["diff --git a/a.ts b/a.ts", "+nine"]);
});
