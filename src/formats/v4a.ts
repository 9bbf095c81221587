import type { FileChangeTexts } from "../text/index.ts";
import type { EditFormat } from "./edit-format.ts";
import { hunkRows } from "./placing/hunk-rows.ts";
import { uniqueBlocks } from "./placing/unique-blocks.ts";
import { AnswerAfterReasoning } from "./reading/answer-after-reasoning.ts";
import { checkedAnswer } from "./reading/checked-answer.ts";
import { fileLines } from "./reading/file-lines.ts";
import { noChangeRow } from "./reading/no-change-row.ts";
import { showFenced } from "./show-file.ts";
import { V4aReader } from "./v4a-reader.ts";

/**
 * The patch format of `apply_patch`, which OpenAI's models are trained on.
 *
 * It cannot express that a file ends without a line ending.
 * Source: the grammar and the scenarios of `apply-patch` in openai/codex.
 */
export const v4a: EditFormat = {
  name: "v4a",
  title: "a patch as apply_patch takes it, without line numbers",
  instructions: `Answer with one patch in the format of \`apply_patch\`:

*** Begin Patch
*** Update File: src/math.ts
@@ export class Halver
   half(value: number) {
-    return value;
+    return value / 2;
   }
*** Add File: src/double.ts
+export const double = (value: number) => value * 2;
*** Delete File: src/old.ts
*** End Patch

Rules:

- Each row of an update begins with a blank for a line that stays, \`-\` for one that goes, or \`+\` for one that comes. The line itself follows at once, with its indentation.
- Give three lines that stay above and below each change. Copy them from the file, character for character.
- \`@@\` begins the next place. If the lines would be found in several places, write the line that begins the class or function behind it, as in \`@@ class Halver\`; a second row \`@@     half() {\` narrows it down.
- \`*** Move to: src/new.ts\` right below \`*** Update File:\` moves the file. \`*** End of File\` says that the place is at the end of the file.
- Each row of a new file begins with \`+\`.
- No line numbers, no fences, no explanations. \`*** End Patch\` is always the last row.
- If nothing needs to be changed, answer \`${noChangeRow}\`
`,
  showFile: ({ path, text }) => showFenced(path, text),
  read: (options) => new AnswerAfterReasoning(() => new V4aReader(options)),
  encode: (changes) => {
    const rows = changes.flatMap(encodeChange);
    const patch = ["*** Begin Patch", ...rows, "*** End Patch", ""].join("\n");
    return checkedAnswer(v4a, changes, rows.length === 0 ? `${noChangeRow}\n` : patch);
  },
};

function encodeChange({ before, after, path, pathBefore = path }: FileChangeTexts): readonly string[] {
  if (before === undefined) {
    return after === undefined ? [] : [`*** Add File: ${path}`, ...fileLines(after).map((line) => `+${line}`)];
  }
  if (after === undefined) return [`*** Delete File: ${pathBefore}`];
  const blocks = uniqueBlocks(fileLines(before), fileLines(after), { contextLines: 3 });
  const move = path === pathBefore ? [] : [`*** Move to: ${path}`];
  if (blocks.length + move.length === 0) return [];
  const hunks = blocks.flatMap(({ search, replace }) => [
    "@@",
    ...hunkRows(search, replace).map(({ mark, text }) => mark + text),
  ]);
  return [`*** Update File: ${pathBefore}`, ...move, ...hunks];
}
