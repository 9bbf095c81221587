import type { Diagnostic } from "./diagnostic.ts";
import { tryReadQuotedPath, unquotePath } from "./git-path.ts";
import type { TextRange } from "./text-edit.ts";
import { type FilePatch, type PatchHunk, type PatchLine, splitPatchLines } from "./unified-diff.ts";

/** The patches of a diff, and the issues in it. */
export interface ParsedDiff {
  readonly files: readonly FilePatch[];
  readonly issues: readonly DiffIssue[];
}

/**
 * A problem in a line of a diff. An `error` means that `files` may lack a part of the intended
 * change.
 */
export type DiffIssue = Diagnostic<
  /** There is text, but no file header in it. */
  | "no-diff"
  /** A hunk comes before any file header. */
  | "hunk-without-file"
  /**
   * A line begins like a hunk's header but does not have the form `@@ -1,2 +3,4 @@`; the hunk is
   * left out.
   */
  | "bad-hunk-header"
  /** A hunk has fewer or more lines than its header counts; it is read with the lines it has. */
  | "wrong-count"
  /** The diff ends inside its last hunk, which is read up to there. */
  | "cut-short"
  /** A diff of a merge (`@@@`), which has two sides before; it is left out. */
  | "combined-diff"
  /** The file's content is binary and not read. */
  | "binary"
  /** The file's permissions change, or it is not a regular file; only its text is read. */
  | "mode-ignored"
>;

/**
 * Parses patches in the unified format, as git, `diff -u` and people write them.
 *
 * Text around the patches is skipped. The prefixes `a/` and `b/` of the paths are removed where
 * both sides have them, after a header of git those of {@link prefixesOf}. Missing counts are 1; an
 * empty line in a hunk is an empty kept line, as GNU diff may write it. In a hunk only `\n` ends a
 * line, so the `\r` of a file with `\r\n` is part of it. Never throws.
 *
 * Law: `parseUnifiedDiff(printFilePatch(patch)).files` equals `[patch]`. Sources: "Generating patch
 * text with -p" in git's diff documentation; `apply.c` of git; GNU diffutils, "Unified Format".
 */
export function parseUnifiedDiff(diff: string): ParsedDiff {
  return new DiffReader(diff).read();
}

/** The prefixes of the path before a change and after it, such as `a/` and `b/`. */
export type DiffPrefixes = readonly [before: string, after: string];

const plainPrefixes: DiffPrefixes = ["a/", "b/"];

/**
 * The prefixes that git has put before two paths: `a/` and `b/` in either order; before the same
 * path those of `diff.mnemonicPrefix`, such as `i/` for the index and `w/` for the work tree.
 * `undefined` for other paths.
 */
export function prefixesOf(before: string, after: string): DiffPrefixes | undefined {
  const prefixes: DiffPrefixes = [before.slice(0, 2), after.slice(0, 2)];
  const letters = prefixes.join("");
  if (letters === "a/b/" || letters === "b/a/") return prefixes;
  const isMnemonic = /^(?:(?:[co]\/[iw]|i\/w)\/|(?:[iw]\/[co]|w\/i)\/)$/.test(letters);
  return isMnemonic && before.slice(2) === after.slice(2) ? prefixes : undefined;
}

/** A file's patch while its headers and hunks are being read. */
interface OpenFile {
  kind: FilePatch["kind"];
  /** `undefined` while unknown, `null` for `/dev/null`; still with its `a/`. */
  before: string | null | undefined;
  after: string | null | undefined;
  /** Whether its `---` and `+++` lines have been read. */
  isNamed: boolean;
  isBinary: boolean;
  /** The prefixes that the paths may have. */
  readonly prefixes: DiffPrefixes;
  readonly hunks: PatchHunk[];
}

class DiffReader {
  readonly #lines: readonly string[];
  readonly #files: FilePatch[] = [];
  readonly #issues: DiffIssue[] = [];
  #file: OpenFile | undefined;
  #lineIndex = 0;
  /** The offset at which the current line begins. */
  #offset = 0;

  constructor(diff: string) {
    this.#lines = splitPatchLines(diff);
  }

