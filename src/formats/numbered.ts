import { EmendError, type FileChangeTexts } from "../text/index.ts";
import type { EditFormat } from "./edit-format.ts";
import { NumberedReader } from "./numbered-reader.ts";
import { type LineHunk, lineHunks } from "./placing/line-hunks.ts";
import { AnswerAfterReasoning } from "./reading/answer-after-reasoning.ts";
import { checkedAnswer } from "./reading/checked-answer.ts";
import { fileLines } from "./reading/file-lines.ts";
import { noChangeRow } from "./reading/no-change-row.ts";
import { showFenced, showNumbered } from "./show-file.ts";

/**
 * Changed lines with their numbers: `3: return a;`, the number repeated for each new line that
 * replaces old line 3.
 *
 * It cannot create, move or remove files, nor express a change of the file's final line ending or
 * the kind of line ending of a new line in a file that mixes them. New lines that are all indented
 * by one blank more than before are read as code with a gap after the numbers.
 *
 * Source: "LLM にコードを書き換えさせる差分フォーマットを考える", made unambiguous.
 */
export const numbered: EditFormat = {
  name: "numbered",
  title: "changed lines, each with the number of the line that it replaces",
  instructions: `Answer with changed lines only. Every line of a file is shown with its number and a colon in front; neither is part of the file.

Write the new lines in a fenced block, each as the number of the line that it replaces, a colon, and right behind it, without a blank, the code with its indentation:

- \`3:  return a + b;\` replaces line 3.
- The same number several times replaces one line by several. They follow each other.
- \`3:\` with nothing behind it deletes line 3. Among other rows of line 3 it is an empty line.
- \`3=\` makes line 3 an empty line.
- \`_:import { x } from "./x";\` adds a line at the top of the file, \`+:export { x };\` one at its end.
- To insert between lines, write one of the two again, with the new lines beside it under its number.
- If nothing needs to be changed, answer with the row \`${noChangeRow}\` alone.

Rules:

- Only numbers that were shown, and those as shown, whatever is inserted or deleted.
- One number a row, no ranges. No row without a number. No line that stays as it is, unless lines are inserted beside it.
- A new line stands under the number of the line that it corresponds to. Where a replaced line holds a closing bracket, one of the new lines has to hold it too.
- If several files are shown, each block stands below a heading with its path, such as \`# src/a.ts\`.
- No explanations.

For example, a file is shown as

# src/math.ts

\`\`\`ts
1:import { log } from "./log";
2:
3:export function half(value: number) {
4:  log(value);
5:  return value;
6:}
\`\`\`

and this answer removes the log, makes \`half\` divide, and adds a function:

\`\`\`ts
1:
2:
4:  // Exact for all numbers.
5:  return value / 2;
+:
+:export function double(value: number) {
+:  return value * 2;
+:}
\`\`\`
`,
  showFile: ({ path, text }) => showFenced(path, showNumbered(text, ":")),
  read: (options) => new AnswerAfterReasoning(() => new NumberedReader(options)),
  encode: (changes) => {
    const blocks = changes.map((change) => encodeChange(change, changes.length > 1)).filter((block) => block !== "");
    return checkedAnswer(numbered, changes, blocks.length === 0 ? `${noChangeRow}\n` : blocks.join("\n"));
  },
};

function encodeChange({ before, after, path, pathBefore = path }: FileChangeTexts, isNamed: boolean): string {
  if (before === undefined || after === undefined || pathBefore !== path) {
    throw new EmendError("not-encodable", `The format numbered cannot make, remove or move a file such as ${path}`);
  }
  const lines = fileLines(before);
  const rows = lineHunks(lines, fileLines(after)).flatMap((hunk) => encodeHunk(hunk, lines));
  if (rows.length === 0) return "";
  return `${isNamed ? `# ${path}\n\n` : ""}\`\`\`\n${rows.join("\n")}\n\`\`\`\n`;
}

function encodeHunk({ start, end, lines }: LineHunk, before: readonly string[]): readonly string[] {
  if (start === end) {
    if (start === 0) return lines.map((line) => `_:${line}`);
    if (start === before.length) return lines.map((line) => `+:${line}`);
    return [before[start - 1]!, ...lines].map((line) => `${start}:${line}`);
  }
  const rows: string[] = [];
  for (let old = start; old < end; old++) {
    const isLast = old === end - 1;
    const fresh = lines.slice(old - start, isLast ? undefined : old - start + 1);
    if (fresh.length === 0) rows.push(`${old + 1}:`);
    else if (fresh.length === 1 && fresh[0] === "") rows.push(`${old + 1}=`);
    else rows.push(...fresh.map((line) => `${old + 1}:${line}`));
  }
  return rows;
}
