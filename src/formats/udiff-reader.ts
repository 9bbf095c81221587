import { unquotePath } from "../text/index.ts";
import { type AnswerRow, type CodeBeside, RowReader } from "./answer-rows.ts";
import type { Ask, BlockAsk } from "./ask.ts";
import { type CodeFence, closesAround, isShellFence, tryReadCodeFence } from "./code-fence.ts";
import type { ReadOptions } from "./edit-format.ts";
import { type HunkRow, newLines, oldLines, readHunkRow } from "./hunk-rows.ts";
import { isNoChangeRow } from "./no-change-row.ts";
import { tryReadFenceInfoPath, tryReadPathRow } from "./path-row.ts";

/**
 * Reads unified diffs as tools and models write them.
 *
 * Another reader than `parseUnifiedDiff`, which believes the numbers: here the lines decide, and the numbers only say
 * near which line, because models count badly or leave them out. A hunk is told when the next one begins, the last one
 * at the end of its fence or of the answer.
 */
export class UdiffReader extends RowReader {
  readonly #known: readonly string[];
  #file: OpenFile | undefined;
  #hunk: OpenHunk | undefined;
  #fence: CodeFence | undefined;
  /** The fence, as long as no diff has begun in it. */
  #code: (CodeBeside & { isBlank: boolean }) | undefined;
  /** Rows `--- a` and `+++ b`, which are a header or lines of the hunk: the row behind them tells. */
  #held: AnswerRow[] = [];
  /** The last row outside of diffs that says something. */
  #above: AnswerRow | undefined;
  #wasEmpty = false;
  #noChangeRow: number | undefined;
  #hasParts = false;

  constructor({ paths }: ReadOptions) {
    super();
    this.#known = paths;
  }

