import { EmendError } from "../text/index.ts";
import type { EditFormat } from "./edit-format.ts";
import { AnswerAfterReasoning } from "./reading/answer-after-reasoning.ts";
import { checkedAnswer } from "./reading/checked-answer.ts";
import { fileLines } from "./reading/file-lines.ts";
import { noChangeRow } from "./reading/no-change-row.ts";
import { printPathRow, tryReadPathRow } from "./reading/path-row.ts";
import { fenceFor, showFenced } from "./show-file.ts";
import { WholeReader } from "./whole-reader.ts";

/**
 * The complete new text of each file that changes, in a fence below its path.
 *
 * Every model can write it; it costs the length of the file. It cannot move or remove files, nor
 * express a change of the file's final line ending or the kind of line ending of a new line in a
 * file that mixes them.
 */
export const whole: EditFormat = {
  name: "whole",
  title: "the whole new text of each file",
  instructions: `Answer with the whole new text of each file that changes or is new, from its first line to its last.

Write the path of the file in a row of its own, and below it the text in a fenced block:

# src/math.ts

\`\`\`ts
export function half(value: number) {
  return value / 2;
}
\`\`\`

Rules:

- Every line of the file stands in the answer, also those that stay as they are. Never leave code out, and never write a remark such as "rest of the code" in its place.
- Files that do not change are not repeated.
- Where the text has a fence itself, the fence around it is longer, such as four backticks.
- If nothing needs to be changed, answer with the row \`${noChangeRow}\` alone.
- No explanations.
`,
  showFile: ({ path, text }) => showFenced(path, linesAsText(fileLines(text))),
  read: (options) => new AnswerAfterReasoning(() => new WholeReader(options)),
  encode: (changes) => {
    const blocks = changes.flatMap(({ before, after, path, pathBefore = path }) => {
      if (after === undefined || (before !== undefined && pathBefore !== path)) {
        throw new EmendError("not-encodable", `The format whole cannot move or remove a file such as ${path}`);
      }
      return before === after ? [] : [encodeFile(path, after, changes.length > 1 || before === undefined)];
    });
    return checkedAnswer(whole, changes, blocks.length === 0 ? `${noChangeRow}\n` : blocks.join("\n"));
  },
};

function encodeFile(path: string, text: string, isNamed: boolean): string {
  const content = linesAsText(fileLines(text));
  const fence = fenceFor(content);
  const heading = tryReadPathRow(`# ${path}`, []) === path ? `# ${path}` : printPathRow(path);
  return `${isNamed ? `${heading}\n\n` : ""}${fence}\n${content}${fence}\n`;
}

function linesAsText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
