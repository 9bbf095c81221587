import type { BlockEdit, EditOperation } from "./edit-operation.ts";
import { type FindReplaceBlock, FindReplaceBlocks, tryReadSectionMark } from "./find-replace-blocks.ts";
import { type AnswerRow, RowReader } from "./reading/answer-rows.ts";
import { type CodeFence, closesCode, isShellFence, tryReadCodeFence } from "./reading/code-fence.ts";
import { type PathAbove, tryReadFenceInfoPath, tryReadPathAbove, tryReadPathRow } from "./reading/path-row.ts";
import { readsAsWords } from "./reading/reads-as-words.ts";
import {
  isDivider,
  isLongDivider,
  type SearchReplaceMark,
  tryReadSearchReplaceMark,
  unescapeSearchReplaceRow,
  usualLength,
} from "./search-replace-marks.ts";

/**
 * Reads search/replace blocks in the dialects of aider, Cline and Roo, and those of earlier
 * Copilots, see `FindReplaceBlocks`.
 *
 * A block is reported at its last mark, so that the surrounding rows can distinguish the divider
 * from code that looks like it. The path is above the fence, in its info string, inside of it, or
 * in the previous block.
 */
export class SearchReplaceReader extends RowReader {
  /** The file of the previous block. */
  #path: string | undefined;
  /** The last row outside of blocks that is not blank. */
  #above: AnswerRow | undefined;
  /** The row directly above that one, where it ends like a path cut by a line break. */
  #cutPath: AnswerRow | undefined;
  /** The paths of rows since the previous block, with the last row of each. */
  readonly #named = new Map<string, number>();
  #fence: OpenFence | undefined;
  #block: OpenBlock | undefined;
  /** The reader of blocks in the format of earlier Copilots. */
  readonly #sections = new FindReplaceBlocks(this.known);
  /** Blocks that replace lines by the same lines. */
  readonly #unchangedBlocks: Pick<OpenBlock, "row" | "path">[] = [];
  #hasOperations = false;
  #hasRefusals = false;

  get open(): EditOperation | undefined {
    const block = this.#block;
    if (block === undefined || block.fault !== undefined) return undefined;
    const { rows, near } = takeHints(block);
    const divider = rows.findIndex(({ text }) => isDivider(text));
    const end = divider < 0 ? rows.length : divider;
    return toOperation(block, rows.slice(0, end), divider < 0 ? [] : rows.slice(end + 1), near);
  }