  get open(): Ask | undefined {
    const file = this.#file;
    if (file === undefined) return undefined;
    if (isNew(file)) return toCreateAsk(file, this.#hunk?.rows ?? []);
    return this.#hunk === undefined || file.after === null ? undefined : toBlockAsk(file, this.#hunk);
  }

  protected takeRow(row: AnswerRow): void {
    const [minus, plus] = this.#held;
    if (minus === undefined) {
      if (row.text.startsWith("--- ")) this.#held = [row];
      else this.#take(row);
    } else if (plus === undefined && row.text.startsWith("+++ ")) {
      this.#held.push(row);
      if (this.#hunk === undefined) this.#takeHeader();
    } else if (plus !== undefined && this.#isHeader(minus, plus, row)) {
      this.#takeHeader();
      this.takeRow(row);
    } else {
      this.#releaseHeld();
      this.takeRow(row);
    }
  }

  protected takeEnd(isCut: boolean): void {
    if (isCut || (this.#fence !== undefined && this.#file !== undefined)) {
      const why = isCut ? "The answer was stopped before it was done" : "The fence around the diff is not closed";
      const path = this.#file?.path;
      this.refuse("cut-off", `${why}. Its last hunk is not taken.`, { row: this.#hunk?.row ?? this.#file?.row, path });
    } else {
      this.#releaseHeld();
      if (this.#hunk !== undefined && looksCut(this.#hunk)) this.#cutHunk(this.#hunk);
      this.#closeFile();
      if (this.#noChangeRow !== undefined && !this.#hasParts) {
        this.tell({ kind: "no-change", row: this.#noChangeRow });
      }
    }
    this.#held = [];
    this.#file = undefined;
    this.#hunk = undefined;
  }

  /** Refuses a hunk behind which nothing stands, though its head says that more lines follow. */
  #cutHunk(hunk: OpenHunk): void {
    hunk.isRefused = true;
    if (this.#file !== undefined) this.#file.isRefused = true;
    const message = `The answer ends inside of the hunk of row ${hunk.row + 1}: its head says that more lines follow. It is not taken.`;
    this.refuse("cut-off", message, { row: hunk.row, path: this.#file?.path });
  }

  /** Whether held rows begin a file, and are not the last lines of the hunk in front. */
  #isHeader(minus: AnswerRow, plus: AnswerRow, next: AnswerRow): boolean {
    const paths = [readHeaderPath(minus.text), readHeaderPath(plus.text)];
    if (paths.includes(null)) return true;
    const { stated, counts } = this.#hunk!;
    const fills = stated !== undefined && counts.before + 1 === stated.before && counts.after + 1 === stated.after;
    if (fills) return false;
    if (next.text.startsWith("@@")) return true;
    const [before, after] = withoutPrefixes(paths[0]!, paths[1]!);
    const isFull = stated === undefined || (counts.before >= stated.before && counts.after >= stated.after);
    return isFull && before === after && tryReadPathRow(after, this.#known) === after;
  }

  #takeHeader(): void {
    const [minus, plus] = this.#held;
    this.#held = [];
    const before = readHeaderPath(minus!.text);
    const after = readHeaderPath(plus!.text);
    // Behind git's own header these rows name its file again.
    const names = [before, after].flatMap((name) => (name === null ? [] : [name, ...withoutPrefixes(name, name)]));
    const isSame = [this.#file?.path, this.#file?.from].some((path) => path !== undefined && names.includes(path));
    if (isSame && this.#file?.isGit === true && !this.#file.isNamed && this.#hunk === undefined) {
      this.#file.isNamed = true;
      this.#file.isNew ||= before === null;
      this.#name(this.#file, before, after);
      return;
    }
    this.#closeFile();
    const file: OpenFile = {
      row: minus!.index,
      path: undefined,
      after,
      isNew: before === null,
      isGit: false,
      isNamed: true,
      lines: [],
    };
    this.#file = file;
    this.#name(file, before, after);
  }

  /** Settles which file two paths mean. Those of a rename are told in rows of their own; others are labels. */
  #name(file: OpenFile, before: string | null, after: string | null): void {
    file.after = after;
    if (before === null || after === null) {
      const path = after ?? before;
      if (path === null) return;
      const [stripped] = withoutPrefixes(path, path);
      file.path = this.#known.includes(path) ? path : stripped;
      return;
    }
    const pairs: readonly (readonly [string, string])[] = [[before, after], withoutPrefixes(before, after)];
    const known = pairs.flat().find((path) => this.#known.includes(path));
    const [a, b] = pairs[1]!;
    file.path = known ?? b;
    if (known === undefined && a !== b && this.#known.length === 1 && file.from === undefined) {
      file.path = undefined;
      const message = `The names ${a} and ${b} were taken for labels of ${this.#known[0]}.`;
      this.allow("path", message, { row: file.row, path: this.#known[0] });
    }
  }

  /** Takes held rows for lines of a hunk, or for words. */
  #releaseHeld(): void {
    const held = this.#held;
    this.#held = [];
    for (const row of held) this.#take(row);
  }

  #take(row: AnswerRow): void {
    if (this.#fence !== undefined && closesAround(row.text, this.#fence)) {
      this.#closeFile();
      if (this.#code?.isBlank === false && this.#hasParts && !isShellFence(this.#fence)) this.passCode(this.#code);
      this.#code = undefined;
      this.#fence = undefined;
      this.#above = undefined;
    } else if (row.text.startsWith("@@")) {
      this.#takeHunkHead(row);
    } else if (row.text.startsWith("diff --git ")) {
      this.#closeFile();
      const path = readGitPath(row.text.slice(11));
      this.#file = { row: row.index, path, after: path, isNew: false, isGit: true, isNamed: false, lines: [] };
    } else if (this.#hunk !== undefined) {
      this.#takeHunkRow(this.#hunk, row);
    } else {
      this.#takeOutside(row);
    }
    this.#wasEmpty = row.text === "";
  }

  #takeOutside(row: AnswerRow): void {
    const file = this.#file;
    if (file !== undefined && /^[-+ ]/.test(row.text)) {
      // A diff without any row of `@@`.
      this.#takeHunkRow(this.#openHunk(file, row.index), row);
      return;
    }
    if (file?.isGit === true && this.#takeGitRow(file, row)) return;
    const fence = this.#fence === undefined ? tryReadCodeFence(row.text) : undefined;
    if (fence !== undefined) {
      const inside = tryReadFenceInfoPath(fence.info, this.#known);
      const above = inside === undefined ? this.#above : { index: row.index, text: inside };
      this.#closeFile();
      this.#fence = fence;
      this.#above = above;
      const path = above === undefined ? undefined : tryReadPathRow(above.text, this.#known);
      const isKnown = path !== undefined && this.#known.includes(path);
      this.#code = { row: row.index, path: isKnown ? path : undefined, isBlank: true };
    } else if (row.text.trim() !== "") {
      if (this.#code !== undefined) this.#code.isBlank = false;
      this.#above = row;
      if (isNoChangeRow(row.text)) this.#noChangeRow ??= row.index;
      this.passBeside(row, "udiff");
    }
  }

  #takeGitRow(file: OpenFile, row: AnswerRow): boolean {
    const [, key, value = ""] =
      /^(new file mode|deleted file mode|rename from|rename to|copy from|copy to|old mode|new mode|similarity index|dissimilarity index|index|Binary files|GIT binary patch) ?(.*)$/.exec(
        row.text,
      ) ?? [];
    if (key === undefined) return false;
    if (key === "new file mode") file.isNew = true;
    if (key === "deleted file mode") file.after = null;
    if (key === "rename from") file.from = unquotePath(value);
    if (key === "rename to") file.to = unquotePath(value);
    if (/^(?:copy|Binary|GIT)/.test(key)) {
      this.#refuseRow(`Row ${row.index + 1}: only text can be changed, and no file can be copied.`, row.index);
    }
    return true;
  }

  #takeHunkHead(row: AnswerRow): void {
    this.#closeHunk();
    const path = this.#above === undefined ? undefined : tryReadPathRow(this.#above.text, this.#known);
    this.#file ??= { row: row.index, path, after: path, isNew: false, isGit: false, isNamed: true, lines: [] };
    const hunk = this.#openHunk(this.#file, row.index);
    if (row.text.startsWith("@@@")) {
      const message = `Row ${row.index + 1} begins a diff with several sides before; only a plain one can be read.`;
      this.#refuseRow(message, row.index);
      hunk.isRefused = true;
    }
    const [, start, before, afterStart, after] =
      /^@@+\s*-(\d{1,9})(?:,(\d{1,9}))?(?:\s+\+(\d{1,9})(?:,(\d{1,9}))?)?/.exec(row.text) ?? [];
    if (start !== undefined) {
      const first = Number(start);
      hunk.near = Math.max(0, first - (before === "0" ? 0 : 1));
      if (afterStart !== undefined) hunk.stated = { before: Number(before ?? 1), after: Number(after ?? 1) };
    } else {
      const text = row.text.replace(/^@@+ ?|\s*@@+\s*$/g, "");
      if (/[\p{L}\p{N}]/u.test(text)) hunk.headings = [text];
    }
  }

  #takeHunkRow(hunk: OpenHunk, row: AnswerRow): void {
    const { rows, stated, counts } = hunk;
    if (row.text.startsWith("\\")) {
      const last = rows.at(-1);
      if (last !== undefined && last.mark !== "+") hunk.endsOpenBefore = true;
      if (last !== undefined && last.mark !== "-") hunk.endsOpenAfter = true;
      return;
    }
    const isFull = stated !== undefined && counts.before >= stated.before && counts.after >= stated.after;
    const { mark, text, isMarked } = readHunkRow(row.text);
    // Words behind a diff; mail ends with a signature behind `-- `.
    const isBehindBlank = this.#wasEmpty && this.#fence === undefined;
    const isOver = (!isMarked && (isFull || isBehindBlank)) || (isFull && isBehindBlank && row.text !== "");
    if (isOver || (isFull && row.text === "-- ")) {
      this.#closeFile();
      this.#takeOutside(row);
      return;
    }
    if (!isMarked) hunk.unmarkedRow ??= row.index;
    rows.push({ mark, text });
    if (mark !== "+") counts.before++;
    if (mark !== "-") counts.after++;
    // An empty row may be a line of the file, or stand between the hunk and what follows.
    if (row.text !== "") hunk.length = rows.length;
  }

  #openHunk(file: OpenFile, row: number): OpenHunk {
    file.hasHunks = true;
    this.#code = undefined;
    this.#hunk = { row, rows: [], length: 0, counts: { before: 0, after: 0 } };
    return this.#hunk;
  }

  #closeHunk(): void {
    const hunk = this.#hunk;
    const file = this.#file;
    this.#hunk = undefined;
    if (hunk === undefined || file === undefined) return;
    this.#hasParts = true;
    const { row, unmarkedRow } = hunk;
    const isStatedBlank =
      hunk.stated !== undefined && hunk.counts.before === hunk.stated.before && hunk.counts.after === hunk.stated.after;
    if (!isStatedBlank) hunk.rows.splice(hunk.length);
    const { rows } = hunk;
    const { path } = file;
    if (file.after === null || hunk.isRefused === true) return;
    if (isShort(hunk)) {
      this.allow("marks", `The hunk of row ${row + 1} has fewer lines than its head says.`, { row, path });
    }
    if (unmarkedRow !== undefined) {
      const taken = isNew(file) ? "new line" : "line that stays";
      const message = `Row ${unmarkedRow + 1} has no mark in front; it was taken for a ${taken}.`;
      this.allow("marks", message, { row: unmarkedRow, path });
    }
    if (isNew(file)) {
      if (rows.some(({ mark }) => mark === "-")) {
        this.#refuseRow(`The hunk of row ${row + 1} takes lines out of a file that is new.`, row);
        file.isRefused = true;
      }
      file.lines.push(...newLines(rows));
      if (hunk.endsOpenAfter === true) file.finalNewline = false;
    } else if (rows.length === 0) {
      this.#refuseRow(`The hunk of row ${row + 1} has no rows.`, row);
    } else if (rows.every(({ mark }) => mark === " ")) {
      const message = `The hunk of row ${row + 1} has no row that begins with "-" or "+", so that it changes nothing.`;
      this.refuse("no-change", message, { row, path });
    } else if (rows.every(({ mark }) => mark === "+") && (hunk.near ?? 1) > 0) {
      const message = `The hunk of row ${row + 1} has no line of the file, so that its place is not sure. Add the lines above and below.`;
      this.#refuseRow(message, row);
    } else {
      this.ask(toBlockAsk(file, hunk));
    }
  }

  #closeFile(): void {
    this.#closeHunk();
    const file = this.#file;
    this.#file = undefined;
    this.#above = undefined;
    if (file === undefined) return;
    const { row, path, from, to } = file;
    this.#hasParts = true;
    if (file.isRefused === true && file.after === null) return;
    if (file.after === null && file.isNew) this.#refuseRow(`Row ${row + 1} and the one behind it name no file.`, row);
    else if (file.after === null) this.ask({ kind: "remove", row, path });
    else if (from !== undefined && to !== undefined) this.ask({ kind: "move", row, path: from, to });
    else if (isNew(file) && file.isRefused !== true) this.ask(toCreateAsk(file, []));
    else if (file.hasHunks !== true)
      this.refuse("no-edits", `Nothing follows the head of row ${row + 1}.`, { row, path });
  }

  #refuseRow(message: string, row: number): void {
    this.refuse("unreadable-row", message, { row, path: this.#file?.path });
    this.#hasParts = true;
  }
}

interface OpenFile {
  readonly row: number;
  path: string | undefined;
  /** `null` for a file that goes. */
  after: string | null | undefined;
  isNew: boolean;
  /** Whether it has a head as git writes it, and whether `---` and `+++` have followed. */
  readonly isGit: boolean;
  isNamed: boolean;
  from?: string;
  to?: string;
  hasHunks?: boolean;
  isRefused?: boolean;
  /** The lines of a new file. */
  readonly lines: string[];
  finalNewline?: boolean;
}

interface OpenHunk {
  readonly row: number;
  readonly rows: HunkRow[];
  /** How many of the rows surely belong to it. */
  length: number;
  readonly counts: { before: number; after: number };
  /** How many lines the head says there are. */
  stated?: { readonly before: number; readonly after: number };
  near?: number;
  headings?: readonly string[];
  unmarkedRow?: number;
  isRefused?: boolean;
  /** Whether the file's last line has no line ending. */
  endsOpenBefore?: boolean;
  endsOpenAfter?: boolean;
}

/** Whether the head says that there are more lines. */
function isShort({ stated, counts }: OpenHunk): boolean {
  return stated !== undefined && (counts.before < stated.before || counts.after < stated.after);
}

/**
 * Whether the last hunk of an answer lacks its end, and is not merely counted badly: lines of both sides are missing, and
 * what stays below the last change with them, or more than models miscount by.
 */
function looksCut({ stated, counts, rows }: OpenHunk): boolean {
  if (stated === undefined) return false;
  const sides = [stated.before - counts.before, stated.after - counts.after];
  if (stated.before === 0) sides.shift();
  const last = rows.findLast(({ mark, text }) => mark !== " " || text !== "");
  const missing = Math.min(...sides);
  return missing > 2 || (missing > 0 && last !== undefined && last.mark !== " ");
}

function isNew({ isNew, after }: OpenFile): boolean {
  return isNew && after !== null;
}

function toCreateAsk({ row, path, lines, finalNewline }: OpenFile, rows: readonly HunkRow[]): Ask {
  const ask = { kind: "create" as const, row, path, lines: [...lines, ...newLines(rows)] };
  return finalNewline === undefined ? ask : { ...ask, finalNewline };
}

function toBlockAsk({ path, from }: OpenFile, hunk: OpenHunk): BlockAsk {
  const { row, rows, near, headings, endsOpenBefore, endsOpenAfter } = hunk;
  const finalNewline = endsOpenAfter === true ? false : endsOpenBefore === true ? true : undefined;
  return {
    kind: "block",
    row,
    path: from ?? path,
    search: oldLines(rows),
    replace: newLines(rows),
    ...(near !== undefined && { near }),
    ...(headings !== undefined && { headings }),
    ...(finalNewline !== undefined && { finalNewline }),
  };
}

/** The path of a row `--- a` or `+++ b`: quoted, or up to a tab or a date. */
function readHeaderPath(row: string): string | null {
  const [text = ""] = row.slice(4).split("\t");
  const path = unquotePath(text.replace(/\s+\d{4}-\d\d-\d\d[ T].*$/, "").trim());
  return path === "/dev/null" ? null : path;
}

/** The second path of a row `diff --git a/x b/y`. */
function readGitPath(text: string): string {
  const quoted = / ("(?:[^"\\]|\\.)*")$/.exec(text)?.[1];
  if (quoted !== undefined) return unquotePath(quoted).replace(/^b\//, "");
  return / b\/(.+)$/.exec(text)?.[1] ?? text.slice(text.lastIndexOf(" ") + 1);
}

/** Two paths without the `a/` and `b/` of git, where both have it. */
function withoutPrefixes(before: string, after: string): readonly [string, string] {
  const isMarked = /^a\/./.test(before) && /^b\/./.test(after);
  const isOne = before === after && /^[ab]\/./.test(before);
  return isMarked || isOne ? [before.slice(2), after.slice(2)] : [before, after];
}