  read(): ParsedDiff {
    while (this.#lineIndex < this.#lines.length) this.#readPart();
    this.#closeFile();
    const isBlank = this.#lines.every((line) => line.trim() === "");
    if (this.#files.length === 0 && this.#issues.length === 0 && !isBlank) {
      this.#report("error", "no-diff", "There is no file header, such as '--- a/x' and '+++ b/x', in this text");
    }
    return { files: this.#files, issues: this.#issues };
  }

  #readPart(): void {
    const line = this.#header();
    if (line.startsWith("diff --git ")) {
      this.#closeFile();
      const names = readGitPaths(line.slice(11));
      const prefixes = prefixesOf(names.before ?? "", names.after ?? "") ?? plainPrefixes;
      this.#file = { kind: "modify", ...names, prefixes, isNamed: false, isBinary: false, hunks: [] };
      this.#step();
    } else if (this.#isFileHeader(0)) {
      // After git's header these lines repeat its file; anywhere else they begin a file.
      if (this.#file?.isNamed !== false) this.#closeFile();
      const names = { before: readPath(line.slice(4)), after: readPath(this.#header(1).slice(4)), isNamed: true };
      this.#file = { kind: "modify", isBinary: false, prefixes: plainPrefixes, hunks: [], ...this.#file, ...names };
      this.#step(2);
    } else if (line.startsWith("diff --cc ") || line.startsWith("diff --combined ")) {
      this.#report("error", "combined-diff", "A merge's diff has several sides before; only a plain diff can be read");
      this.#closeFile();
      this.#step();
    } else if (/^@@(?!@)/.test(line)) {
      this.#readHunk(line);
    } else {
      if (this.#file !== undefined && this.#file.hunks.length === 0) this.#readExtendedHeader(this.#file, line);
      this.#step();
    }
  }

  #readExtendedHeader(file: OpenFile, line: string): void {
    const [, key, value = ""] =
      /^(new file mode|deleted file mode|new mode|(?:rename|copy) (?:from|to)|Binary files|GIT binary patch) ?(.*)$/s.exec(
        line,
      ) ?? [];
    if (key === undefined) return;
    if (key === "Binary files" || key === "GIT binary patch") {
      file.isBinary = true;
      this.#report("warning", "binary", "A binary file's content cannot be read from a diff");
    } else if (key.endsWith("mode")) {
      if (key === "new file mode") file.kind = "create";
      if (key === "deleted file mode") file.kind = "delete";
      if (key === "new mode" || (value !== "100644" && file.kind !== "delete")) {
        this.#report("warning", "mode-ignored", `The file's mode ${value} is not taken over`);
      }
    } else {
      file.kind = key.startsWith("rename") ? "rename" : "copy";
      if (key.endsWith("from")) file.before = `${file.prefixes[0]}${unquotePath(value)}`;
      else file.after = `${file.prefixes[1]}${unquotePath(value)}`;
    }
  }

  #readHunk(header: string): void {
    const numbers = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/s.exec(header);
    const headerRange = this.#range();
    if (numbers === null) {
      this.#report("error", "bad-hunk-header", `A hunk begins with '@@ -1,2 +3,4 @@', not ${JSON.stringify(header)}`);
    } else if (this.#file === undefined) {
      this.#report("error", "hunk-without-file", "There is no file header in front of this hunk");
    }
    this.#step();

    const [beforeNumber, before, afterNumber, after] = (numbers ?? []).slice(1, 5).map((number) => Number(number ?? 1));
    const stated = { before: before ?? 0, after: after ?? 0 };
    const { lines, counts } = this.#readHunkLines(stated);
    if (numbers === null || this.#file === undefined) return;
    const sameCount = counts.before === stated.before && counts.after === stated.after;
    if (!sameCount) {
      const isCut =
        this.#lineIndex >= this.#lines.length && counts.before <= stated.before && counts.after <= stated.after;
      const statedCounts = `The hunk says ${stated.before} lines before and ${stated.after} after`;
      const has = `it has ${counts.before} and ${counts.after}`;
      this.#report("error", isCut ? "cut-short" : "wrong-count", `${statedCounts}; ${has}`, headerRange);
    }
    // The header has the number of the line before an empty range, which equals the index.
    this.#file.hunks.push({
      beforeStart: Math.max(0, beforeNumber! - (stated.before === 0 ? 0 : 1)),
      beforeCount: counts.before,
      afterStart: Math.max(0, afterNumber! - (stated.after === 0 ? 0 : 1)),
      afterCount: counts.after,
      heading: numbers[5]!,
      lines,
    });
  }

  /**
   * Reads the lines of a hunk. It ends when it has the number of lines in its header and the next
   * line need not belong to it, or when the next line cannot belong to it.
   */
  #readHunkLines(stated: { readonly before: number; readonly after: number }): {
    readonly lines: readonly PatchLine[];
    readonly counts: { readonly before: number; readonly after: number };
  } {
    const lines: PatchLine[] = [];
    const counts = { before: 0, after: 0 };
    for (; this.#lineIndex < this.#lines.length; this.#step()) {
      const line = this.#lines[this.#lineIndex]!;
      if (line.startsWith("\\")) {
        const last = lines.pop();
        if (last !== undefined) lines.push({ ...last, text: last.text.replace(/\n$/, "") });
        continue;
      }
      const isFull = counts.before >= stated.before && counts.after >= stated.after;
      const missesOne = counts.before + 1 === stated.before && counts.after + 1 === stated.after;
      const kind = lineKinds[line.charAt(0)] ?? (/^\r?\n/.test(line) && !isFull ? "keep" : undefined);
      if (kind === undefined) break;
      // `--- x` and `+++ y` may be lines of the hunk or the next file's header, depending on the
      // counts.
      if (this.#isFileHeader(0) && (isFull || (!missesOne && this.#header(2).startsWith("@@ ")))) break;
      // Mail ends with a signature after `-- `.
      if (isFull && this.#header() === "-- ") break;
      const text = lineKinds[line.charAt(0)] === undefined ? line : line.slice(1);
      lines.push({ kind, text: text.endsWith("\n") ? text : `${text}\n` });
      if (kind !== "insert") counts.before++;
      if (kind !== "delete") counts.after++;
    }
    return { lines, counts };
  }

  #closeFile(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file === undefined) return;
    const created = file.before === null || file.kind === "create";
    const deleted = file.after === null || file.kind === "delete";
    const pathBefore = created ? undefined : (file.before ?? file.after ?? "");
    const pathAfter = deleted ? undefined : (file.after ?? file.before ?? "");
    const [before, after] = file.prefixes;
    const hasPrefixes = (pathBefore?.startsWith(before) ?? true) && (pathAfter?.startsWith(after) ?? true);
    this.#files.push({
      kind: created ? "create" : deleted ? "delete" : file.kind,
      pathBefore: hasPrefixes ? pathBefore?.slice(2) : pathBefore,
      pathAfter: hasPrefixes ? pathAfter?.slice(2) : pathAfter,
      isBinary: file.isBinary,
      hunks: file.hunks,
    });
  }

