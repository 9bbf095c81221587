import { prefixesOf, unquotePath } from "../text/index.ts";
import type { BlockEdit, EditOperation } from "./edit-operation.ts";
import { type HunkRow, newLines, oldLines, readHunkRow } from "./placing/hunk-rows.ts";
import { type AnswerRow, type CodeBeside, RowReader } from "./reading/answer-rows.ts";
import { type BareDiff, readBareDiffs, tryReadBareDiff } from "./reading/bare-diff.ts";
import { type CodeFence, closesAround, isShellFence, tryReadCodeFence } from "./reading/code-fence.ts";
import { tryReadFenceInfoPath, tryReadPathRow } from "./reading/path-row.ts";

/**
 * Reads unified diffs as tools and models write them.
 *
 * Unlike `parseUnifiedDiff`, it does not rely on the numbers, because models count badly or leave
 * them out: the lines determine the place, and the numbers are a hint. A hunk is reported when the
 * next one begins, the last one at the end of its fence or of the answer.
 */
export class UdiffReader extends RowReader {
  #file: OpenFile | undefined;
  #hunk: OpenHunk | undefined;
  #fence: CodeFence | undefined;
  /** The current fence, until a diff begins in it. */
  #code: (CodeBeside & { isBlank: boolean }) | undefined;
  /** The rows of a fence without file and hunk heads, and the path above it. */
  #bare: { readonly path: string | undefined; readonly rows: AnswerRow[] } = { path: undefined, rows: [] };
  /** The rows outside of fences and diffs. */
  readonly #outside: AnswerRow[] = [];
  #hasFence = false;
  /**
   * Rows `--- a` and `+++ b` that are either a header or lines of the hunk; the next row decides.
   */
  #held: AnswerRow[] = [];
  /** The last row outside of diffs that is not blank. */
  #above: AnswerRow | undefined;
  #wasEmpty = false;
  #hasParts = false;

