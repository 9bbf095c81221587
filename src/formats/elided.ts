import { diffSequences, EmendError, type FileChangeTexts } from "../text/index.ts";
import type { EditFormat } from "./edit-format.ts";
import type { EditOperation, OperationOrigin } from "./edit-operation.ts";
import { indentOf } from "./placing/indent-change.ts";
import { type IndentUnit, indentUnits } from "./placing/indent-units.ts";
import { fileLines } from "./placing/line-table.ts";
import { blankLines, type Stretch, spineOf } from "./placing/merge-elided.ts";
import { AnswerAfterReasoning } from "./reading/answer-after-reasoning.ts";
import { type AnswerRow, RowReader } from "./reading/answer-rows.ts";
import { checkedAnswer } from "./reading/checked-answer.ts";
import { type CodeFence, closesCode, isShellFence, tryReadCodeFence } from "./reading/code-fence.ts";
import { isElision } from "./reading/is-elision.ts";
import { isNoChangeRow, noChangeRow } from "./reading/no-change-row.ts";
import { normalizedPath, suffixMatch } from "./reading/path-match.ts";
import { printPathRow, tryReadFenceInfoPath, tryReadPathAbove, tryReadPathRow } from "./reading/path-row.ts";
import { isProseFile, readsAsWords } from "./reading/reads-as-words.ts";
import { tryOutdent } from "./reading/wrapped-code.ts";
import { fenceFor, showFenced } from "./show-file.ts";

/**
 * New code with rows such as `// ... existing code ...` for unchanged lines, as chats and apply
 * models write it.
 *
 * Easy to write and hard to resolve: an operation is applied only where its place is unambiguous.
 * It cannot express the deletion or move of a file, nor many small changes that other formats can.
 */
export const elided: EditFormat = {
  name: "elided",
  title: "new code, with remarks for what stays",
  instructions: `Answer with the parts of each file that change, in a fenced block below its path. A remark \`... existing code ...\` stands for lines that stay as they are:

src/math.ts
\`\`\`ts
// ... existing code ...

export function half(value: number) {
  return value / 2;
}

// ... existing code ...
\`\`\`

Rules:

- Write whole functions, members and statements. Within a class or a function, show its first line and its last, and the remark for what stays inside.
- Write the remark in the style of the language, alone on its row, wherever lines are left out.
- What stands between two parts without such a remark is all that is to be there. To delete a function, show what is in front of it and what is behind it, both as they are.
- A new statement stands next to a statement that is there already, repeated above it or below it.
- A new file is written in full.
- If nothing needs to be changed, answer \`${noChangeRow}\`
`,
  showFile: ({ path, text }) => showFenced(path, text),
  read: (options) => new AnswerAfterReasoning(() => new ElidedReader(options)),
  encode: (changes) => {
    const blocks = changes.flatMap(encodeChange);
    return checkedAnswer(elided, changes, blocks.length === 0 ? `${noChangeRow}\n` : blocks.join("\n"));
  },
};

