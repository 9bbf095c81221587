import { hasReasoningOpening, withoutReasoning } from "../../answers/index.ts";
import type { FormatName } from "../edit-format.ts";
import { isCommand, readCommand } from "../range-command.ts";
import { tryReadSearchReplaceMark } from "../search-replace-marks.ts";
import { beginsLikeJson } from "../str-replace.ts";
import { readBareDiffs, tryReadBareDiff } from "./bare-diff.ts";
import { type CodeFence, closesCode, isShellFence, tryReadCodeFence } from "./code-fence.ts";
import { beginsPatch, isLineCommand, opensHeredoc } from "./format-mark.ts";
import { isElision } from "./is-elision.ts";
import { JsonScanner } from "./parse-model-json.ts";
import { tryReadFenceInfoPath, tryReadPathRow } from "./path-row.ts";
import { mentionsToolCall } from "./tool-calls.ts";

/** The format of an answer, or the candidates; no candidates where it has no marks. */
export type FormatDetection =
  | { readonly kind: "format"; readonly name: FormatName }
  | { readonly kind: "unsure"; readonly candidates: readonly FormatName[] };

/**
 * Detects the format of an answer by its marks. The result is `unsure` with candidates where the
 * answer has the marks of several formats or may be a whole file, and without any where it has no
 * marks.
 *
 * It never tries formats until one applies, since an answer that two formats can read has two
 * meanings. Marks count at the beginning of rows, outside of fences or as the first row of a fence;
 * inside of an edit they are code. A file in a fence without any mark may be complete or a part,
 * which stays unsure.
 */
export function detectFormat(answer: string): FormatDetection {
  const rest = withoutReasoning(answer.replace(/^\ufeff/, ""));
  const found = detectIn(rest.split(/\r?\n/));
  const isNothing = found.kind === "unsure" && found.candidates.length === 0;
  // An apparent end of reasoning may be code of an edit.
  return isNothing && rest !== answer && !hasReasoningOpening(answer) ? detectIn(answer.split(/\r?\n/)) : found;
}

function detectIn(rows: readonly string[]): FormatDetection {
  const seen: SeenRows = { missing: new Set(), plainJsonEnd: 0 };
  const marked = new Set<FormatName>();
  const fenced = new Set<FormatName>();
  let hasFence = false;
  let hasPlainFile = false;
  let open: CodeFence | undefined;
  for (let i = 0; i < rows.length; ) {
    const mark = markAt(rows, i, seen);
    if (mark !== undefined) {
      marked.add(mark.name);
      i = mark.end;
      continue;
    }
    const fence = open === undefined ? tryReadCodeFence(rows[i]!) : undefined;
    if (open !== undefined && closesCode(rows[i]!, open)) open = undefined;
    if (fence === undefined) {
      i++;
      continue;
    }
    hasFence = true;
    const first = firstOfFence(rows, i + 1, seen);
    if (markAt(rows, first, seen) !== undefined) {
      open = fence;
      i = first;
      continue;
    }
    const block = readBlock(rows, i, fence);
    if (block.name === undefined) hasPlainFile ||= block.path !== undefined && !isShellFence(fence);
    else fenced.add(block.name);
    i = block.end;
  }
  // Where edits have marks, a sample in a fence is no edit.
  const names = [...(marked.size > 0 ? marked : fenced)];
  if (names.length === 0 && rows.some(isNumbered) && rows.every((row) => isNumbered(row) || row.trim() === "")) {
    return { kind: "format", name: "numbered" };
  }
  if (names.length === 0 && !hasFence && readBareDiffs(rows).length > 0) return { kind: "format", name: "udiff" };
  if (names.length === 0 && !hasFence && rows.some((row) => isElision(row) && /\p{L}/u.test(row))) {
    return { kind: "format", name: "elided" };
  }
  const [name] = names;
  if (name !== undefined && names.length === 1) return { kind: "format", name };
  return { kind: "unsure", candidates: names.length === 0 && hasPlainFile ? ["whole", "elided"] : names };
}

/** An edit in a format with marks, and the index after its last row. */
interface MarkedEdit {
  readonly name: FormatName;
  readonly end: number;
}

/** What is known of the rows, so that none is read again from each row above. */
interface SeenRows {
  /** End rows that do not occur further on. */
  readonly missing: Set<string>;
  /** The index after JSON without a call of a tool; JSON inside of it has none either. */
  plainJsonEnd: number;
}