  protected takeRow(row: AnswerRow): void {
    const block = this.#block;
    if (block === undefined && (this.#sections.isOpen || tryReadSectionMark(row.text) !== undefined)) {
      this.#takeSections(this.#sections.take(row));
      return;
    }
    const mark = tryReadSearchReplaceMark(row.text);
    if (block === undefined) {
      this.#takeOutside(row, mark);
    } else if (mark?.kind === "close" && mark.indent === block.indent && mayClose(mark, block)) {
      this.#block = undefined;
      this.#close(block, row, mark);
    } else if (mark?.kind === "open" && mark.indent === block.indent && mark.hasWord) {
      this.#refuseBlock(block, missingEnd(block));
      this.#begin(row, mark);
    } else {
      block.rows.push(row);
    }
  }

  protected takeEnd(isCut: boolean): void {
    const block = this.#block;
    this.#block = undefined;
    this.#takeSections(this.#sections.end(isCut));
    if (block !== undefined && !isCut && this.#closeLast(block)) {
      this.addNormalization(
        "marks",
        `The block of row ${block.row.index + 1}, the last one, has no row ">>>>>>> REPLACE".`,
        {
          row: block.row.index,
          path: block.path,
        },
      );
    } else if (block !== undefined) {
      const message = `The answer ends inside of the block of row ${block.row.index + 1}, before ">>>>>>> REPLACE".`;
      this.addRefusal("cut-off", message, { row: block.row.index, path: block.path });
    } else if (isCut) {
      this.addRefusal("cut-off", "The answer was stopped before it was done.");
    }
    for (const { row, path } of this.#unchangedBlocks) {
      const message = `The block of row ${row.index + 1} puts the same lines in the place of lines.`;
      // Beside other edits it is padding; alone it would be a success without effect.
      if (this.#hasOperations) this.addNormalization("marks", `${message} It was left out.`, { row: row.index, path });
      else this.addRefusal("no-change", message, { row: row.index, path });
    }
    const hasParts =
      this.#hasOperations || this.#hasRefusals || this.#unchangedBlocks.length > 0 || block !== undefined || isCut;
    if (this.noChangeRow !== undefined && !hasParts) this.addPart({ kind: "no-change", row: this.noChangeRow });
  }

  #takeSections(found: FindReplaceBlock | undefined): void {
    if (found === undefined) return;
    if (found.kind === "refused") {
      this.addRefusal(found.refusal, found.message, { row: found.row, path: found.path });
      this.#hasRefusals = true;
    } else if (found.search.length > 0 && hasSameLines(found)) {
      this.#unchangedBlocks.push({ row: { index: found.row, text: "" }, path: found.path });
    } else {
      this.addOperation(found);
      this.#hasOperations = true;
    }
  }

  #takeOutside(row: AnswerRow, mark: SearchReplaceMark | undefined): void {
    if (mark?.kind === "open") {
      this.#begin(row, mark);
      return;
    }
    if (mark?.kind === "close" && mark.hasWord) {
      const message = `Row ${row.index + 1} ends a block that no "<<<<<<< SEARCH" has begun.`;
      this.#refuseRow(message, row.index, this.#fence?.path);
      return;
    }
    if (this.#fence !== undefined && closesCode(row.text, this.#fence.fence)) {
      this.#closeFence(this.#fence);
      return;
    }
    const fence = this.#fence === undefined ? tryReadCodeFence(row.text) : undefined;
    if (fence !== undefined) {
      const path = tryReadFenceInfoPath(fence.info, this.known) ?? this.#pathAbove();
      this.#fence = { fence, row: row.index, path, isFirst: true, isBlank: true, above: this.#above };
      this.#above = undefined;
    } else if (row.text.trim() !== "") {
      if (this.#fence !== undefined) this.#fence.isBlank = false;
      this.#takeWords(row);
    }
  }

  #takeWords(row: AnswerRow): void {
    if (!wrapper.test(row.text.trim())) {
      const previous = this.#above;
      this.#cutPath = previous?.index === row.index - 1 && endsLikePath(previous.text) ? previous : undefined;
      this.#above = row;
      const path = this.#fence === undefined ? tryReadPathRow(row.text, this.known) : undefined;
      if (path !== undefined) this.#named.set(path, row.index);
      this.skipRow(row, "search-replace");
    }
  }

