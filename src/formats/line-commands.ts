import { EmendError, type FileChangeTexts, quotePath, tryReadQuotedPath } from "../text/index.ts";
import type { EditFormat } from "./edit-format.ts";
import type { EditOperation } from "./edit-operation.ts";
import { lineHunks } from "./placing/line-hunks.ts";
import { fileLines } from "./placing/line-table.ts";
import { AnswerAfterReasoning } from "./reading/answer-after-reasoning.ts";
import { type AnswerRow, RowReader } from "./reading/answer-rows.ts";
import { checkedAnswer } from "./reading/checked-answer.ts";
import { lineCommandRow } from "./reading/format-mark.ts";
import { noChangeRow } from "./reading/no-change-row.ts";
import { tryReadPathAbove, tryReadPathRow } from "./reading/path-row.ts";
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

/**
 * Reads the editing commands of SWE-agent: `edit 4:6`, the new lines, `end_of_edit`.
 *
 * `open` and `create` name the file of the commands that follow. All numbers refer to the file as
 * it was shown. The format quotes no lines, so a wrong number is detected only where there is no
 * such line.
 */
class LineCommandsReader extends RowReader {
  #path: string | undefined;
  /** The file that the next edit creates. */
  #created: { readonly path: string; readonly row: number } | undefined;
  #command: OpenCommand | undefined;
  #hasParts = false;

  get open(): EditOperation | undefined {
    return this.#command === undefined ? undefined : this.#operationOf(this.#command);
  }

  protected takeRow(row: AnswerRow): void {
    const command = this.#command;
    if (command === undefined) {
      this.#takeOutside(row);
    } else if (row.text.trimEnd() === command.endRow) {
      this.#command = undefined;
      this.#close(command);
    } else if (lineCommandRow.test(row.text)) {
      this.#refuseRow(`The edit of row ${command.row + 1} has no row "${command.endRow}" at its end.`, command.row);
      this.#command = undefined;
      this.#takeOutside(row);
    } else {
      command.lines.push(row.text);
    }
  }

  protected takeEnd(isCut: boolean): void {
    const command = this.#command;
    this.#command = undefined;
    if (command !== undefined) {
      const message = `The answer ends inside of the edit of row ${command.row + 1}, before "${command.endRow}".`;
      this.addRefusal("cut-off", message, { row: command.row, path: this.#path });
    } else if (isCut) {
      this.addRefusal("cut-off", "The answer was stopped before it was done.");
    } else {
      this.#closeCreated();
      if (this.noChangeRow !== undefined && !this.#hasParts) this.addPart({ kind: "no-change", row: this.noChangeRow });
    }
  }

  #takeOutside(row: AnswerRow): void {
    const [, verb, numbers = ""] = lineCommandRow.exec(row.text) ?? [];
    const [, opener, rest = ""] = /^(open|create) (\S.*)$/.exec(row.text.trimEnd()) ?? [];
    const path = opener === undefined ? undefined : this.#readPath(rest, opener === "open");
    if (verb !== undefined) {
      this.#begin(row, verb, numbers);
    } else if (path !== undefined) {
      this.#closeCreated();
      this.#path = path;
      this.#created = opener === "create" ? { path, row: row.index } : undefined;
    } else if (ends.has(row.text.trimEnd())) {
      this.#refuseRow(`Row ${row.index + 1} ends an edit that no "edit 4:6" has begun.`, row.index);
    } else {
      this.skipRow(row, "line-commands");
    }
  }

  /**
   * Reads a path, quoted or not; that of `open` may be followed by a line number. Returns
   * `undefined` for prose.
   */
  #readPath(text: string, mayHaveLine: boolean): string | undefined {
    const quoted = tryReadQuotedPath(text);
    if (quoted !== undefined) return quoted.path;
    const path = mayHaveLine ? text.replace(/ \d+$/, "") : text;
    const found = tryReadPathAbove(path, this.known);
    if (found === undefined || found.kind === "words") return undefined;
    return found.path === path || path.includes(" ") ? found.path : undefined;
  }

  #begin(row: AnswerRow, verb: string, text: string): void {
    const [, first, last, marker] =
      /^(\d{1,9})(?:\s*[:,-]\s*(\d{1,9}))?\s*(?:<<\s*["']?(\w+)["']?\s*)?$/.exec(text) ?? [];
    const endRow = marker ?? `end_of_${verb}`;
    let fault: string | undefined;
    const from = Number(first);
    const to = Number(last ?? first);
    if (first === undefined || (verb === "edit" && last === undefined)) {
      fault = `Row ${row.index + 1} is no command such as "edit 4:6" or "insert 4".`;
    } else if (verb === "edit" && from < 1) {
      fault = "Lines count from 1.";
    } else if (verb === "edit" && to < from) {
      fault = `A range begins with its smaller number: "edit ${to}:${from}".`;
    }
    // Line 4, counted from 1, precedes the lines that "insert 4" inserts.
    const place = verb === "edit" ? { start: from - 1, end: to } : { start: from, end: from };
    this.#command = { row: row.index, ...place, lines: [], endRow, fault };
  }

  #close(command: OpenCommand): void {
    this.#hasParts = true;
    if (command.fault !== undefined) {
      this.#refuseRow(command.fault, command.row);
      return;
    }
    this.addOperation(this.#operationOf(command));
    this.#created = undefined;
  }

  #operationOf({ row, start, end, lines }: OpenCommand): EditOperation {
    if (this.#created !== undefined) return { kind: "create", row, path: this.#created.path, lines };
    return { kind: "lines", row, path: this.#path, start, end, lines, anchors: [] };
  }

  /** Creates a file that no edit has filled. */
  #closeCreated(): void {
    if (this.#created === undefined) return;
    this.addOperation({ kind: "create", ...this.#created, lines: [] });
    this.#hasParts = true;
    this.#created = undefined;
  }

  #refuseRow(message: string, row: number): void {
    this.addRefusal("unreadable-row", message, { row, path: this.#path });
    this.#hasParts = true;
  }
}

interface OpenCommand {
  readonly row: number;
  readonly start: number;
  readonly end: number;
  readonly lines: string[];
  /** The row that ends the command. */
  readonly endRow: string;
  readonly fault: string | undefined;
}

const ends: ReadonlySet<string> = new Set(["end_of_edit", "end_of_insert"]);