  get open(): EditOperation | undefined {
    const file = this.#file;
    if (file === undefined) return undefined;
    if (isNew(file)) return toCreateOperation(file, this.#hunk?.rows ?? []);
    return this.#hunk === undefined || file.after === null ? undefined : toBlockOperation(file, this.#hunk);
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
    if (isCut || (this.#fence !== undefined && (this.#file !== undefined || this.#isInBare()))) {
      const why = isCut ? "The answer was stopped before it was done" : "The fence around the diff is not closed";
      const path = this.#file?.path;
      this.addRefusal("cut-off", `${why}. Its last hunk is not taken.`, {
        row: this.#hunk?.row ?? this.#file?.row,
        path,
      });
    } else {
      this.#releaseHeld();
      if (this.#hunk !== undefined && looksCut(this.#hunk)) this.#cutHunk(this.#hunk);
      this.#closeFile();
      if (!this.#hasParts && this.#hasFence === false) {
        const rows = this.#outside.map(({ text }) => text);
        for (const found of readBareDiffs(rows)) this.#addBareDiff(found, this.#outside[found.start]!.index);
      }
      if (this.noChangeRow !== undefined && !this.#hasParts) {
        this.addPart({ kind: "no-change", row: this.noChangeRow });
      }
    }
    this.#held = [];
    this.#file = undefined;
    this.#hunk = undefined;
  }

  /** Refuses the last hunk, whose head announces more lines than follow. */
  #cutHunk(hunk: OpenHunk): void {
    hunk.isRefused = true;
    if (this.#file !== undefined) this.#file.isRefused = true;
    const message = `The answer ends inside of the hunk of row ${hunk.row + 1}: its head says that more lines follow. It is not taken.`;
    this.addRefusal("cut-off", message, { row: hunk.row, path: this.#file?.path });
  }

  /** Whether the held rows begin a file, rather than end the previous hunk. */
  #isHeader(minus: AnswerRow, plus: AnswerRow, next: AnswerRow): boolean {
    const paths = [readHeaderPath(minus.text), readHeaderPath(plus.text)];
    if (paths.includes(null)) return true;
    const { stated, counts } = this.#hunk!;
    const fills = stated !== undefined && counts.before + 1 === stated.before && counts.after + 1 === stated.after;
    if (fills) return false;
    if (next.text.startsWith("@@")) return true;
    const [before, after] = withoutPrefixes(paths[0]!, paths[1]!);
    const isFull = stated === undefined || (counts.before >= stated.before && counts.after >= stated.after);
    return isFull && before === after && tryReadPathRow(after, this.known) === after;
  }

  #takeHeader(): void {
    const [minus, plus] = this.#held;
    this.#held = [];
    const before = readHeaderPath(minus!.text);
    const after = readHeaderPath(plus!.text);
    // After git's own header, these rows name its file again.
    const names = [before, after].flatMap((name) => (name === null ? [] : [name, ...withoutPrefixes(name, name)]));
    const isSame = [this.#file?.path, this.#file?.from].some((path) => path !== undefined && names.includes(path));
    if (isSame && this.#file?.isGit === true && !this.#file.isNamed && this.#hunk === undefined) {
      this.#file.isNamed = true;
      this.#file.isNew ||= before === null;
      this.#name(this.#file, before, after);
      return;
    }
    this.#closeFile();
    const file = openFile({ row: minus!.index, path: undefined, after, isNew: before === null });
    this.#file = file;
    this.#name(file, before, after);
  }

  /**
   * Decides which file the two paths of a header mean. A rename is given in rows of its own; other
   * differing paths are labels.
   */
  #name(file: OpenFile, before: string | null, after: string | null): void {
    file.after = after;
    if (before === null || after === null) {
      const path = after ?? before;
      if (path === null) return;
      const [stripped] = withoutPrefixes(path, path);
      file.path = this.known.includes(path) ? path : stripped;
      return;
    }
    const pairs: readonly (readonly [string, string])[] = [[before, after], withoutPrefixes(before, after)];
    const known = pairs.flat().find((path) => this.known.includes(path));
    const [a, b] = pairs[1]!;
    file.path = known ?? b;
    if (known === undefined && a !== b && this.known.length === 1 && file.from === undefined) {
      file.path = undefined;
      const message = `The names ${a} and ${b} were taken for labels of ${this.known[0]}.`;
      this.addNormalization("path", message, { row: file.row, path: this.known[0] });
    }
  }

  /** Treats held rows as lines of a hunk, or as prose. */
  #releaseHeld(): void {
    const held = this.#held;
    this.#held = [];
    for (const row of held) this.#take(row);
  }

  #take(row: AnswerRow): void {
    if (this.#fence !== undefined && closesAround(row.text, this.#fence)) {
      this.#closeFile();
      this.#takeBare(this.#fence);
      if (this.#code?.isBlank === false && this.#hasParts && !isShellFence(this.#fence)) this.reportCode(this.#code);
      this.#code = undefined;
      this.#fence = undefined;
      this.#above = undefined;
    } else if (row.text.startsWith("@@")) {
      this.#takeHunkHead(row);
    } else if (row.text.startsWith("diff --git ")) {
      this.#closeFile();
      const path = readGitPath(row.text.slice(11));
      this.#file = openFile({ row: row.index, path, after: path, isGit: true });
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
      const inside = tryReadFenceInfoPath(fence.info, this.known);
      const above = inside === undefined ? this.#above : { index: row.index, text: inside };
      this.#closeFile();
      this.#hasFence = true;
      this.#fence = fence;
      this.#above = above;
      const path = above === undefined ? undefined : tryReadPathRow(above.text, this.known);
      const isKnown = path !== undefined && this.known.includes(path);
      this.#code = { row: row.index, path: isKnown ? path : undefined, isBlank: true };
      this.#bare = { path, rows: [] };
    } else {
      if (this.#fence === undefined) this.#outside.push(row);
      else this.#bare.rows.push(row);
      if (row.text.trim() === "") return;
      if (this.#code !== undefined) this.#code.isBlank = false;
      this.#above = row;
      this.skipRow(row, "udiff");
    }
  }

  /** Reads a fence without file and hunk heads as a diff of bare rows, if it is one. */
  #takeBare({ info }: CodeFence): void {
    const { path, rows } = this.#bare;
    this.#bare = { path: undefined, rows: [] };
    const found = tryReadBareDiff({ rows: rows.map(({ text }) => text), info, path });
    if (found === undefined) return;
    this.#addBareDiff(found, rows[found.start]?.index ?? 0);
    this.#code = undefined;
  }

  #isInBare(): boolean {
    const { path, rows } = this.#bare;
    const code = { rows: rows.map(({ text }) => text), info: this.#fence?.info ?? "", path };
    return tryReadBareDiff(code) !== undefined;
  }

  #addBareDiff({ path, hunks }: BareDiff, row: number): void {
    this.#hasParts = true;
    for (const rows of hunks) {
      if (rows.every(({ mark }) => mark === "+") && path !== undefined && this.known.includes(path)) {
        const message = `The diff of row ${row + 1} has no line of the file, so that its place is not sure. Add the lines above and below.`;
        this.addRefusal("unreadable-row", message, { row, path });
        continue;
      }
      this.addOperation({ kind: "block", row, path, search: oldLines(rows), replace: newLines(rows), rows });
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
    const path = this.#above === undefined ? undefined : tryReadPathRow(this.#above.text, this.known);
    this.#file ??= openFile({ row: row.index, path, after: path });
    const hunk = this.#openHunk(this.#file, row.index);
    if (row.text.startsWith("@@@")) {
      const message = `Row ${row.index + 1} begins a diff with several sides before; only a plain one can be read.`;
      this.#refuseRow(message, row.index);
      hunk.isRefused = true;
    }
    const [numbers = "", start, before, afterStart, after] =
      /^@@+\s*-(\d{1,9})(?:,(\d{1,9}))?(?:\s+\+(\d{1,9})(?:,(\d{1,9}))?)?\s*(?:@@+)?/.exec(row.text) ?? [];
    if (start !== undefined) {
      const first = Number(start);
      hunk.near = Math.max(0, first - (before === "0" ? 0 : 1));
      if (before === "0" && afterStart !== undefined) hunk.insertedAt = { behind: first, start: Number(afterStart) };
      if (afterStart !== undefined) hunk.stated = { before: Number(before ?? 1), after: Number(after ?? 1) };
    }
    const text = row.text.slice(numbers.length).replace(/^@@+ ?|(?<!\s)\s*(?<!@)@@+\s*$/g, "");
    if (/[\p{L}\p{N}]/u.test(text)) hunk.headings = [text];
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
    // Prose after a diff; mail ends with a signature after `-- `.
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
    // An empty row may be a line of the file, or a gap between the hunk and what follows.
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
    const grown = file.grown;
    file.grown += hunk.counts.after - hunk.counts.before;
    const isStatedBlank =
      hunk.stated !== undefined && hunk.counts.before === hunk.stated.before && hunk.counts.after === hunk.stated.after;
    if (!isStatedBlank) hunk.rows.splice(hunk.length);
    const { rows } = hunk;
    const { path } = file;
    if (file.after === null || hunk.isRefused === true) return;
    if (isShort(hunk)) {
      this.addNormalization("marks", `The hunk of row ${row + 1} has fewer lines than its head says.`, { row, path });
    }
    if (unmarkedRow !== undefined) {
      const taken = isNew(file) ? "new line" : "line that stays";
      const message = `Row ${unmarkedRow + 1} has no mark in front; it was taken for a ${taken}.`;
      this.addNormalization("marks", message, { row: unmarkedRow, path });
    }
    if (isNew(file)) {
      if (rows.some(({ mark }) => mark === "-")) {
        this.#refuseRow(`The hunk of row ${row + 1} takes lines out of a file that is new.`, row);
        file.isRefused = true;
      }
      file.lines.push(...newLines(rows));
      if (hunk.endsOpenAfter === true) file.finalNewline = false;
    } else if (rows.every(({ mark, text }) => mark === " " && text.trim() === "")) {
      // Beside other hunks it is padding; alone it is an edit without content.
      file.emptyHunks.push(row);
    } else if (rows.every(({ mark }) => mark === " ")) {
      const message = `The hunk of row ${row + 1} has no row that begins with "-" or "+", so that it changes nothing.`;
      this.addRefusal("no-change", message, { row, path });
    } else if (isSureInsertion(hunk, grown)) {
      const message = `The hunk of row ${row + 1} has new lines alone. They were put where its numbers say, behind line ${hunk.near}.`;
      if (hunk.near !== 0) this.addNormalization("marks", message, { row, path });
      file.hasEdits = true;
      this.addOperation(toBlockOperation(file, hunk));
    } else if (rows.every(({ mark }) => mark === "+") && (hunk.near ?? 1) > 0) {
      const message = `The hunk of row ${row + 1} has no line of the file, so that its place is not sure. Add the lines above and below.`;
      this.#refuseRow(message, row);
    } else {
      file.hasEdits = true;
      this.addOperation(toBlockOperation(file, hunk));
    }
  }

  #settleEmpty({ emptyHunks, hasEdits, path }: OpenFile): void {
    for (const row of emptyHunks) {
      const message = `The hunk of row ${row + 1} has no rows.`;
      if (hasEdits === true) this.addNormalization("marks", `${message} It was left out.`, { row, path });
      else this.#refuseRow(message, row);
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
    this.#settleEmpty(file);
    if (file.isRefused === true && file.after === null) return;
    if (file.after === null && file.isNew) this.#refuseRow(`Row ${row + 1} and the one behind it name no file.`, row);
    else if (file.after === null) this.addOperation({ kind: "remove", row, path });
    else if (from !== undefined && to !== undefined) this.addOperation({ kind: "move", row, path: from, to });
    else if (isNew(file) && file.isRefused !== true) this.addOperation(toCreateOperation(file, []));
    else if (file.hasHunks !== true)
      this.addRefusal("no-edits", `Nothing follows the head of row ${row + 1}.`, { row, path });
  }

  #refuseRow(message: string, row: number): void {
    this.addRefusal("unreadable-row", message, { row, path: this.#file?.path });
    this.#hasParts = true;
  }
}

interface OpenFile {
  readonly row: number;
  path: string | undefined;
  /** `null` for a file that is deleted. */
  after: string | null | undefined;
  isNew: boolean;
  /** Whether the file has a git header, and whether `---` and `+++` have followed. */
  readonly isGit: boolean;
  isNamed: boolean;
  from?: string;
  to?: string;
  hasHunks?: boolean;
  /** Whether one of its hunks is an edit. */
  hasEdits?: boolean;
  /** The lines that the hunks so far add to the file, minus those they remove. */
  grown: number;
  /** The answer rows of hunks without rows of their own. */
  readonly emptyHunks: number[];
  isRefused?: boolean;
  /** The lines of a new file. */
  readonly lines: string[];
  finalNewline?: boolean;
}

/** A file whose header was just read. Other headers than those of git name it. */
function openFile({
  isNew = false,
  isGit = false,
  ...given
}: Pick<OpenFile, "row" | "path" | "after"> & Partial<Pick<OpenFile, "isNew" | "isGit">>): OpenFile {
  return { ...given, isNew, isGit, isNamed: !isGit, lines: [], emptyHunks: [], grown: 0 };
}

interface OpenHunk {
  readonly row: number;
  readonly rows: HunkRow[];
  /** The number of rows that surely belong to the hunk. */
  length: number;
  readonly counts: { before: number; after: number };
  /** The line counts in the head. */
  stated?: { readonly before: number; readonly after: number };
  near?: number;
  /**
   * For a hunk without old lines: the old line after which it inserts, and the first new line,
   * according to the head.
   */
  insertedAt?: { readonly behind: number; readonly start: number };
  headings?: readonly string[];
  unmarkedRow?: number;
  isRefused?: boolean;
  /** Whether the file's last line has no line ending, before and after the change. */
  endsOpenBefore?: boolean;
  endsOpenAfter?: boolean;
}

/**
 * Whether a hunk has new lines only, and its numbers are consistent with each other and with the
 * hunks above.
 */
function isSureInsertion({ rows, stated, counts, insertedAt }: OpenHunk, grown: number): boolean {
  if (insertedAt === undefined || rows.length === 0 || rows.some(({ mark }) => mark !== "+")) return false;
  return stated?.after === counts.after && insertedAt.start === insertedAt.behind + 1 + grown;
}

/** Whether the head counts more lines. */
function isShort({ stated, counts }: OpenHunk): boolean {
  return stated !== undefined && (counts.before < stated.before || counts.after < stated.after);
}

/**
 * Whether the last hunk of an answer is cut off rather than miscounted: lines of both sides are
 * missing, together with the context after the last change, or more lines than models usually
 * miscount.
 *
 * One missing line on each side counts as miscounted, as it does for GNU `patch`, which takes it
 * for a line of context.
 */
function looksCut({ stated, counts, rows, length }: OpenHunk): boolean {
  if (stated === undefined) return false;
  const sides = [stated.before - counts.before, stated.after - counts.after];
  if (stated.before === 0) sides.shift();
  if (Math.max(...sides) <= 1) return false;
  const missing = Math.min(...sides);
  const last = rows[length - 1];
  return missing > 2 || (missing > 0 && last !== undefined && last.mark !== " ");
}

function isNew({ isNew, after }: OpenFile): boolean {
  return isNew && after !== null;
}

function toCreateOperation({ row, path, lines, finalNewline }: OpenFile, rows: readonly HunkRow[]): EditOperation {
  const operation = { kind: "create" as const, row, path, lines: [...lines, ...newLines(rows)] };
  return finalNewline === undefined ? operation : { ...operation, finalNewline };
}

function toBlockOperation({ path, from }: OpenFile, hunk: OpenHunk): BlockEdit {
  const { row, rows, near, headings, endsOpenBefore, endsOpenAfter } = hunk;
  const finalNewline = endsOpenAfter === true ? false : endsOpenBefore === true ? true : undefined;
  return {
    kind: "block",
    row,
    path: from ?? path,
    search: oldLines(rows),
    replace: newLines(rows),
    rows,
    ...(near !== undefined && { near }),
    ...(headings !== undefined && { headings }),
    ...(finalNewline !== undefined && { finalNewline }),
  };
}

/**
 * The path of a row `--- a` or `+++ b`: quoted, or up to a tab or a date. `null` for `/dev/null`.
 */
function readHeaderPath(row: string): string | null {
  const [text = ""] = row.slice(4).split("\t");
  const path = unquotePath(text.split(/(?<!\s)\s+\d{4}-\d\d-\d\d[ T]/, 1)[0]!.trim());
  return path === "/dev/null" ? null : path;
}

/** The second path of a row `diff --git a/x b/y`. */
function readGitPath(text: string): string {
  const quoted = / ("(?:[^"\\]|\\.)*")$/.exec(text)?.[1];
  if (quoted !== undefined) return unquotePath(quoted).replace(/^b\//, "");
  const second = text.indexOf(" b/");
  return second < 0 ? text.slice(text.lastIndexOf(" ") + 1) : text.slice(second + " b/".length);
}

/** Both paths without git's prefixes, such as `a/` and `b/`, where both have them. */
function withoutPrefixes(before: string, after: string): readonly [string, string] {
  const isMarked = before.length > 2 && after.length > 2 && prefixesOf(before, after) !== undefined;
  const isOne = before === after && /^[ab]\/./.test(before);
  return isMarked || isOne ? [before.slice(2), after.slice(2)] : [before, after];
}