  #begin(row: AnswerRow, mark: SearchReplaceMark): void {
    const { isFirst, path: fencePath, above: aboveFence } = this.#fence ?? {};
    const onMark = mark.rest === "" ? undefined : tryReadPathRow(mark.rest, this.known);
    let path = onMark ?? this.#pathAbove() ?? (isFirst === true ? fencePath : undefined);
    let isUnclear = false;
    if (path === undefined) {
      const words = this.#above ?? (isFirst === true ? aboveFence : undefined);
      const pathAbove: PathAbove | undefined =
        words === undefined ? undefined : tryReadPathAbove(words.text, this.known);
      path = pathAbove?.path;
      if (pathAbove?.kind === "words") {
        this.addNormalization("path", `The file was taken from the words of row ${words!.index + 1}.`, {
          row: row.index,
          path,
        });
      } else if (pathAbove?.kind === "unclear") {
        isUnclear = true;
      } else if (pathAbove === undefined && this.#named.size > 0) {
        const [[named, namedRow]] = [...this.#named].slice(-1) as [[string, number]];
        path = named;
        isUnclear = this.#named.size > 1;
        if (!isUnclear)
          this.addNormalization("path", `The file was taken from row ${namedRow + 1}.`, { row: row.index, path });
      }
    }
    this.#named.clear();
    if (path !== undefined && this.#cutPath !== undefined) {
      const rows = `Row ${this.#cutPath.index + 1}, right above the path ${path}, ends like a path`;
      this.addNormalization("path", `${rows}. A path has no line break.`, { row: row.index, path });
    }
    this.#cutPath = undefined;
    path ??= this.#path;
    const fault =
      mark.rest !== "" && onMark === undefined
        ? `Row ${row.index + 1} has text behind its mark. Code begins on the row below.`
        : undefined;
    this.#block = { row, path, isUnclear, indent: mark.indent, length: mark.length, rows: [], fault };
    this.#path = path;
    this.#above = undefined;
    if (this.#fence !== undefined) this.#fence.isFirst = false;
    if (!mark.isPlain || onMark !== undefined) {
      this.addNormalization("marks", `The mark of row ${row.index + 1} is written "<<<<<<< SEARCH".`, {
        row: row.index,
        path,
      });
    }
  }

  #close(block: OpenBlock, row: AnswerRow, mark: SearchReplaceMark): void {
    const { rows, near, fault } = takeHints(block);
    const dividers = dividersIn(rows, block);
    const message = block.fault ?? fault ?? faultOf(rows, dividers, row, mark);
    const splits = (dividers.length > maxReadings ? [] : dividers)
      .map((i) => toOperation(block, rows.slice(0, i), rows.slice(i + 1), near))
      .filter(isSplit);
    if (message !== undefined && (splits.length < 2 || block.isUnclear)) {
      this.#refuseBlock(block, message);
      return;
    }
    if (message !== undefined) {
      // The content of the file decides which of the rows is the divider.
      const [first, ...others] = splits;
      this.addOperation({ ...first!, otherReadings: { others, message } });
      this.#hasOperations = true;
      return;
    }
    const operation = toOperation(block, rows.slice(0, dividers[0]), rows.slice(dividers[0]! + 1), near);
    if (block.isUnclear) {
      this.refuseUnclearPath({ row: block.row.index, path: block.path });
      this.#hasRefusals = true;
      return;
    }
    this.#reportDivider(rows[dividers[0]!]!, block);
    const hintRow = block.rows[block.rows.length - rows.length - 1];
    if (hintRow !== undefined && /^-/.test(hintRow.text) && hintRow.text.trim().length !== usualLength) {
      const right = `The mark of row ${hintRow.index + 1} is written "-------".`;
      this.addNormalization("marks", right, { row: hintRow.index, path: block.path });
    }
    if (operation.search.length > 0 && hasSameLines(operation)) {
      this.#unchangedBlocks.push(block);
    } else {
      this.addOperation(operation);
      this.#hasOperations = true;
    }
    if (!mark.isPlain) {
      const right = `The mark of row ${row.index + 1} is written ">>>>>>> REPLACE".`;
      this.addNormalization("marks", right, { row: row.index, path: block.path });
    }
  }

  /**
   * Reads the last block of an answer without its last mark. Returns whether it is otherwise
   * complete.
   */
  #closeLast(block: OpenBlock): boolean {
    const rows = [...block.rows];
    const dropBlank = () => {
      while (rows.at(-1)?.text.trim() === "") rows.pop();
    };
    dropBlank();
    if (this.#fence !== undefined) {
      if (rows.length === 0 || !closesCode(rows.pop()!.text, this.#fence.fence)) return false;
      dropBlank();
    }
    const { rows: read, near, fault } = takeHints({ ...block, rows });
    const [divider, ...others] = dividersIn(read, block);
    if (block.fault !== undefined || fault !== undefined || divider === undefined || others.length > 0) return false;
    const operation = toOperation(block, read.slice(0, divider), read.slice(divider + 1), near);
    if (
      block.isUnclear ||
      hasSameLines(operation) ||
      !(this.#fence === undefined ? looksWhole(operation) : operation.search.length > 0)
    )
      return false;
    this.#reportDivider(read[divider]!, block);
    this.addOperation(operation);
    this.#hasOperations = true;
    return true;
  }

  /** Reports a divider of unusual length. */
  #reportDivider({ index, text }: AnswerRow, { path }: OpenBlock): void {
    if (text.trim().length === usualLength) return;
    this.addNormalization("marks", `The mark of row ${index + 1} is written "=======".`, { row: index, path });
  }

  /**
   * Refuses a fence that names a file and contains no block, since it may have been meant as an
   * edit.
   */
  #closeFence({ fence, row, path, isFirst, isBlank }: OpenFence): void {
    this.#fence = undefined;
    this.#above = undefined;
    if (!isFirst || isShellFence(fence)) return;
    if (path === undefined) {
      // Code before the edits is part of their explanation.
      if (this.#hasOperations && !isBlank) this.reportCode({ row, path });
      return;
    }
    const message = `The fence of row ${row + 1} names ${path} and holds no block that begins with "<<<<<<< SEARCH".`;
    this.#refuseRow(message, row, path);
  }

  #pathAbove(): string | undefined {
    return this.#above === undefined ? undefined : tryReadPathRow(this.#above.text, this.known);
  }

