import { type CodeFence, closesCode, isShellFence, tryReadCodeFence } from "./code-fence.ts";
import type { FormatName } from "./edit-format.ts";
import { isElision } from "./is-elision.ts";
import { JsonScanner } from "./json-scanner.ts";
import { isLineCommand } from "./line-command-row.ts";
import { tryReadFenceInfoPath, tryReadPathRow } from "./path-row.ts";
import { isCommand, readCommand } from "./range-command.ts";
import { tryReadSearchReplaceMark } from "./search-replace-marks.ts";
import { beginsLikeJson } from "./str-replace-reader.ts";
import { opensThoughts, withoutThoughts } from "./thoughts.ts";
import { mentionsToolCall } from "./tool-calls.ts";

/** Which format an answer is in, or those that it could be in; none where it has no marks of any. */
export type FormatDetection =
  | { readonly kind: "format"; readonly name: FormatName }
  | { readonly kind: "unsure"; readonly candidates: readonly FormatName[] };

/**
 * Tells by its marks in which format an answer is.
 *
 * Never by trying until something applies: an answer that two formats could read says two things. Marks count at the
 * beginning of rows, outside of fences or where a fence begins with them; what stands inside of an edit is code. A file
 * in a fence without any mark could be the whole of it or a part, which no mark tells.
 */
export function detectFormat(answer: string): FormatDetection {
  const rest = withoutThoughts(answer.replace(/^\ufeff/, ""));
  const found = detectIn(rest.split(/\r?\n/));
  const isNothing = found.kind === "unsure" && found.candidates.length === 0;
  // What looks like the end of thoughts may be code of an edit.
  return isNothing && rest !== answer && !opensThoughts(answer) ? detectIn(answer.split(/\r?\n/)) : found;
}

function detectIn(rows: readonly string[]): FormatDetection {
  const missing = new Set<string>();
  const marked = new Set<FormatName>();
  const fenced = new Set<FormatName>();
  let hasFence = false;
  let hasPlainFile = false;
  let open: CodeFence | undefined;
  for (let i = 0; i < rows.length; ) {
    const mark = markAt(rows, i, missing);
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
    const first = firstOfFence(rows, i + 1, missing);
    if (markAt(rows, first, missing) !== undefined) {
      open = fence;
      i = first;
      continue;
    }
    const block = readBlock(rows, i, fence);
    if (block.name === undefined) hasPlainFile ||= block.path !== undefined && !isShellFence(fence);
    else fenced.add(block.name);
    i = block.end;
  }
  // A sample in a fence is no edit where edits have marks.
  const names = [...(marked.size > 0 ? marked : fenced)];
  if (names.length === 0 && rows.some(isNumbered) && rows.every((row) => isNumbered(row) || row.trim() === "")) {
    return { kind: "format", name: "numbered" };
  }
  if (names.length === 0 && !hasFence && rows.some((row) => isElision(row) && /\p{L}/u.test(row))) {
    return { kind: "format", name: "elided" };
  }
  const [name] = names;
  if (name !== undefined && names.length === 1) return { kind: "format", name };
  return { kind: "unsure", candidates: names.length === 0 && hasPlainFile ? ["whole", "elided"] : names };
}

/** An edit of a format that has marks, and the row behind it. */
interface MarkedEdit {
  readonly name: FormatName;
  readonly end: number;
}

/** The edit that begins in row `i`. `missing` collects the rows that were looked for in vain, for the rows behind it. */
function markAt(rows: readonly string[], i: number, missing: Set<string>): MarkedEdit | undefined {
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
  if (beginsLikeJson(row.trim()) && !missing.has("}")) {
    const call = jsonAt(rows, i);
    if (call.name !== undefined) return { name: call.name, end: call.end };
    if (call.end > rows.length) missing.add("}");
  }
  if (row.includes("*** Begin Patch\\n")) return { name: "v4a", end: i + 1 };
  if (/^\s*\*\*\* (?:Begin Patch\s*$|(?:Update|Add|Delete) File: )/.test(row)) {
    return { name: "v4a", end: behind((one) => /^\s*\*\*\* End Patch\s*$/.test(one)) };
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

/** What the JSON that begins in a row holds; its end is behind the last row where it is not closed. */
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

/** The first row of a fence that is not blank, and no path of a file unless an edit begins with that. */
function firstOfFence(rows: readonly string[], start: number, missing: Set<string>): number {
  const isPath = (i: number) => tryReadPathRow(rows[i]!, []) !== undefined && markAt(rows, i, missing) === undefined;
  let i = start;
  while (i < rows.length && (rows[i]!.trim() === "" || isPath(i))) i++;
  return i;
}

/** Code in a fence, and what format its rows speak of. */
interface CodeBlock {
  readonly name: FormatName | undefined;
  readonly path: string | undefined;
  /** The row behind it. */
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
  const name = isAllNumbered ? "numbered" : code.some((row) => isElision(row, path)) ? "elided" : undefined;
  return { name, path, end: end + 1 };
}

function isNumbered(row: string): boolean {
  return /^(?:\d+(?: ?[-–] ?\d+)?|[_+])[:=]/.test(row);
}
