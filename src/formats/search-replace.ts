import { EmendError, type FileChangeTexts } from "../text/index.ts";
import type { EditFormat } from "./edit-format.ts";
import { fileLines } from "./placing/line-table.ts";
import { uniqueBlocks } from "./placing/unique-blocks.ts";
import { AnswerAfterReasoning } from "./reading/answer-after-reasoning.ts";
import { checkedAnswer } from "./reading/checked-answer.ts";
import { noChangeRow } from "./reading/no-change-row.ts";
import { printPathRow } from "./reading/path-row.ts";
import { escapeSearchReplaceRow } from "./search-replace-marks.ts";
import { SearchReplaceReader } from "./search-replace-reader.ts";
import { fenceFor, showFenced } from "./show-file.ts";

/**
 * Blocks of old and new lines between marks, as aider requests them; the dialects of Cline and Roo
 * are read, too.
 *
 * It cannot express the deletion or move of a file, nor a change of the file's final line ending.
 * Sources: the edit formats `diff` and `diff-fenced` of aider; `replace_in_file` of Cline;
 * `apply_diff` of Roo Code.
 */
export const searchReplace: EditFormat = {
  name: "search-replace",
  title: "old lines and new lines between marks",
  instructions: `Answer with search/replace blocks. Each one puts new lines in the place of lines of a file:

src/math.ts
\`\`\`ts
<<<<<<< SEARCH
export function half(value: number) {
=======
export function half(value: number, digits = 2) {
>>>>>>> REPLACE
\`\`\`

Rules:

- The row above the fence is the path of the file, exactly as it is shown, and nothing else.
- The lines of SEARCH are copied from the file, character for character: indentation, blank lines and remarks too. They are whole lines.
- They must be in the file only once. Add the lines above or below until they are, and not more than needed.
- Write several small blocks, in the order of the file, and not one large block. Do not leave lines out with dots.
- To delete lines, write nothing between \`=======\` and \`>>>>>>> REPLACE\`. To insert lines, search the line next to them, and repeat it.
- To create a file, write nothing between \`<<<<<<< SEARCH\` and \`=======\`.
- A row of code that reads like one of the three marks gets one backslash in front.
- If nothing needs to be changed, answer \`${noChangeRow}\`
`,
  showFile: ({ path, text }) => showFenced(path, text),
  read: (options) => new AnswerAfterReasoning(() => new SearchReplaceReader(options)),
  encode: (changes) => {
    const blocks = changes.flatMap(encodeChange);
    return checkedAnswer(searchReplace, changes, blocks.length === 0 ? `${noChangeRow}\n` : blocks.join("\n"));
  },
};

function encodeChange({ before, after, path, pathBefore = path }: FileChangeTexts): readonly string[] {
  if ((before !== undefined && after === undefined) || path !== pathBefore) {
    throw new EmendError("not-encodable", "The format search-replace cannot say that a file goes or moves.");
  }
  const lines = fileLines(before ?? "");
  const linesAfter = fileLines(after ?? "");
  const isCreated = before === undefined && after !== undefined;
  const blocks = isCreated
    ? [{ search: [], replace: linesAfter }]
    : uniqueBlocks(lines, linesAfter, { contextLines: 0 });
  const language = /\.([\w+-]+)$/.exec(path)?.[1] ?? "";
  return blocks.map(({ search, replace }) => {
    const rows = [
      "<<<<<<< SEARCH",
      ...search.map(escapeSearchReplaceRow),
      "=======",
      ...replace.map(escapeSearchReplaceRow),
      ">>>>>>> REPLACE",
    ].join("\n");
    const fence = fenceFor(rows);
    return `${printPathRow(path)}\n${fence}${language}\n${rows}\n${fence}\n`;
  });
}
