import { EmendError, type FileChangeTexts, quotePath } from "../text/index.ts";
import type { EditFormat } from "./edit-format.ts";
import { LineCommandsReader } from "./line-commands-reader.ts";
import { lineHunks } from "./placing/line-hunks.ts";
import { AnswerAfterReasoning } from "./reading/answer-after-reasoning.ts";
import { checkedAnswer } from "./reading/checked-answer.ts";
import { fileLines } from "./reading/file-lines.ts";
import { noChangeRow } from "./reading/no-change-row.ts";
import { tryReadPathRow } from "./reading/path-row.ts";
import { showFenced, showNumbered } from "./show-file.ts";

/**
 * Commands of a line editor, as SWE-agent offered them to models.
 *
 * Line numbers are not checked against quoted lines; the format `range` adds that. It cannot
 * express the deletion or move of a file, nor the insertion of a line that reads like a command.
 * Source: the windowed edit commands of SWE-agent.
 */
export const lineCommands: EditFormat = {
  name: "line-commands",
  title: "commands of a line editor",
  instructions: `Answer with commands of a line editor. Every line of a file is shown with its number and a colon in front; neither is part of the file.

edit 2:3
  const half = value / 2;
  return half;
end_of_edit

replaces lines 2 to 3 by the rows between. Without any row between, it deletes the lines.

insert 5

export const double = (value: number) => value * 2;
end_of_insert

inserts rows behind line 5; \`insert 0\` at the top of the file.

Rules:

- The numbers are those shown, in all commands, whatever commands stand before.
- \`open src/math.ts\` says which file the commands behind it are about. It is needed if several files are shown.
- \`create src/new.ts\`, and then \`edit 1:1\` with all lines of the file, makes a new one.
- The rows are code exactly as it is to be in the file: with its indentation, without numbers.
- Do not repeat lines above or below the range that stay.
- No fences, no explanations.
- If nothing needs to be changed, answer \`${noChangeRow}\`
`,
  showFile: ({ path, text }) => showFenced(path, showNumbered(text, ":")),
  read: (options) => new AnswerAfterReasoning(() => new LineCommandsReader(options)),
  encode: (changes) => {
    const rows = changes.flatMap((change) => encodeChange(change, changes.length > 1));
    return checkedAnswer(lineCommands, changes, `${(rows.length === 0 ? [noChangeRow] : rows).join("\n")}\n`);
  },
};

function encodeChange(
  { before, after, path, pathBefore = path }: FileChangeTexts,
  isNamed: boolean,
): readonly string[] {
  if ((before !== undefined && after === undefined) || path !== pathBefore) {
    throw new EmendError("not-encodable", "The format line-commands cannot say that a file goes or moves.");
  }
  const lines = fileLines(after ?? "");
  if (before === undefined) {
    if (after === undefined) return [];
    const made = `create ${printPath(path)}`;
    return lines.length === 0 ? [made] : [made, "edit 1:1", ...lines, "end_of_edit"];
  }
  const commands = lineHunks(fileLines(before), lines).flatMap((hunk) =>
    hunk.start === hunk.end
      ? [`insert ${hunk.start}`, ...hunk.lines, "end_of_insert"]
      : [`edit ${hunk.start + 1}:${hunk.end}`, ...hunk.lines, "end_of_edit"],
  );
  return isNamed && commands.length > 0 ? [`open ${printPath(path)}`, ...commands] : commands;
}

function printPath(path: string): string {
  const quoted = quotePath(path);
  return quoted === path && (tryReadPathRow(path, []) !== path || / \d+$/.test(path)) ? `"${path}"` : quoted;
}
