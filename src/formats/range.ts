import { closesFence, closingFenceAt, type Fence, tryReadFence } from "../answers/index.ts";
import type { FileChangeTexts } from "../text/index.ts";
import type { EditFormat } from "./edit-format.ts";
import type { EditOperation, LineAnchor } from "./edit-operation.ts";
import { joinHunks, lineHunks } from "./placing/line-hunks.ts";
import { fileLines } from "./placing/line-table.ts";
import type { LineSplice } from "./placing/placement.ts";
import { escapeRow, isCommand, printCommand, type RangeCommand, readCommand, unescapeRow } from "./range-command.ts";
import { AnswerAfterReasoning } from "./reading/answer-after-reasoning.ts";
import { type AnswerRow, type CodeBeside, RowReader } from "./reading/answer-rows.ts";
import { checkedAnswer } from "./reading/checked-answer.ts";
import { isShellFence } from "./reading/code-fence.ts";
import { lineOpening } from "./reading/line-opening.ts";
import { isNoChangeRow } from "./reading/no-change-row.ts";
import { tryReadFenceInfoPath, tryReadPathRow } from "./reading/path-row.ts";
import { isProseFile } from "./reading/reads-as-words.ts";
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

function headOf(hunk: LineSplice, lines: readonly string[]): string {
  const { start, end } = hunk;
  return printCommand({
    kind: hunk.lines.length === 0 ? "delete" : "replace",
    start,
    end,
    anchors: anchorsOf(hunk, lines),
  });
}

function anchorsOf({ start, end }: LineSplice, lines: readonly string[]): readonly LineAnchor[] {
  const named = start === end ? [start - 1] : end - start === 1 ? [start] : [start, end - 1];
  return named.filter((line) => line >= 0).map((line) => ({ line, opening: lineOpening(lines, line) }));
}

/**
 * Reads answers in the format `range`.
 *
 * An edit is reported when the next command shows that it is complete; the last one needs `@@ end`.
 * A row that begins with `@@` and is no command invalidates the edit that it is in, since it may be
 * code that was not escaped.
 */
class RangeReader extends RowReader {
  /** The file of commands without a path. */
  #path: string | undefined;
  #head: Head | undefined;
  #rows: AnswerRow[] = [];
  /** The fence that is open around commands. */
  #fence: Fence | undefined;
  #hasEdits = false;
  #hasNone = false;

