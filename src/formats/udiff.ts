import { byteOrderMark, type FileChangeTexts, printFilePatch, tryDiffFile } from "../text/index.ts";
import type { EditFormat } from "./edit-format.ts";
import { AnswerAfterReasoning } from "./reading/answer-after-reasoning.ts";
import { checkedAnswer } from "./reading/checked-answer.ts";
import { noChangeRow } from "./reading/no-change-row.ts";
import { showFenced } from "./show-file.ts";
import { UdiffReader } from "./udiff-reader.ts";

/**
 * Unified diffs, with or without line numbers.
 *
 * Sources: GNU diffutils, "Unified Format"; git, "Generating patch text with -p"; the edit format
 * `udiff` of aider.
 */
export const udiff: EditFormat = {
  name: "udiff",
  title: "a unified diff; line numbers may be left out",
  instructions: `Answer with a unified diff, as \`diff -U3\` makes it:

--- a/src/math.ts
+++ b/src/math.ts
@@ @@
 export function half(value: number) {
-  return value;
+  return value / 2;
 }

Rules:

- Each row below \`@@ @@\` begins with a blank for a line that stays, \`-\` for one that goes, or \`+\` for one that comes. The line itself follows at once, with its indentation.
- Line numbers are not needed. The lines that stay and go say where the place is: copy them from the file, character for character, and give three that stay above and below each change.
- They must be in the file only once. Add more lines that stay until they are.
- Each place has its own \`@@ @@\`. Leave no lines out within one.
- Rather take a whole function out and put the new one in than change parts of many lines.
- A new file has \`--- /dev/null\`, one that goes has \`+++ /dev/null\`. A file moves with the rows \`diff --git a/old b/new\`, \`rename from old\`, \`rename to new\`.
- No fences, no explanations.
- If nothing needs to be changed, answer \`${noChangeRow}\`
`,
  showFile: ({ path, text }) => showFenced(path, text),
  read: (options) => new AnswerAfterReasoning(() => new UdiffReader(options)),
  encode: (changes) => {
    const diff = changes.map(encodeChange).join("");
    return checkedAnswer(udiff, changes, diff === "" ? `${noChangeRow}\n` : diff);
  },
};

function encodeChange(change: FileChangeTexts): string {
  const { before, after } = change;
  const patch = tryDiffFile({ ...change, before: plain(before), after: plain(after), contextLines: 3 });
  if (patch === undefined) return "";
  const text = printFilePatch(patch);
  // The rows `---` and `+++` are sufficient where there are hunks.
  return patch.hunks.length > 0 && patch.kind !== "rename" ? text.slice(text.indexOf("--- ")) : text;
}

/**
 * A text as the rows of a diff contain it: line endings and byte order mark are left to the file.
 */
function plain(text: string | undefined): string | undefined {
  return text?.replace(byteOrderMark, "").replaceAll(/\r\n?/g, "\n");
}
