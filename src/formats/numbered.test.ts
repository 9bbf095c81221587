import type { FileChangeTexts } from "../text/index.ts";
import { testFormat } from "./format.laws.ts";
import { numbered } from "./numbered.ts";
import { lineHunks } from "./placing/line-hunks.ts";
import { fileLines } from "./placing/line-table.ts";

testFormat(numbered, {
  marks: [
    "3:",
    "3=",
    "_:a",
    "+:b",
    "No changes.",
    "2-3:x",
    "0x3:y",
    "1e0:z",
    " 2: a",
    "02:b",
    "# docs/b c.md",
    "```ts src/a.ts",
  ],
  cannotExpress: ({ path, pathBefore = path, before, after }) =>
    before === undefined || after === undefined || path !== pathBefore || isIndentedByBlank({ path, before, after }),
});

/** Whether all new lines begin with a blank, which may be taken for a gap. */
function isIndentedByBlank({ before = "", after = "" }: FileChangeTexts): boolean {
  const fresh = lineHunks(fileLines(before), fileLines(after)).flatMap(({ lines }) => lines);
  return fresh.some((line) => line !== "") && fresh.every((line) => line === "" || line.startsWith(" "));
}
