import type { FileChangeTexts } from "../text/index.ts";
import type { EditFormat } from "./edit-format.ts";
import type { LineAnchor } from "./edit-operation.ts";
import { joinHunks, type LineHunk, lineHunks } from "./placing/line-hunks.ts";
import { escapeRow, printCommand } from "./range-command.ts";
import { RangeReader } from "./range-reader.ts";
import { AnswerAfterReasoning } from "./reading/answer-after-reasoning.ts";
import { checkedAnswer } from "./reading/checked-answer.ts";
import { takeDisplayPrefixes } from "./reading/display-prefix.ts";
import { fileLines } from "./reading/file-lines.ts";
import { lineOpening } from "./reading/line-opening.ts";
import { showFenced, showNumbered } from "./show-file.ts";

/**
 * Our own format: the numbers of the lines to replace and their opening words, then the new lines.
 *
 * A wrong number is detected because the words disagree. Of all formats that can detect one, it
 * takes the fewest tokens. It cannot express a change of the file's final line ending, nor the kind
 * of line ending of a new line in a file that mixes them.
 */
export const range: EditFormat = {
  name: "range",
  title: "line numbers and the opening words of the lines, then the new lines",
  instructions: `Answer with edits of numbered lines. Every line of a file is shown with its number and a tab in front; neither is part of the file.

Each edit begins with a row that starts with \`@@\`. Behind it stand the new lines, exactly as they are to be in the file: with their indentation, without numbers.

- \`@@ 12-14 function add | }\` replaces lines 12 to 14 by the rows behind it. After the numbers come the opening words of line 12 and, after \` | \`, those of line 14, as they are in the file.
- \`@@ 12 return a\` replaces line 12 alone.
- \`@@ 12+ return a\` inserts the rows behind line 12. \`@@ 0+\` inserts them at the top of the file.
- \`@@ delete 12-14 function add | }\` deletes lines. No rows follow.
- \`@@ file src/a.ts\` says which file the edits behind it are about. It is needed if several files are shown.
- \`@@ create src/new.ts\`, followed by all its lines, makes a new file. \`@@ remove src/old.ts\` deletes one. \`@@ move src/old.ts src/new.ts\` renames one.
- \`@@ none\` says that nothing needs to be changed.
- \`@@ end\` is always the last row of the answer.

Rules:

- The numbers are those shown, in all edits, whatever edits stand before.
- A few words are enough for an opening: those that tell the line from the ones around it. For a blank line, write nothing.
- Replace as few lines as possible. Do not repeat lines that stay as they are, neither above nor below.
- Brackets stay balanced: where a replaced line closes a bracket, so do the new lines, unless they replace the opening one too.
- Every row behind \`@@\` is code, blank rows too. A row of code that begins with \`@@\` or with a code fence gets one backslash in front.
- No fences, no explanations.

For example, a file is shown as

# src/math.ts

\`\`\`ts
1	import { log } from "./log";
2	
3	export function half(value: number) {
4	  log(value);
5	  return value;
6	}
\`\`\`

and this answer gives \`half\` another parameter, makes it divide, and adds a function:

@@ 3 export function half
export function half(value: number, digits = 2) {
@@ 5 return value
  const result = value / 2;
  return Number(result.toFixed(digits));
@@ 6+ }

export function double(value: number) {
  return value * 2;
}
@@ end
`,
  showFile: ({ path, text }) => showFenced(path, showNumbered(text, "\t")),
  read: (options) => new AnswerAfterReasoning(() => new RangeReader(options)),
  encode: (changes) => {
    const rows = changes.flatMap((change) => encodeChange(change, changes.length > 1));
    return checkedAnswer(range, changes, [...(rows.length === 0 ? ["@@ none"] : rows), "@@ end", ""].join("\n"));
  },
};

function encodeChange(change: FileChangeTexts, isNamed: boolean): readonly string[] {
  const { before, after, path, pathBefore = path } = change;
  if (before === undefined) {
    return after === undefined ? [] : [printCommand({ kind: "create", path }), ...fileLines(after).map(escapeRow)];
  }
  if (after === undefined) return [printCommand({ kind: "remove", path: pathBefore })];
  const rows: string[] = [];
  if (pathBefore !== path) rows.push(printCommand({ kind: "move", path: pathBefore, to: path }));
  const lines = fileLines(before);
  const hunks = joinHunks(lineHunks(lines, fileLines(after)), lines, (hunk) => headOf(hunk, lines).length);
  if (hunks.length > 0 && isNamed) rows.push(printCommand({ kind: "file", path }));
  for (const hunk of hunks) {
    rows.push(headOf(hunk, lines));
    // Code that would be read as numbered gets line numbers, which the reader removes.
    const isNumbered = takeDisplayPrefixes(hunk.lines, hunk.start, anchorsOf(hunk, lines)[0]?.opening) !== undefined;
    const written = isNumbered ? hunk.lines.map((line, i) => `${hunk.start + 1 + i}\t${line}`) : hunk.lines;
    rows.push(...written.map(escapeRow));
  }
  return rows;
}

function headOf(hunk: LineHunk, lines: readonly string[]): string {
  const { start, end } = hunk;
  return printCommand({
    kind: hunk.lines.length === 0 ? "delete" : "replace",
    start,
    end,
    witnesses: anchorsOf(hunk, lines),
  });
}

function anchorsOf({ start, end }: LineHunk, lines: readonly string[]): readonly LineAnchor[] {
  const named = start === end ? [start - 1] : end - start === 1 ? [start] : [start, end - 1];
  return named.filter((line) => line >= 0).map((line) => ({ line, opening: lineOpening(lines, line) }));
}
