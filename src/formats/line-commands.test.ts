import { testFormat } from "./format.laws.ts";
import { lineCommands } from "./line-commands.ts";

const marks = ["edit 1:1", "edit 2", "insert 1", "end_of_edit", "end_of_insert", "open src/a.ts", "create b.ts"];

testFormat(lineCommands, {
  marks: [...marks, "edit 1:2 << EOF", "EOF", "edit 4 files", "No changes."],
  cannotExpress: ({ before, after, path, pathBefore = path }) =>
    (before !== undefined && after === undefined) ||
    path !== pathBefore ||
    /^\ufeff?(?:edit \d|insert \d|end_of_(?:edit|insert)\s*$)/m.test(after ?? ""),
});
