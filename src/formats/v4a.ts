import type { FileChangeTexts } from "../text/index.ts";
import type { EditFormat } from "./edit-format.ts";
import type { BlockEdit, EditOperation } from "./edit-operation.ts";
import { type HunkRow, hunkRows, newLines, oldLines, readHunkRow } from "./placing/hunk-rows.ts";
import { fileLines } from "./placing/line-table.ts";
import { uniqueBlocks } from "./placing/unique-blocks.ts";
import { AnswerAfterReasoning } from "./reading/answer-after-reasoning.ts";
import { type AnswerRow, type CodeBeside, RowReader } from "./reading/answer-rows.ts";
import { checkedAnswer } from "./reading/checked-answer.ts";
import { type CodeFence, closesAround, closesCode, isShellFence, tryReadCodeFence } from "./reading/code-fence.ts";
import { withoutPatchCommand } from "./reading/format-mark.ts";
import { noChangeRow } from "./reading/no-change-row.ts";
import { continuesPath, normalizedPath } from "./reading/path-match.ts";
import { tryReadFenceInfoPath, tryReadPathRow } from "./reading/path-row.ts";
import { showFenced } from "./show-file.ts";

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

/**
 * Reads patches of `apply_patch`, also inside of a shell command or a JSON string.
 *
 * A part of the patch is reported when the next one begins, the last one at `*** End Patch`;
 * without that, the patch is cut off. As in the original, a changed end of a file gets a line
 * ending.
 */
class V4aReader extends RowReader {
  #isInside = false;
  #file: OpenFile | undefined;
  #hunk: OpenHunk | undefined;
  /** The fence that is open around the patch, whose end also ends the patch. */
  #fence: CodeFence | undefined;
  /** That fence, until a patch begins in it. */
  #code: (CodeBeside & { isBlank: boolean }) | undefined;
  /** The last row outside of patches and fences that is not blank. */
  #above = "";
  #delimiter: string | undefined;
  /** Whether the following rows belong to a refused row. */
  #isSkipping = false;
  #isDone = false;
  #hasParts = false;

