import { type AnswerRow, type CodeBeside, RowReader } from "./answer-rows.ts";
import type { Ask, BlockAsk } from "./ask.ts";
import { type CodeFence, closesAround, closesCode, isShellFence, tryReadCodeFence } from "./code-fence.ts";
import type { ReadOptions } from "./edit-format.ts";
import { type HunkRow, newLines, oldLines, readHunkRow } from "./hunk-rows.ts";
import { isNoChangeRow } from "./no-change-row.ts";
import { normalizedPath } from "./path-match.ts";
import { tryReadFenceInfoPath, tryReadPathRow } from "./path-row.ts";

/**
 * Reads patches as `apply_patch` takes them, also where they stand in a command or in a JSON string.
 *
 * A part of the patch is told when the next one begins, the last one at `*** End Patch`; without that the patch is cut
 * off. As upstream, a changed end of a file has a line ending.
 */
export class V4aReader extends RowReader {
  readonly #known: readonly string[];
  #isInside = false;
  #file: OpenFile | undefined;
  #hunk: OpenHunk | undefined;
  /** What is open around the patch, and would end it with itself. */
  #fence: CodeFence | undefined;
  /** That fence, as long as no patch has begun in it. */
  #code: (CodeBeside & { isBlank: boolean }) | undefined;
  /** The last row outside of patches and fences that says something. */
  #above = "";
  #delimiter: string | undefined;
  /** Whether what follows belongs to a row that was refused. */
  #isSkipping = false;
  #isDone = false;
  #noChangeRow: number | undefined;
  #hasParts = false;

  constructor({ paths }: ReadOptions) {
    super();
    this.#known = paths;
  }