function encodeChange(change: FileChangeTexts): readonly string[] {
  const { before, after, path, pathBefore = path } = change;
  if ((before !== undefined && after === undefined) || path !== pathBefore) {
    throw new EmendError("not-encodable", "The format elided cannot say that a file goes or moves.");
  }
  if (after === undefined || before === after) return [];
  const lines = fileLines(after);
  if (before === undefined) return [printBlock(path, lines)];
  const row = remarkFor(path);
  let last: unknown;
  // Leave out as much as can be restored unambiguously.
  for (const depth of [3, 1, 0, undefined]) {
    const shown = depth === undefined ? lines : elide(fileLines(before), lines, { row, depth });
    try {
      return [checkedAnswer(elided, [change], printBlock(path, shown))];
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

function printBlock(path: string, lines: readonly string[]): string {
  const content = lines.map((line) => `${line}\n`).join("");
  const fence = fenceFor(content);
  const language = /\.([\w+-]+)$/.exec(path)?.[1] ?? "";
  return `${printPathRow(path)}\n${fence}${language}\n${content}${fence}\n`;
}

function remarkFor(path: string): string {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  const [, open = "//", close = ""] = remarks.find(([endings]) => endings!.split(" ").includes(ending)) ?? [];
  return `${open} ... existing code ...${close}`;
}

/** The comment syntax by file extension, where it is not `//`. */
const remarks: readonly (readonly string[])[] = [
  ["py pyi rb sh bash zsh yml yaml toml pl r jl ex exs tf nix cmake mk dockerfile conf ini", "#"],
  ["html htm xml svg vue svelte md mdx", "<!--", " -->"],
  ["css", "/*", " */"],
  ["sql lua hs elm ada", "--"],
  ["lisp clj cljs cljc el scm rkt", ";;"],
  ["tex erl", "%"],
];

/**
 * Reads code in fences, in which rows such as `// ... existing code ...` represent unchanged lines.
 *
 * The path is above the fence, in its info string, or in a comment in its first row. A fence
 * without a path belongs to the only file that was shown. An answer without any fence is read as
 * code if it looks like code.
 */
class ElidedReader extends RowReader {
  readonly #bare: AnswerRow[] = [];
  /** The last row outside of fences that is not blank. */
  #above: AnswerRow | undefined;
  #block: OpenBlock | undefined;
  #hasFence = false;

  get open(): EditOperation | undefined {
    return this.#block && this.#operationOf({ ...this.#block, lines: linesOf(this.#block) });
  }

  protected takeRow(row: AnswerRow): void {
    const block = this.#block;
    if (block === undefined) {
      this.#takeOutside(row);
      return;
    }
    const inner = tryReadCodeFence(row.text);
    if (inner?.kind === "marks" && block.fence.kind === "marks" && inner.marks.startsWith(block.fence.marks)) {
      // A fence with a language opens a nested one inside of the code.
      block.depth += inner.info === "" ? -1 : 1;
    } else if (closesCode(row.text, block.fence)) {
      block.depth--;
    }
    if (block.depth > 0) {
      block.rows.push(row);
      return;
    }
    this.#block = undefined;
    this.#close(block);
  }

  protected takeEnd(isCut: boolean): void {
    const block = this.#block;
    this.#block = undefined;
    if (block !== undefined) {
      const message = `The fence of row ${block.row + 1} is not closed, so that its code may be incomplete.`;
      this.addRefusal("cut-off", message, { row: block.row, path: block.path });
    } else if (isCut) {
      this.addRefusal("cut-off", "The answer was stopped before it was done.");
    } else if (!this.#hasFence) {
      this.#takeBare();
    } else {
      const beside = this.#bare.find(({ text }) => text.trim() !== "" && !this.#isProseOrPath(text));
      if (beside !== undefined) this.reportSkippedRow(beside);
    }
  }

  /** Whether a row outside of fences is prose or the path of a file. */
  #isProseOrPath(text: string): boolean {
    return readsAsWords(text) || isNoChangeRow(text) || tryReadPathRow(text, this.known) !== undefined;
  }

  #takeOutside(row: AnswerRow): void {
    const fence = tryReadCodeFence(row.text);
    if (fence === undefined) {
      this.#bare.push(row);
      if (row.text.trim() !== "") this.#above = row;
      this.skipRow(row, "elided");
      return;
    }
    this.#hasFence = true;
    if (!isShellFence(fence)) this.refuseCodeInFence(row, fence.info, this.known);
    const inside = tryReadFenceInfoPath(fence.info, this.known);
    const above = this.#above === undefined ? undefined : tryReadPathRow(this.#above.text, this.known);
    let path = inside ?? above;
    let isUnclear = false;
    if (path === undefined && this.#above !== undefined) {
      const pathAbove = tryReadPathAbove(this.#above.text, this.known);
      path = pathAbove?.path;
      if (pathAbove?.kind === "words") {
        const message = `The file was taken from the words of row ${this.#above.index + 1}.`;
        this.addNormalization("path", message, { row: row.index, path });
      } else if (pathAbove?.kind === "unclear") {
        isUnclear = true;
      }
    }
    this.#above = undefined;
    this.#block = { fence, fenceRow: row.text, row: row.index, path, isUnclear, rows: [], depth: 1 };
  }

  #close(block: OpenBlock): void {
    // A shell block is commands and their output, unless a file is named.
    if (block.path === undefined && isShellFence(block.fence)) return;
    const [first] = block.rows;
    const inside = first === undefined || !isRemark(first.text) ? undefined : tryReadPathRow(first.text, this.known);
    if (block.path === undefined && inside !== undefined) {
      block.path = inside;
      block.rows.shift();
    }
    if (block.rows.every(({ text }) => text.trim() === "") && block.path === undefined) return;
    if (block.isUnclear && !isShellFence(block.fence)) {
      this.refuseUnclearPath(block);
      return;
    }
    const { row, fence, fenceRow } = block;
    // The indentation of the part in its file is found when it is resolved.
    const lines = tryOutdent(linesOf(block), fenceRow) ?? linesOf(block);
    const code = this.tryUnwrap({ row, path: block.path, lines }, "code");
    if (code === undefined || this.refuseEditInCode({ ...code, row, info: fence.info }, "elided")) return;
    this.addOperation(this.#operationOf({ ...code, row }));
  }

  #operationOf({ row, path, lines }: OperationOrigin & { readonly lines: readonly string[] }): EditOperation {
    const isWhole = path !== undefined && !this.#isShown(path) && !lines.some((line) => isElision(line, path));
    return { kind: isWhole ? "create" : "elided", row, path, lines };
  }

  #isShown(path: string): boolean {
    const isKnown = this.known.includes(normalizedPath(path) ?? path);
    return isKnown || suffixMatch(path, this.known, { isLoose: true }) !== undefined;
  }

  /**
   * Removes prose at the start and at the end of rows, where a blank row separates it from the
   * code.
   */
  #withoutProse(rows: AnswerRow[]): AnswerRow[] {
    if (isProseFile(this.known[0] ?? "")) return rows;
    const isBlank = (row: AnswerRow | undefined) => row?.text.trim() === "";
    const isProseRow = ({ text }: AnswerRow) => readsAsWords(text) && !isElision(text);
    const code = rows.findIndex((row) => !isBlank(row) && !isProseRow(row));
    const lastCode = rows.findLastIndex((row) => !isBlank(row) && !isProseRow(row));
    const start = isBlank(rows[code - 1]) ? code : 0;
    const end = isBlank(rows[lastCode + 1]) ? lastCode + 1 : rows.length;
    if (code < 0 || (start === 0 && end === rows.length)) return rows;
    this.addNormalization("marks", "Words beside the code were left out.", {
      row: rows[start > 0 ? 0 : end + 1]!.index,
    });
    return rows.slice(start, end);
  }

  /** Reads an answer without fences. */
  #takeBare(): void {
    const first = this.#bare.findIndex(({ text }) => text.trim() !== "");
    const last = this.#bare.findLastIndex(({ text }) => text.trim() !== "");
    const rows = this.#withoutProse(this.#bare.slice(first, last + 1));
    const isCode = rows.some(({ text }) => isElision(text) || /[{}();=<>]|:\s*$|^\s{2,}\S/.test(text));
    if (first >= 0 && isCode && this.known.length === 1) {
      const row = rows[0]!.index;
      this.addNormalization("fence", "The answer has no fence; all of it was taken for code.", { row });
      this.addOperation(this.#operationOf({ row, path: undefined, lines: rows.map(({ text }) => text) }));
    } else if (this.noChangeRow !== undefined) {
      this.addPart({ kind: "no-change", row: this.noChangeRow });
    }
  }
}