  get open(): EditOperation | undefined {
    const file = this.#file;
    if (file?.kind === "add") return this.#operationOfNewFile(file);
    if (file?.kind === "update" && this.#hunk !== undefined && this.#hunk.rows.length > 0) {
      return toOperation(file, this.#hunk);
    }
    return undefined;
  }

  protected takeRow(row: AnswerRow): void {
    if (this.#isInside) {
      this.#takeInside(row);
    } else if (row.text.includes("*** Begin Patch\\n")) {
      this.#takeString(row);
    } else {
      this.#takeOutside(row);
    }
  }

  protected takeEnd(isCut: boolean): void {
    if (this.#isInside) {
      const { path, row } = this.#file ?? {};
      const where = path === undefined ? "" : ` The last edit of ${path} is not taken.`;
      this.addRefusal("cut-off", `The patch ends without "*** End Patch", so that it may be incomplete.${where}`, {
        row: this.#hunk?.row ?? row,
        path,
      });
    } else if (isCut && !this.#isDone) {
      this.addRefusal("cut-off", "The answer was stopped before it was done.");
    } else if (this.noChangeRow !== undefined && !this.#hasParts) {
      this.addPart({ kind: "no-change", row: this.noChangeRow });
    }
    this.#isInside = false;
    this.#file = undefined;
    this.#hunk = undefined;
  }

  #takeOutside(row: AnswerRow): void {
    const mark = tryReadMark(withoutPatchCommand(row.text).trim());
    if (mark?.kind === "begin" || mark?.kind === "file") {
      this.#isInside = true;
      this.#isDone = false;
      this.#code = undefined;
      if (mark.kind === "begin") return;
      this.addNormalization("marks", 'The patch begins without "*** Begin Patch".', { row: row.index });
      this.#takeInside(row);
      return;
    }
    const delimiter = /<<-?\s*(["']?)(\w+)\1/.exec(row.text)?.[2];
    if (delimiter !== undefined) this.#delimiter = delimiter;
    else if (this.#fence !== undefined && closesCode(row.text, this.#fence)) this.#closeFence(this.#fence);
    else if (this.#fence !== undefined) this.#takeCode(row);
    else this.#openFence(row);
    this.skipRow(row, "v4a");
  }

  #openFence(row: AnswerRow): void {
    this.#fence = tryReadCodeFence(row.text);
    if (this.#fence !== undefined) {
      const named = tryReadFenceInfoPath(this.#fence.info, this.known) ?? tryReadPathRow(this.#above, this.known);
      const path = this.known.find((known) => known === named);
      this.#code = { row: row.index, path, isBlank: true };
    }
    if (row.text.trim() !== "") this.#above = row.text;
  }

  #takeCode(row: AnswerRow): void {
    if (this.#code !== undefined && row.text.trim() !== "") this.#code.isBlank = false;
  }

  #closeFence(fence: CodeFence): void {
    if (this.#code?.isBlank === false && this.#hasParts && !isShellFence(fence)) this.reportCode(this.#code);
    this.#fence = undefined;
    this.#code = undefined;
    this.#above = "";
  }

  /** Reads a patch that is written as one JSON string. */
  #takeString(row: AnswerRow): void {
    const at = row.text.indexOf("*** Begin Patch\\n");
    const start = row.text.lastIndexOf('"', at);
    const [literal] = start < 0 ? [] : (/^"(?:[^"\\]|\\.)*"/.exec(row.text.slice(start)) ?? []);
    const patch = literal === undefined ? undefined : tryParseString(literal);
    if (patch === undefined) {
      this.addRefusal("cut-off", `The JSON string of row ${row.index + 1} does not end, or is broken.`, {
        row: row.index,
      });
      return;
    }
    for (const text of patch.split(/\r?\n/)) this.takeRow({ index: row.index, text });
  }

  #takeInside(row: AnswerRow): void {
    // Blanks around a mark are ignored, but within a hunk a row that begins with a blank is
    // context.
    const mark = tryReadMark(this.#hunk === undefined ? row.text.trim() : row.text.trimEnd());
    if (mark !== undefined) {
      this.#takeMark(mark, row);
    } else if (row.text === this.#delimiter || (this.#fence !== undefined && closesAround(row.text, this.#fence))) {
      this.addNormalization("marks", `The patch ends in row ${row.index + 1} without "*** End Patch".`, {
        row: row.index,
      });
      this.#fence = undefined;
      this.#finish();
    } else if (!this.#isSkipping) {
      this.#takeContent(row);
    }
  }

  #takeMark(mark: Mark, row: AnswerRow): void {
    if (mark.kind === "eof") {
      if (this.#hunk !== undefined) this.#hunk.isAtEnd = true;
      this.#closeHunk();
      return;
    }
    if (mark.kind === "move") {
      if (this.#file?.kind === "update" && this.#file.isBare) this.#file.to = mark.path;
      else this.#refuseRow(`"*** Move to:" of row ${row.index + 1} stands right below "*** Update File:".`, row.index);
      return;
    }
    if (mark.kind === "unknown") {
      this.#closeFile();
      this.#refuseRow(
        `Row ${row.index + 1} is none of "*** Update File:", "*** Add File:", "*** Delete File:".`,
        row.index,
      );
      this.#isSkipping = true;
      return;
    }
    this.#isSkipping = false;
    if (mark.kind === "file") {
      this.#closeFile();
      this.#file = { kind: mark.change, path: mark.path, row: row.index, lines: [], isBare: true };
    } else if (mark.kind === "end") {
      this.#finish();
    }
  }

  #takeContent(row: AnswerRow): void {
    const file = this.#file;
    if (file !== undefined && isPathCut(file, row.text)) {
      const message = `The path ${file.path} goes on in row ${row.index + 1}. A path has no line break: write it on one row.`;
      this.addRefusal("unsafe-path", message, { row: file.row, path: file.path });
      this.#hasParts = true;
      this.#file = undefined;
      this.#isSkipping = true;
    } else if (file?.kind === "update") {
      this.#takeHunkRow(file, row);
    } else if (file?.kind === "add") {
      if (!row.text.startsWith("+") && row.text !== "") file.unmarkedRow ??= row.index;
      file.lines.push(row.text.startsWith("+") ? row.text.slice(1) : row.text);
      // An empty row may belong to the file, or separate it from the next mark.
      if (row.text !== "") file.length = file.lines.length;
    } else if (row.text.trim() !== "") {
      const what = file === undefined ? "no file" : `${file.path}, which is to be deleted`;
      this.#refuseRow(`Row ${row.index + 1} belongs to ${what}.`, row.index);
      this.#isSkipping = file === undefined;
    }
  }

  #takeHunkRow(file: OpenFile, row: AnswerRow): void {
    const [head, heading = ""] = /^@@(?: ?(.*))?$/.exec(row.text.trimEnd()) ?? [];
    if (head !== undefined) {
      if (this.#hunk !== undefined && this.#hunk.length > 0) this.#closeHunk();
      else if (this.#hunk !== undefined && this.#hunk.rows.length > 0) this.#leaveEmpty(this.#hunk, row.index);
      const hunk = this.#openHunk(file, row.index);
      const [, number] = /^-(\d{1,9})(?:,\d+)? \+\d/.exec(heading) ?? [];
      if (number !== undefined) hunk.near = Math.max(0, Number(number) - 1);
      else if (heading.replace(/@@$/, "").trim() !== "") hunk.headings.push(heading.replace(/(?<!\s)\s*@@$/, ""));
      return;
    }
    if (row.text === "" && this.#hunk === undefined) return;
    const hunk = this.#openHunk(file, row.index);
    const { mark, text, isMarked } = readHunkRow(row.text);
    if (!isMarked) hunk.unmarkedRow ??= row.index;
    hunk.rows.push({ mark, text });
    // As above, an empty row counts only when another row follows.
    if (row.text !== "") hunk.length = hunk.rows.length;
  }

  #openHunk(file: OpenFile, row: number): OpenHunk {
    file.isBare = false;
    this.#hunk ??= { row, headings: [], rows: [], length: 0 };
    return this.#hunk;
  }

  /**
   * Begins a hunk after one that has only empty rows; its headings apply to the new one as well.
   */
  #leaveEmpty({ row, headings }: OpenHunk, next: number): void {
    this.#hunk = { row: next, headings, rows: [], length: 0 };
    this.#allowEmpty(row);
  }

  #allowEmpty(row: number): void {
    const message = `The hunk of row ${row + 1} has no rows. It was left out.`;
    this.addNormalization("marks", message, { row, path: this.#file?.path });
  }

  #closeHunk(): void {
    const hunk = this.#hunk;
    const file = this.#file;
    this.#hunk = undefined;
    if (hunk === undefined || file === undefined) return;
    const { row } = hunk;
    hunk.rows.splice(hunk.length);
    if (hunk.rows.every(({ mark, text }) => mark === " " && text.trim() === "")) hunk.rows.length = 0;
    if (hunk.rows.length === 0 && (file.hasHunks === true || file.to !== undefined)) {
      this.#allowEmpty(row);
      return;
    }
    file.hasHunks = true;
    this.#hasParts = true;
    if (hunk.rows.length === 0) {
      this.#refuseRow(`The hunk of row ${row + 1} has no rows.`, row);
    } else if (hunk.rows.every(({ mark }) => mark === " ")) {
      const message = `The hunk of row ${row + 1} has no row that begins with "-" or "+", so that it changes nothing.`;
      this.addRefusal("no-change", message, { row, path: file.path });
    } else {
      const { unmarkedRow } = hunk;
      if (unmarkedRow !== undefined) {
        const message = `Row ${unmarkedRow + 1} has no mark in front; it was taken for a line that stays.`;
        this.addNormalization("marks", message, { row: unmarkedRow, path: file.path });
      }
      this.addOperation(toOperation(file, hunk));
    }
  }

  #closeFile(): void {
    this.#closeHunk();
    const file = this.#file;
    this.#file = undefined;
    if (file === undefined) return;
    const { kind, path, row, to, unmarkedRow } = file;
    this.#hasParts = true;
    if (kind === "delete") {
      this.addOperation({ kind: "remove", row, path });
    } else if (kind === "add") {
      if (unmarkedRow !== undefined) {
        this.addNormalization("marks", `Row ${unmarkedRow + 1} of a new file has no "+" in front.`, {
          row: unmarkedRow,
          path,
        });
      }
      this.addOperation(this.#operationOfNewFile(file));
    } else if (to !== undefined) {
      this.addOperation({ kind: "move", row, path, to });
    } else if (file.hasHunks !== true) {
      this.addRefusal("no-edits", `The update of ${path} has no hunk.`, { row, path });
    }
  }

  /** As in the original, adding a file under the path of a shown file replaces it. */
  #operationOfNewFile({ path, row, lines, length = 0 }: OpenFile): EditOperation {
    const isShown = this.known.includes(normalizedPath(path) ?? path);
    const shared = { row, path, lines: lines.slice(0, length) };
    return isShown ? { kind: "whole", finalNewline: true, ...shared } : { kind: "create", ...shared };
  }

