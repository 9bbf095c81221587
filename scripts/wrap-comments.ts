/**
 * Wraps the comments of all source files at 100 columns: `tsx scripts/wrap-comments.ts`.
 *
 * With `--check`, a part of `npm run lint`, nothing is written: files with longer lines are listed,
 * and the exit code is 1.
 */

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { maxColumns, wrapComments } from "./comment-columns.ts";

const isCheck = process.argv.includes("--check");
const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts", "*.tsx", "*.mjs"], {
  encoding: "utf8",
});
let count = 0;
for (const path of listed.split("\n").filter((one) => one !== "" && !one.includes("/fixtures/prompts/"))) {
  const before = readFileSync(path, "utf8");
  const { text, longLines } = wrapComments(path, before);
  if (text === before) continue;
  count += longLines.length;
  if (isCheck)
    for (const line of longLines) console.error(`${path}:${line}: a comment goes beyond column ${maxColumns}`);
  else writeFileSync(path, text);
}
if (isCheck && count > 0) {
  console.error(`${count} comments are too wide; run \`npm run wrap:comments\`.`);
  process.exit(1);
}
console.log(isCheck ? `No comment goes beyond column ${maxColumns}.` : `${count} comments were wrapped.`);