/** The edit that begins in row `i`; `undefined` if none. */
function markAt(rows: readonly string[], i: number, seen: SeenRows): MarkedEdit | undefined {
  const row = rows[i];
  if (row === undefined) return undefined;
  const behind = (ends: (row: string) => boolean): number => {
    const end = rows.findIndex((one, j) => j > i && ends(one));
    return end < 0 ? rows.length : end + 1;
  };
  const mark = tryReadSearchReplaceMark(row);
  if (mark?.kind === "open" && mark.hasWord) {
    const closes = (one: string) => tryReadSearchReplaceMark(one)?.kind === "close";
    return { name: "search-replace", end: behind(closes) };
  }
  if (/^---(?:FILEPATH|FIND)\b/.test(row)) {
    return { name: "search-replace", end: behind((one) => one.trimEnd() === "---COMPLETE") };
  }
  const { missing } = seen;
  if (i >= seen.plainJsonEnd && beginsLikeJson(row.trim()) && !missing.has("}")) {
    const call = jsonAt(rows, i);
    if (call.name !== undefined) return { name: call.name, end: call.end };
    if (call.end > rows.length) missing.add("}");
    else seen.plainJsonEnd = call.end;
  }
  if (row.includes("*** Begin Patch\\n")) return { name: "v4a", end: i + 1 };
  if (beginsPatch(row)) {
    return { name: "v4a", end: behind((one) => /^\s*\*\*\* End Patch["']?\s*$/.test(one)) };
  }
  const isHead = row.startsWith("--- ") && rows[i + 1]?.startsWith("+++ ") === true;
  if (isHead || row.startsWith("diff --git ") || /^@@ (?:-\d|@@|\.\.\. @@)/.test(row)) {
    const end = rows.findIndex((one, j) => j > i && !diffRow.test(one));
    return { name: "udiff", end: end < 0 ? rows.length : end };
  }
  if (isCommand(row) && readCommand(row).kind !== "unreadable") {
    return { name: "range", end: readCommand(row).kind === "end" ? i + 1 : behind((one) => one === "@@ end") };
  }
  if (isLineCommand(row)) {
    const endRow = /<<\s*["']?(\w+)/.exec(row)?.[1] ?? `end_of_${row.slice(0, row.indexOf(" "))}`;
    const end = missing.has(endRow) ? undefined : behind((one) => one.trimEnd() === endRow);
    if (end !== undefined && rows[end - 1]?.trimEnd() === endRow) return { name: "line-commands", end };
    missing.add(endRow);
  }
  return undefined;
}

/**
 * The format of the JSON that begins in a row, and the index after its last row; beyond the last
 * row where it is not closed.
 */
function jsonAt(
  rows: readonly string[],
  start: number,
): { readonly name: FormatName | undefined; readonly end: number } {
  const scanner = new JsonScanner();
  let last = start;
  while (last < rows.length && scanner.scan(rows[last]!) === undefined) last++;
  const text = rows.slice(start, last + 1).join("\n");
  const isPatch = text.includes("*** Begin Patch\\n");
  return { name: mentionsToolCall(text) ? "str-replace" : isPatch ? "v4a" : undefined, end: last + 1 };
}

const diffRow =
  /^(?:[-+ \\@]|$|diff --git |index |(?:new|deleted) file |(?:old|new) mode |rename |(?:dis)?similarity )/;

/**
 * The index of the first row of a fence that is neither blank nor a path, unless an edit begins
 * with that.
 */
function firstOfFence(rows: readonly string[], start: number, seen: SeenRows): number {
  const isPath = (i: number) => tryReadPathRow(rows[i]!, []) !== undefined && markAt(rows, i, seen) === undefined;
  let i = start;
  while (i < rows.length && (rows[i]!.trim() === "" || isPath(i))) i++;
  return patchOfCommand(rows, i) ?? i;
}

/**
 * The index of the first row of a patch that a shell command reads, a few rows below `start`;
 * `undefined` if there is none.
 */
function patchOfCommand(rows: readonly string[], start: number): number | undefined {
  const below = rows.slice(start, start + 10);
  const command = below.findIndex((row) => opensHeredoc(row));
  const patch = below.findIndex((row, i) => command >= 0 && i > command && row.trim() !== "");
  return patch >= 0 && beginsPatch(below[patch]!) ? start + patch : undefined;
}

/** The code of a fence, and the format that its rows suggest. */
interface CodeBlock {
  readonly name: FormatName | undefined;
  readonly path: string | undefined;
  /** The index of the row after it. */
  readonly end: number;
}

function readBlock(rows: readonly string[], start: number, fence: CodeFence): CodeBlock {
  let end = start + 1;
  for (let depth = 1; end < rows.length; end++) {
    const inner = tryReadCodeFence(rows[end]!);
    if (closesCode(rows[end]!, fence)) depth--;
    else if (inner?.kind === "marks" && fence.kind === "marks" && inner.marks.startsWith(fence.marks)) depth++;
    if (depth === 0) break;
  }
  const code = rows.slice(start + 1, end);
  let above = start - 1;
  while (above >= 0 && rows[above]!.trim() === "") above--;
  const path =
    tryReadFenceInfoPath(fence.info, []) ?? tryReadPathRow(rows[above] ?? "", []) ?? tryReadPathRow(code[0] ?? "", []);
  const filled = code.filter((row) => row.trim() !== "");
  const isAllNumbered = filled.length > 0 && filled.every(isNumbered);
  const isDiff = tryReadBareDiff({ rows: code, info: fence.info, path }) !== undefined;
  const name = isAllNumbered
    ? "numbered"
    : isDiff
      ? "udiff"
      : code.some((row) => isElision(row, path))
        ? "elided"
        : undefined;
  return { name, path, end: end + 1 };
}

function isNumbered(row: string): boolean {
  return /^(?:\d+(?: ?[-–] ?\d+)?|[_+])[:=]/.test(row);
}