  #finish(): void {
    this.#closeFile();
    this.#isInside = false;
    this.#isSkipping = false;
    this.#isDone = true;
  }

  #refuseRow(message: string, row: number): void {
    this.addRefusal("unreadable-row", message, { row, path: this.#file?.path });
    this.#hasParts = true;
  }
}

interface OpenFile {
  readonly kind: "update" | "add" | "delete";
  readonly path: string;
  readonly row: number;
  readonly lines: string[];
  /** The number of lines that surely belong to the file. */
  length?: number;
  /** Whether no row has followed its head yet. */
  isBare: boolean;
  to?: string;
  hasHunks?: boolean;
  unmarkedRow?: number;
}

/**
 * Whether the first row below the head of a file has no mark and reads like the rest of its path.
 */
function isPathCut({ isBare, lines, to, path }: OpenFile, row: string): boolean {
  return isBare && lines.length === 0 && continuesPath(to ?? path, row);
}

interface OpenHunk {
  readonly row: number;
  readonly headings: string[];
  readonly rows: HunkRow[];
  /** The number of rows that surely belong to the hunk. */
  length: number;
  near?: number;
  isAtEnd?: boolean;
  unmarkedRow?: number;
}

type Mark =
  | { readonly kind: "begin" | "end" | "eof" | "unknown" }
  | { readonly kind: "file"; readonly change: OpenFile["kind"]; readonly path: string }
  | { readonly kind: "move"; readonly path: string };