  get open(): Ask | undefined {
    const file = this.#file;
    if (file?.kind === "add") return this.#askOfNewFile(file);
    if (file?.kind === "update" && this.#hunk !== undefined && this.#hunk.rows.length > 0) {
      return toAsk(file, this.#hunk);
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
      this.refuse("cut-off", `The patch ends without "*** End Patch", so that it may be incomplete.${where}`, {
        row: this.#hunk?.row ?? row,
        path,
      });
    } else if (isCut && !this.#isDone) {
      this.refuse("cut-off", "The answer was stopped before it was done.");
    } else if (this.#noChangeRow !== undefined && !this.#hasParts) {
      this.tell({ kind: "no-change", row: this.#noChangeRow });
    }
    this.#isInside = false;
    this.#file = undefined;
    this.#hunk = undefined;
  }

  #takeOutside(row: AnswerRow): void {
    const mark = tryReadMark(row.text.trim());
    if (mark?.kind === "begin" || mark?.kind === "file") {
      this.#isInside = true;
      this.#isDone = false;
      this.#code = undefined;
      if (mark.kind === "begin") return;
      this.allow("marks", 'The patch begins without "*** Begin Patch".', { row: row.index });
      this.#takeInside(row);
      return;
    }
    const delimiter = /<<-?\s*(["']?)(\w+)\1/.exec(row.text)?.[2];
    if (delimiter !== undefined) this.#delimiter = delimiter;
    else if (this.#fence !== undefined && closesCode(row.text, this.#fence)) this.#closeFence(this.#fence);
    else if (this.#fence !== undefined) this.#takeCode(row);
    else this.#openFence(row);
    if (isNoChangeRow(row.text)) this.#noChangeRow ??= row.index;
    this.passBeside(row, "v4a");
  }

  #openFence(row: AnswerRow): void {
    this.#fence = tryReadCodeFence(row.text);
    if (this.#fence !== undefined) {
      const named = tryReadFenceInfoPath(this.#fence.info, this.#known) ?? tryReadPathRow(this.#above, this.#known);
      const path = this.#known.find((known) => known === named);
      this.#code = { row: row.index, path, isBlank: true };
    }
    if (row.text.trim() !== "") this.#above = row.text;
  }

  #takeCode(row: AnswerRow): void {
    if (this.#code !== undefined && row.text.trim() !== "") this.#code.isBlank = false;
  }

  #closeFence(fence: CodeFence): void {
    if (this.#code?.isBlank === false && this.#hasParts && !isShellFence(fence)) this.passCode(this.#code);
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
      this.refuse("cut-off", `The JSON string of row ${row.index + 1} does not end, or is broken.`, { row: row.index });
      return;
    }
    for (const text of patch.split(/\r?\n/)) this.takeRow({ index: row.index, text });
  }

  #takeInside(row: AnswerRow): void {
    // Blanks around a mark mean nothing, but within a hunk a row that begins with one is a line that stays.
    const mark = tryReadMark(this.#hunk === undefined ? row.text.trim() : row.text.trimEnd());
    if (mark !== undefined) {
      this.#takeMark(mark, row);
    } else if (row.text === this.#delimiter || (this.#fence !== undefined && closesAround(row.text, this.#fence))) {
      this.allow("marks", `The patch ends in row ${row.index + 1} without "*** End Patch".`, { row: row.index });
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
    if (file?.kind === "update") {
      this.#takeHunkRow(file, row);
    } else if (file?.kind === "add") {
      if (!row.text.startsWith("+") && row.text !== "") file.unmarkedRow ??= row.index;
      file.lines.push(row.text.startsWith("+") ? row.text.slice(1) : row.text);
      // An empty row may be one of the file, or stand between it and the next mark.
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
      if (this.#hunk !== undefined && this.#hunk.rows.length > 0) this.#closeHunk();
      const hunk = this.#openHunk(file, row.index);
      const [, number] = /^-(\d{1,9})(?:,\d+)? \+\d/.exec(heading) ?? [];
      if (number !== undefined) hunk.near = Math.max(0, Number(number) - 1);
      else if (heading.replace(/@@$/, "").trim() !== "") hunk.headings.push(heading.replace(/\s*@@$/, ""));
      return;
    }
    if (row.text === "" && this.#hunk === undefined) return;
    const hunk = this.#openHunk(file, row.index);
    const { mark, text, isMarked } = readHunkRow(row.text);
    if (!isMarked) hunk.unmarkedRow ??= row.index;
    hunk.rows.push({ mark, text });
    // As above: an empty row counts once another one follows.
    if (row.text !== "") hunk.length = hunk.rows.length;
  }

  #openHunk(file: OpenFile, row: number): OpenHunk {
    file.isBare = false;
    this.#hunk ??= { row, headings: [], rows: [], length: 0 };
    return this.#hunk;
  }

  #closeHunk(): void {
    const hunk = this.#hunk;
    const file = this.#file;
    this.#hunk = undefined;
    if (hunk === undefined || file === undefined) return;
    const { row } = hunk;
    hunk.rows.splice(hunk.length);
    file.hasHunks = true;
    this.#hasParts = true;
    if (hunk.rows.length === 0) {
      this.#refuseRow(`The hunk of row ${row + 1} has no rows.`, row);
    } else if (hunk.rows.every(({ mark }) => mark === " ")) {
      const message = `The hunk of row ${row + 1} has no row that begins with "-" or "+", so that it changes nothing.`;
      this.refuse("no-change", message, { row, path: file.path });
    } else {
      const { unmarkedRow } = hunk;
      if (unmarkedRow !== undefined) {
        const message = `Row ${unmarkedRow + 1} has no mark in front; it was taken for a line that stays.`;
        this.allow("marks", message, { row: unmarkedRow, path: file.path });
      }
      this.ask(toAsk(file, hunk));
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
      this.ask({ kind: "remove", row, path });
    } else if (kind === "add") {
      if (unmarkedRow !== undefined) {
        this.allow("marks", `Row ${unmarkedRow + 1} of a new file has no "+" in front.`, { row: unmarkedRow, path });
      }
      this.ask(this.#askOfNewFile(file));
    } else if (to !== undefined) {
      this.ask({ kind: "move", row, path, to });
    } else if (file.hasHunks !== true) {
      this.refuse("no-edits", `The update of ${path} has no hunk.`, { row, path });
    }
  }

  /** A file that was shown is replaced by one that is added under its path, as upstream. */
  #askOfNewFile({ path, row, lines, length = 0 }: OpenFile): Ask {
    const isShown = this.#known.includes(normalizedPath(path) ?? path);
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
    this.refuse("unreadable-row", message, { row, path: this.#file?.path });
    this.#hasParts = true;
  }
}

interface OpenFile {
  readonly kind: "update" | "add" | "delete";
  readonly path: string;
  readonly row: number;
  readonly lines: string[];
  /** How many of the lines surely belong to it. */
  length?: number;
  /** Whether nothing stands below its row yet. */
  isBare: boolean;
  to?: string;
  hasHunks?: boolean;
  unmarkedRow?: number;
}

interface OpenHunk {
  readonly row: number;
  readonly headings: string[];
  readonly rows: HunkRow[];
  /** How many of the rows surely belong to it. */
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
  if (/^end patch$/i.test(words)) return { kind: "end" };
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

function toAsk(file: OpenFile, { row, headings, rows, near, isAtEnd }: OpenHunk): BlockAsk {
  return {
    kind: "block",
    row,
    path: file.path,
    search: oldLines(rows),
    replace: newLines(rows),
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