interface OpenBlock {
  readonly fence: CodeFence;
  /** The row of the fence, with its indentation. */
  readonly fenceRow: string;
  readonly row: number;
  path: string | undefined;
  /** Whether the path is ambiguous. */
  readonly isUnclear: boolean;
  rows: AnswerRow[];
  /** The number of open fences. */
  depth: number;
}

function linesOf({ rows }: OpenBlock): readonly string[] {
  return rows.map(({ text }) => text);
}

function isRemark(row: string): boolean {
  return /^\s*(?:\/\/|#|--|;|%|\/\*|<!--)/.test(row);
}

/** The options of {@link elide}. */
export interface ElideOptions {
  /** The row that represents unchanged lines, without its indentation. */
  readonly row: string;
  /**
   * The nesting depth down to which lines may be left out: 0 for whole units at the top level only.
   */
  readonly depth: number;
}

/**
 * Returns the lines of `after`, with one row in place of stretches that did not change.
 *
 * Each change is shown with a neighbouring unit on either side, which identifies its place.
 */
function elide(before: readonly string[], after: readonly string[], options: ElideOptions): readonly string[] {
  const whole = (lines: readonly string[]): Stretch => ({ start: 0, end: lines.length });
  return elideStretch({ before, after, ...options }, { before: whole(before), after: whole(after) }, options.depth);
}

interface Sides {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly row: string;
}

interface Stretches {
  readonly before: Stretch;
  readonly after: Stretch;
}

function elideStretch(sides: Sides, at: Stretches, depth: number): readonly string[] {
  const old = unitsOf(sides.before, at.before);
  const units = unitsOf(sides.after, at.after);
  const textOf = (lines: readonly string[]) => (unit: IndentUnit) => lines.slice(unit.leadStart, unit.end).join("\n");
  const changes = diffSequences(old.map(textOf(sides.before)), units.map(textOf(sides.after)));
  const out: string[] = [];
  let passed = 0;
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of changes) {
    const isPair = beforeEnd - beforeStart === 1 && afterEnd - afterStart === 1;
    const found = isPair ? { before: old[beforeStart]!, after: units[afterStart]! } : undefined;
    // A changed unit whose first line stays identifies its place itself.
    const pair = found !== undefined && hasSameHead(sides, found) ? found : undefined;
    const from = Math.max(passed, pair === undefined ? afterStart - 1 : afterStart);
    if (from > passed) out.push(...leftOut(sides, units[passed]!));
    for (const unit of units.slice(from, afterStart)) out.push(...kept(sides, unit, depth));
    if (pair !== undefined && depth > 0 && pair.after.end - pair.after.start > 4) {
      out.push(...elidePair(sides, pair, depth));
    } else {
      for (const unit of units.slice(afterStart, afterEnd)) out.push(...written(sides, unit));
    }
    passed = afterEnd;
    // The following neighbour marks the end of a deletion or an insertion.
    const [next] = units.slice(passed);
    if (next !== undefined && pair === undefined) {
      out.push(...kept(sides, next, depth));
      passed++;
    }
  }
  if (passed < units.length) out.push(...leftOut(sides, units[passed]!));
  return out;
}