  /** Whether a file header, `--- x` and `+++ y`, begins after `ahead` more lines. */
  #isFileHeader(ahead: number): boolean {
    return this.#header(ahead).startsWith("--- ") && this.#header(ahead + 1).startsWith("+++ ");
  }

  /** The line without its line ending, `""` past the end. */
  #header(ahead = 0): string {
    return (this.#lines[this.#lineIndex + ahead] ?? "").replace(/\r?\n$/, "");
  }

  #step(count = 1): void {
    for (let i = 0; i < count; i++) this.#offset += this.#lines[this.#lineIndex++]?.length ?? 0;
  }

  #range(): TextRange {
    return { start: this.#offset, end: this.#offset + this.#header().length };
  }

  #report(severity: "error" | "warning", code: DiffIssue["code"], message: string, range = this.#range()): void {
    this.#issues.push({ severity, code, message, ...range });
  }
}

const lineKinds: Readonly<Record<string, PatchLine["kind"]>> = { " ": "keep", "-": "delete", "+": "insert" };

/**
 * Returns the path of a `---` or `+++` line: quoted, or up to a tab, after which `diff -u` writes a
 * date.
 */
function readPath(text: string): string | null {
  const path = tryReadQuotedPath(text)?.path ?? text.split("\t")[0]!;
  return path === "/dev/null" ? null : path;
}

/**
 * The two paths of a `diff --git` line.
 *
 * Unquoted paths may contain blanks. Then they can be separated only where both are equal, which is
 * also the only case in which no other header contains them.
 */
function readGitPaths(text: string): { readonly before: string | undefined; readonly after: string | undefined } {
  const first = tryReadQuotedPath(text);
  if (first !== undefined) return { before: first.path, after: unquotePath(text.slice(first.length + 1)) };
  const quotedSecond = text.indexOf(' "');
  if (quotedSecond >= 0) {
    return { before: text.slice(0, quotedSecond), after: unquotePath(text.slice(quotedSecond + 1)) };
  }
  for (let space = text.indexOf(" "); space >= 0; space = text.indexOf(" ", space + 1)) {
    const before = text.slice(0, space);
    const after = text.slice(space + 1);
    if (before.slice(before.indexOf("/") + 1) === after.slice(after.indexOf("/") + 1)) return { before, after };
  }
  const [before, after] = text.split(" ");
  return { before, after };
}
