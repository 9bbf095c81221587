import { byteOrderMark, EmendError, type FileChangeTexts, splitPatchLines } from "../text/index.ts";
import type { EditFormat } from "./edit-format.ts";
import { uniqueBlocks } from "./placing/unique-blocks.ts";
import { AnswerAfterReasoning } from "./reading/answer-after-reasoning.ts";
import { checkedAnswer } from "./reading/checked-answer.ts";
import { noChangeRow } from "./reading/no-change-row.ts";
import { showFenced } from "./show-file.ts";
import { StrReplaceReader } from "./str-replace-reader.ts";

/**
 * Old and new text in JSON, as the editing tools of many assistants use it.
 *
 * It cannot express the deletion or move of a file.
 */
export const strReplace: EditFormat = {
  name: "str-replace",
  title: "JSON objects with an old and a new text",
  instructions: `Answer with JSON objects, one a row. Each one puts a new text in the place of an old one:

{"path": "src/math.ts", "old_string": "  return value;\\n", "new_string": "  return value / 2;\\n"}

Rules:

- \`old_string\` is copied from the file, character for character: indentation, blank lines and remarks too.
- It must be in the file only once. Add the lines above or below until it is, and not more than needed. \`"replace_all": true\` means every place.
- The edits of a file are made one after the other, in the order of the rows.
- To create a file, name its path, with an empty \`old_string\` and the whole text as \`new_string\`.
- Within strings a line break is \`\\n\`, a quote \`\\"\`, and a backslash \`\\\\\`.
- No fences, no explanations.
- If nothing needs to be changed, answer \`${noChangeRow}\`
`,
  showFile: ({ path, text }) => showFenced(path, text),
  read: (options) => new AnswerAfterReasoning(() => new StrReplaceReader(options)),
  encode: (changes) => {
    const rows = changes.flatMap(encodeChange);
    return checkedAnswer(strReplace, changes, `${rows.length === 0 ? noChangeRow : rows.join("\n")}\n`);
  },
};

function encodeChange({ before, after, path, pathBefore = path }: FileChangeTexts): readonly string[] {
  if ((before !== undefined && after === undefined) || path !== pathBefore) {
    throw new EmendError("not-encodable", "The format str-replace cannot say that a file goes or moves.");
  }
  if (before === undefined) return after === undefined ? [] : [printEdit(path, "", after)];
  const blocks = uniqueBlocks(plainLines(before), plainLines(after ?? ""), { contextLines: 0, countPlaces });
  return blocks.map(({ search, replace }) => printEdit(path, search.join(""), replace.join("")));
}

function printEdit(path: string, search: string, replace: string): string {
  return JSON.stringify({ path, old_string: search, new_string: replace });
}

/** The lines of a text with their endings, as spelled in an answer. */
function plainLines(text: string): readonly string[] {
  return splitPatchLines(text.replace(byteOrderMark, "").replaceAll("\r\n", "\n"));
}

/** The number of places of the lines in the text, including those that begin within a line. */
function countPlaces(search: readonly string[], lines: readonly string[]): number {
  const text = lines.join("");
  const wanted = search.join("");
  let count = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) count++;
  return count;
}