/** The lines of a unit of which only some inner lines change. */
function elidePair(
  sides: Sides,
  { before, after }: { readonly before: IndentUnit; readonly after: IndentUnit },
  depth: number,
): readonly string[] {
  const spine = spineOf(sides.after, after);
  const otherSpine = spineOf(sides.before, before);
  if (spine.length !== otherSpine.length) return written(sides, after);
  const out = [...blankLines(after.blanks), ...sides.after.slice(after.leadStart, after.start)];
  for (const [i, line] of spine.entries()) {
    out.push(sides.after[line]!);
    const inner = { start: line + 1, end: spine[i + 1] ?? after.end };
    const otherInner = { start: otherSpine[i]! + 1, end: otherSpine[i + 1] ?? before.end };
    const lines = sides.after.slice(inner.start, inner.end);
    const same = lines.join("\n") === sides.before.slice(otherInner.start, otherInner.end).join("\n");
    if (same) out.push(...(lines.length > 2 ? [indentOf(firstText(lines)) + sides.row] : lines));
    else out.push(...elideStretch(sides, { before: otherInner, after: inner }, depth - 1));
  }
  return out;
}

/**
 * The lines of a neighbouring unit: all of them, or only the first and last lines of a long one.
 */
function kept(sides: Sides, unit: IndentUnit, depth: number): readonly string[] {
  const spine = spineOf(sides.after, unit);
  const [first, last] = spine;
  const isLong = depth > 0 && spine.length === 2 && unit.end - unit.start > 5 && last === unit.end - 1;
  if (!isLong) return written(sides, unit);
  const row = indentOf(firstText(sides.after.slice(first! + 1, last))) + sides.row;
  return [...blankLines(unit.blanks), ...sides.after.slice(unit.leadStart, unit.start + 1), row, sides.after[last!]!];
}

function leftOut({ after, row }: Sides, unit: IndentUnit): readonly string[] {
  return [...blankLines(unit.blanks), indentOf(after[unit.start]!) + row];
}

function written({ after }: Sides, unit: IndentUnit): readonly string[] {
  return [...blankLines(unit.blanks), ...after.slice(unit.leadStart, unit.end)];
}

function hasSameHead(
  sides: Sides,
  { before, after }: { readonly before: IndentUnit; readonly after: IndentUnit },
): boolean {
  return sides.before[before.start] === sides.after[after.start] && after.end - after.start > 1;
}

function unitsOf(lines: readonly string[], stretch: Stretch): readonly IndentUnit[] {
  return indentUnits(lines, stretch).filter((item) => item.kind === "unit");
}

function firstText(lines: readonly string[]): string {
  return lines.find((line) => line.trim() !== "") ?? "";
}