  #refuseBlock(block: OpenBlock, message: string): void {
    this.#refuseRow(message, block.row.index, block.path);
  }

  #refuseRow(message: string, row: number, path: string | undefined): void {
    this.addRefusal("unreadable-row", message, { row, path });
    this.#hasRefusals = true;
  }
}

interface OpenFence {
  readonly fence: CodeFence;
  readonly row: number;
  readonly path: string | undefined;
  /** The last row above it that is not blank. */
  readonly above: AnswerRow | undefined;
  /** Whether no block has begun in it. */
  isFirst: boolean;
  /** Whether it contains nothing outside of blocks. */
  isBlank: boolean;
}

interface OpenBlock {
  readonly row: AnswerRow;
  readonly path: string | undefined;
  /** Whether the path is ambiguous. */
  readonly isUnclear: boolean;
  /** The white space before its marks. */
  readonly indent: string;
  /** The number of signs in its first mark. */
  readonly length: number;
  readonly rows: AnswerRow[];
  readonly fault: string | undefined;
}

/** Marks without their word close a block only after a divider. */
function mayClose({ hasWord }: SearchReplaceMark, { rows }: OpenBlock): boolean {
  return hasWord || rows.some(({ text }) => isLongDivider(text));
}

/** Whether the last word of a row is a folder, or a path without an extension. */
function endsLikePath(row: string): boolean {
  const word = row
    .trimEnd()
    .split(/[\s`'"]/)
    .at(-1)!;
  return /[/\\][\w@-]*$/.test(word) && !word.includes("://");
}

/** Matches tags that tools put around blocks. */
const wrapper = /^<\/?[a-z_]+>(?:<!\[CDATA\[)?$|^\]\]>/;

/** Removes Roo's hints, `:start_line:12` and the row of dashes below, from the rows of a block. */
function takeHints({ rows }: OpenBlock): {
  readonly rows: readonly AnswerRow[];
  readonly near: number | undefined;
  readonly fault?: string;
} {
  let count = 0;
  let near: number | undefined;
  for (; count < rows.length; count++) {
    const [, which, number] = /^:(start|end)_line:\s*(\d{1,9})\s*$/.exec(rows[count]!.text) ?? [];
    if (which === undefined) break;
    if (which === "start") near = Math.max(0, Number(number) - 1);
  }
  const next = rows[count]?.text ?? "";
  if (/^:(?=[^:]*line)[\w ]*:/i.test(next)) {
    const fault = `Row ${rows[count]!.index + 1} is no hint as ":start_line:12".`;
    return { rows, near, fault };
  }
  return { rows: rows.slice(count > 0 && /^-{4,}\s*$/.test(next) ? count + 1 : count), near };
}

/**
 * The indexes of the rows that may divide a block; one if it is well-formed. Rows of unusual length
 * count only without any other.
 */
function dividersIn(rows: readonly AnswerRow[], block: OpenBlock): readonly number[] {
  const usual = dividersOf(rows, block, isDivider);
  return usual.length > 0 ? usual : dividersOf(rows, block, isLongDivider);
}

function dividersOf(
  rows: readonly AnswerRow[],
  { indent, length }: OpenBlock,
  divides: (row: string) => boolean,
): readonly number[] {
  const found: number[] = [];
  let isInConflict = false;
  for (const [i, { text }] of rows.entries()) {
    // A git conflict in the code has a divider of its own.
    if (/^<{7} \S/.test(text)) isInConflict = true;
    else if (/^>{7} \S/.test(text)) isInConflict = false;
    else if (!isInConflict && divides(text) && text.startsWith(`${indent}=`)) found.push(i);
  }
  const narrower = [
    // Prefers dividers as long as the other marks.
    (i: number) => rows[i]!.text.trim().length === length,
    // Excludes underlines of titles.
    (i: number) => !isUnderline(rows[i]!.text, rows[i - 1]?.text ?? ""),
  ];
  let left: readonly number[] = found;
  for (const holds of narrower) {
    const fewer = left.filter(holds);
    if (left.length > 1 && fewer.length > 0) left = fewer;
  }
  return left;
}

function isUnderline(row: string, title: string): boolean {
  return /[\p{L}\p{N}]/u.test(title) && title.trim().length === row.trim().length;
}

function faultOf(
  rows: readonly AnswerRow[],
  dividers: readonly number[],
  row: AnswerRow,
  mark: SearchReplaceMark,
): string | undefined {
  if (mark.rest !== "" && !/^[`~]+$|^<\/\w+>$/.test(mark.rest)) {
    return `Row ${row.index + 1} has text behind its mark. The mark ends the block and its row.`;
  }
  if (dividers.length === 0)
    return `The block that ends in row ${row.index + 1} has no row "=======" between its halves.`;
  if (dividers.length === 1) return undefined;
  const numbers = dividers.map((i) => rows[i]!.index + 1).join(" and ");
  return `Rows ${numbers} could all be the divider of their block. A block has one "=======", and a row of code that reads so gets a backslash in front.`;
}