  get open(): EditOperation | undefined {
    const head = this.#head;
    if (head === undefined || !hasRows(head.command)) return undefined;
    const { kind, rows } = this.#unwrap(head);
    // A fence before the rows may still be closed later.
    const written = kind === "unclosed" ? rows.slice(1) : rows;
    return this.#operationOf(
      head,
      written.map(({ text }) => unescapeRow(text)),
    );
  }

  protected takeRow(row: AnswerRow): void {
    if (!isCommand(row.text)) {
      this.#rows.push(row);
      return;
    }
    const command = readCommand(row.text);
    if (command.kind === "unreadable") {
      this.#refuseCommand(row, command.message);
      return;
    }
    if (this.#head?.command.kind === "end" && command.kind !== "end") {
      this.addNormalization("marks", "More edits stand behind the end of the answer.", { row: row.index });
    }
    this.#close();
    if (command.kind === "file") this.#path = command.path;
    const path = "path" in command ? command.path : this.#path;
    this.#head = { command, row: row.index, path };
  }

  protected takeEnd(isCut: boolean): void {
    const { command, row } = this.#head ?? {};
    if (command?.kind === "end" || command?.kind === "none") {
      this.#close();
    } else if (command !== undefined || isCut) {
      const where = row === undefined ? "" : ` The edit of row ${row + 1} is not taken.`;
      const message = `The answer ends without "@@ end", so that its last edit may be incomplete.${where}`;
      this.addRefusal("cut-off", message, { row, path: this.#path });
    }
    // A model may use the sentence instead, where the answer has nothing else.
    const prose = this.#rows.filter(({ text }) => text.trim() !== "");
    if (command === undefined && !isCut && prose.length === 1 && isNoChangeRow(prose[0]!.text)) {
      this.addPart({ kind: "no-change", row: prose[0]!.index });
    }
    if (this.#hasNone && this.#hasEdits) {
      this.addRefusal(
        "unreadable-row",
        'The answer has edits and says "@@ none", which means that nothing is to change.',
      );
    } else if (this.#hasNone) {
      this.addPart({ kind: "no-change", row: row! });
    }
    this.#head = undefined;
    this.#rows = [];
  }

  #refuseCommand(row: AnswerRow, why: string): void {
    const head = this.#head;
    let where = "";
    if (head !== undefined && hasRows(head.command)) {
      where = ` The edit of row ${head.row + 1}, in which it stands, is not taken.`;
      this.#hasEdits = true;
      this.#rows = [];
    } else {
      this.#close();
    }
    const at = { row: row.index, path: this.#path };
    this.addRefusal("unreadable-row", `Row ${row.index + 1} begins with "@@". ${why}${where}`, at);
    this.#head = { ...at, command: { kind: "unreadable" } };
  }

  /** Reports the open command with the rows after it. */
  #close(): void {
    const head = this.#head;
    if (head === undefined || head.command.kind === "end") {
      this.#passWords(this.#rows);
    } else if (hasRows(head.command)) {
      this.#hasEdits = true;
      this.#closeEdit(head);
    } else {
      const { prose, code } = this.#passFences(this.#rows);
      const words = prose ?? code[0];
      const isEdit = ["delete", "remove", "move"].includes(head.command.kind);
      if (head.command.kind === "none") this.#hasNone = true;
      if (isEdit) this.#hasEdits = true;
      // After an unreadable command, rows belong to what was refused with it.
      if (words !== undefined && head.command.kind !== "unreadable") {
        const message =
          head.command.kind === "delete"
            ? `Rows follow a deletion. "@@ 12-14 first | last" replaces lines by the rows behind it.`
            : `Row ${words.index + 1} belongs to no edit.`;
        this.addRefusal("unreadable-row", message, { row: words.index, path: head.path });
      } else if (isEdit) {
        this.addOperation(this.#operationOf(head, [])!);
      }
    }
    this.#rows = [];
  }

  #closeEdit(head: Head): void {
    const { command, row, path } = head;
    const unwrapped = this.#unwrap(head);
    if (unwrapped.kind === "unclosed") {
      this.addRefusal("unreadable-row", `The fence around the rows of the edit of row ${row + 1} is not closed.`, {
        row,
        path,
      });
      return;
    }
    let lines = unwrapped.rows.map(({ text }) => unescapeRow(text));
    if (unwrapped.kind === "fenced") this.#allowFence(row);
    this.#fence = unwrapped.fence;
    if (command.kind === "replace") {
      const { start, end, anchors } = command;
      if (lines.length === 0) {
        const numbers = start === end ? "" : end - start === 1 ? ` ${end}` : ` ${start + 1}-${end}`;
        const message = `No rows follow the edit of row ${row + 1}. Lines are deleted with "@@ delete${numbers}".`;
        this.addRefusal("unreadable-row", message, { row, path });
        this.#passWords(unwrapped.rest);
        return;
      }
      if (anchors.length < Math.min(2, end - start)) {
        const message = `Row ${row + 1} does not say how lines ${start + 1} and ${end} begin, so that their numbers could not be checked.`;
        this.addNormalization("marks", message, { row, path });
      }
      const stripped = takeDisplayPrefixes(lines, start, anchors[0]?.opening);
      if (stripped !== undefined) {
        lines = [...stripped];
        this.addNormalization("display-prefix", "Line numbers in front of the new lines were taken off.", {
          row,
          path,
        });
      }
    }
    this.addOperation(this.#operationOf(head, lines)!);
    this.#passWords(unwrapped.rest);
  }

  #operationOf({ command, row, path }: Head, lines: readonly string[]): EditOperation | undefined {
    switch (command.kind) {
      case "replace":
      case "delete": {
        const { start, end, anchors } = command;
        return { kind: "lines", row, path, start, end, lines, anchors };
      }
      case "create":
        return { kind: "create", row, path, lines };
      case "remove":
        return { kind: "remove", row, path };
      case "move":
        return { kind: "move", row, path, to: command.to };
    }
    return undefined;
  }

  /**
   * Removes fences from the rows of an edit: one around these rows alone, or the end of one around
   * all edits.
   */
  #unwrap({ command, path }: Head): Unwrapped {
    const rows = this.#rows;
    const texts = rows.map(({ text }) => text);
    const plain: Unwrapped = { kind: "plain", rows, rest: [], fence: this.#fence };
    const openings = command.kind === "replace" ? command.anchors.map(({ opening }) => opening) : [];
    const target = path ?? (this.known.length === 1 ? this.known[0]! : "");
    const holdsFences = isProseFile(target) || openings.some((opening) => tryReadFence(opening) !== undefined);
    const first = rows[0] === undefined ? undefined : tryReadFence(rows[0].text);
    const closesAround = first !== undefined && this.#fence !== undefined && closesFence(first, this.#fence);
    if (first !== undefined && !closesAround && !holdsFences) {
      const end = closingFenceAt(texts, 1, first);
      if (end === undefined) return { ...plain, kind: "unclosed" };
      return { kind: "fenced", rows: rows.slice(1, end), rest: rows.slice(end + 1), fence: this.#fence };
    }
    if (this.#fence === undefined) return plain;
    const end = holdsFences ? closingLastRow(rows, this.#fence) : closingFenceAt(texts, 0, this.#fence);
    if (end === undefined) return plain;
    return { kind: "plain", rows: rows.slice(0, end), rest: rows.slice(end + 1), fence: undefined };
  }

  /** Skips rows outside of edits; reports prose and code among them. */
  #passWords(rows: readonly AnswerRow[]): void {
    const { prose, code } = this.#passFences(rows);
    // Code before the edits is part of their explanation.
    const words = this.#hasEdits ? prose : (prose ?? code[0]);
    if (words !== undefined)
      this.addNormalization("marks", "Words beside the edits were left out.", { row: words.index });
    if (this.#hasEdits) for (const block of code) this.reportCode({ row: block.index, path: block.path });
  }

  /**
   * Skips blank rows and fences outside of edits. Returns the first row of prose, and the code
   * blocks.
   */
  #passFences(rows: readonly AnswerRow[]): Beside {
    let prose: AnswerRow | undefined;
    let above = "";
    let opened: { readonly fence: Fence; readonly block: CodeBlock; isBlank: boolean } | undefined;
    const code: CodeBlock[] = [];
    for (const row of rows) {
      const fence = tryReadFence(row.text);
      this.skipRow(row, "range");
      if (fence === undefined) {
        if (row.text.trim() === "") continue;
        above = row.text;
        if (opened === undefined) prose ??= row;
        else opened.isBlank = false;
      } else if (this.#fence !== undefined && closesFence(fence, this.#fence)) {
        this.#fence = undefined;
        if (opened?.isBlank === false) {
          // Shell commands count as prose.
          if (isShellFence({ kind: "marks", ...opened.fence })) prose ??= opened.block;
          else code.push(opened.block);
        }
        opened = undefined;
      } else if (this.#fence === undefined) {
        this.#fence = fence;
        const named = tryReadFenceInfoPath(fence.info, this.known) ?? tryReadPathRow(above, this.known);
        opened = { fence, block: { ...row, path: this.known.find((path) => path === named) }, isBlank: true };
        this.#allowFence(row.index);
      }
    }
    if (opened?.isBlank === false) code.push(opened.block);
    return { prose, code };
  }

  #allowFence(row: number): void {
    this.addNormalization("fence", "A fence around edits was taken off.", { row });
  }
}

/** A code block outside of edits, located by the row of its fence. */
type CodeBlock = AnswerRow & Pick<CodeBeside, "path">;

/** What is outside of edits: the first row of prose, and the code blocks. */
interface Beside {
  readonly prose: AnswerRow | undefined;
  readonly code: readonly CodeBlock[];
}

interface Head {
  readonly command: RangeCommand | { readonly kind: "unreadable" };
  readonly row: number;
  readonly path: string | undefined;
}

interface Unwrapped {
  readonly kind: "plain" | "fenced" | "unclosed";
  /** The rows of the edit. */
  readonly rows: readonly AnswerRow[];
  /** The rows after a closed fence. */
  readonly rest: readonly AnswerRow[];
  /** The fence that is still open around commands after the edit. */
  readonly fence: Fence | undefined;
}

function hasRows(command: Head["command"]): command is Extract<RangeCommand, { readonly kind: "replace" | "create" }> {
  return command.kind === "replace" || command.kind === "create";
}

/**
 * The index of the last row if it closes the fence while all other fences are paired; `undefined`
 * otherwise.
 */
function closingLastRow(rows: readonly AnswerRow[], opening: Fence): number | undefined {
  const last = rows.findLastIndex(({ text }) => text.trim() !== "");
  const fence = last < 0 ? undefined : tryReadFence(rows[last]!.text);
  const isOdd = rows.filter(({ text }) => tryReadFence(text) !== undefined).length % 2 === 1;
  return fence !== undefined && closesFence(fence, opening) && isOdd ? last : undefined;
}

/**
 * Removes copied line numbers from new lines; `undefined` where the lines are code as they are.
 *
 * All lines must have one, counting up from the first line of the place at `start`, from 0. Where
 * the old line itself begins with such a number, according to its `opening`, the numbers are code.
 */
function takeDisplayPrefixes(
  lines: readonly string[],
  start: number,
  opening: string | undefined,
): readonly string[] | undefined {
  const number = `${start + 1}`;
  if (opening?.startsWith(number)) return undefined;
  const stripped = lines.map((line, i) => tryStrip(line, start + 1 + i));
  return stripped.every((line) => line !== undefined) ? stripped : undefined;
}

function tryStrip(line: string, number: number): string | undefined {
  const prefix = `${number}`;
  return line.startsWith(prefix) && /^[\t:]/.test(line.slice(prefix.length))
    ? line.slice(prefix.length + 1)
    : undefined;
}