function tryReadMark(text: string): Mark | undefined {
  if (!text.startsWith("***")) return undefined;
  const [, words = ""] = /^\*\*\* ?(.*)$/.exec(text) ?? [];
  if (/^begin patch$/i.test(words)) return { kind: "begin" };
  if (/^end patch["']?$/i.test(words)) return { kind: "end" };
  if (/^end of file$/i.test(words)) return { kind: "eof" };
  const [, verb = "", path = ""] = /^(update file|add file|delete file|move to): ?(.+)$/i.exec(words) ?? [];
  switch (verb.toLowerCase()) {
    case "update file":
      return { kind: "file", change: "update", path };
    case "add file":
      return { kind: "file", change: "add", path };
    case "delete file":
      return { kind: "file", change: "delete", path };
    case "move to":
      return { kind: "move", path };
  }
  return { kind: "unknown" };
}

function toOperation(file: OpenFile, { row, headings, rows, near, isAtEnd }: OpenHunk): BlockEdit {
  return {
    kind: "block",
    row,
    path: file.path,
    search: oldLines(rows),
    replace: newLines(rows),
    rows,
    finalNewline: true,
    ...(headings.length > 0 && { headings }),
    ...(near !== undefined && { near }),
    ...(isAtEnd === true && { isAtEnd }),
  };
}

function tryParseString(literal: string): string | undefined {
  try {
    return String(JSON.parse(literal));
  } catch {
    return undefined;
  }
}