function missingEnd({ row, rows }: OpenBlock): string {
  const glued = rows.find(({ text }) => />{5,9} REPLACE\s*$/.test(text));
  const where = glued === undefined ? "" : ` It needs a row of its own, unlike in row ${glued.index + 1}.`;
  return `The block of row ${row.index + 1} has no row ">>>>>>> REPLACE" at its end.${where}`;
}

function toOperation(
  { row, path }: OpenBlock,
  search: readonly AnswerRow[],
  replace: readonly AnswerRow[],
  near: number | undefined,
): BlockEdit {
  const lines = (rows: readonly AnswerRow[]) => rows.map(({ text }) => unescapeSearchReplaceRow(text));
  const operation: BlockEdit = { kind: "block", row: row.index, path, search: lines(search), replace: lines(replace) };
  return near === undefined ? operation : { ...operation, near };
}

/** The most readings of one block. */
const maxReadings = 8;

/**
 * Whether the old half of a block is not empty and neither half begins or ends with a possible
 * divider.
 */
function isSplit({ search, replace }: BlockEdit): boolean {
  const ends = [search[0], search.at(-1), replace[0], replace.at(-1)];
  return search.length > 0 && ends.every((line) => line === undefined || !isLongDivider(line));
}

/**
 * Whether the new lines of a block are complete although neither a mark nor a fence ends it: the
 * last one ends with the same sign as the last old one, as in `a();`, they are no fewer, open as
 * many brackets, and no prose follows.
 */
function looksWhole({ search, replace }: BlockEdit): boolean {
  const [last, lastOld] = [replace.at(-1)?.trim() ?? "", search.at(-1)?.trim() ?? ""];
  if (!/[^\p{L}\p{N}_]$/u.test(last) || last.at(-1) !== lastOld.at(-1) || /^[>+]/.test(last)) return false;
  if (replace.length < search.length && last !== lastOld) return false;
  const isProse = (line: string) => readsAsWords(line) || /^\p{Lu}\p{Ll}* \p{Ll}+ /u.test(line);
  const hasProse = replace.some((line, i) => i > 0 && replace[i - 1]!.trim() === "" && isProse(line));
  return !hasProse && search.length > 0 && openBrackets(replace) === openBrackets(search);
}

/** The surplus of opening brackets in lines, for each kind. */
function openBrackets(lines: readonly string[]): string {
  const text = lines.join("\n");
  return ["()", "[]", "{}"].map(([open, close]) => text.split(open!).length - text.split(close!).length).join();
}

function hasSameLines({ search, replace }: Pick<BlockEdit, "search" | "replace">): boolean {
  return search.length === replace.length && search.every((line, i) => line === replace[i]);
}
