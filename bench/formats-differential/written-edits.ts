import type { FormatName } from "../../src/formats/index.ts";
import type { HunkRow } from "../../src/formats/placing/hunk-rows.ts";
import type { Random } from "../hostile/hostile-texts.ts";
import type { GeneratedChange, GeneratedEdit, GeneratedHunk } from "./generated-edits.ts";
import { pick } from "./generated-files.ts";
import { inVariant, type RowVariant, rowsOf, rowVariantFor } from "./row-variants.ts";

/** An edit as a model writes it. */
export interface WrittenEdit {
  readonly edit: GeneratedEdit;
  readonly format: FormatName;
  readonly answer: string;
  /** How it differs from an edit as the format's own tools write it. */
  readonly variant: string;
}

type Update = Extract<GeneratedChange, { kind: "update" }>;

/** A patch for `apply_patch`. */
export function writeV4a(edit: GeneratedEdit): WrittenEdit {
  const { changes, random } = edit;
  const rowVariant = rowVariantFor(random);
  const layout = pick(["plain", "plain", "headings", "heading in context", "bare blank rows", "no first @@"], random);
  const parts = changes.flatMap((change) => {
    if (change.kind === "create") return [`*** Add File: ${change.path}`, ...change.lines.map((line) => `+${line}`)];
    if (change.kind === "delete") return [`*** Delete File: ${change.file.path}`];
    return [`*** Update File: ${change.file.path}`, ...v4aHunks(change, { rowVariant, layout, random })];
  });
  const answer = ["*** Begin Patch", ...parts, "*** End Patch", ""].join("\n");
  return { edit, format: "v4a", answer, variant: `${layout}, ${rowVariant}` };
}

function v4aHunks(
  { file, hunks }: Update,
  { rowVariant, layout, random }: { readonly rowVariant: RowVariant; readonly layout: string; readonly random: Random },
): readonly string[] {
  return hunks.flatMap((hunk, index) => {
    const rows = inVariant(rowsOf(file.lines, hunk, random), rowVariant, random);
    const first = hunk.start - hunk.contextBefore;
    const above = layout === "headings" ? file.lines.slice(0, first) : [];
    const context = layout === "heading in context" && hunk.contextBefore > 0 ? file.lines[first] : undefined;
    const heading = context ?? above.findLast((line) => /^\w.*\w/.test(line));
    const head = heading === undefined || heading.trim() === "" ? "@@" : `@@ ${heading}`;
    const isHeadless = layout === "no first @@" && index === 0;
    const reachesEnd = hunk.end + hunk.contextAfter === file.lines.length && random.int(0, 3) === 0;
    return [
      ...(isHeadless ? [] : [head]),
      ...rows.map((row) => printed(row, layout === "bare blank rows")),
      ...(reachesEnd ? ["*** End of File"] : []),
    ];
  });
}

/** How a unified diff is written. `counted` has the numbers that `git apply` and `patch` need. */
export type DiffStyle = "counted" | "free";

/** A unified diff; in the style `free` as models write it for aider, mostly without numbers. */
export function writeUdiff(edit: GeneratedEdit, style: DiffStyle): WrittenEdit {
  const { changes, random } = edit;
  const rowVariant = rowVariantFor(random);
  const numbers =
    style === "free"
      ? pick(["no numbers", "no numbers", "dots", "right numbers", "wrong start"], random)
      : pick(["right numbers", "right numbers", "wrong start", "heading", "bare blank rows", "wrong counts"], random);
  const parts = changes.flatMap((change) => {
    if (change.kind === "update") return diffOfUpdate(change, { numbers, rowVariant, random });
    const isNew = change.kind === "create";
    const path = isNew ? change.path : change.file.path;
    const lines = isNew ? change.lines : change.file.lines;
    const ends = isNew || change.file.hasFinalNewline ? [] : [openEnd];
    const range = `1,${lines.length}`;
    return [
      ...(style === "counted"
        ? [`diff --git a/${path} b/${path}`, `${isNew ? "new" : "deleted"} file mode 100644`]
        : []),
      isNew ? "--- /dev/null" : `--- a/${path}`,
      isNew ? `+++ b/${path}` : "+++ /dev/null",
      isNew ? `@@ -0,0 +${range} @@` : `@@ -${range} +0,0 @@`,
      ...lines.map((line) => `${isNew ? "+" : "-"}${line}${carriageReturn(change)}`),
      ...ends,
    ];
  });
  const fence = style === "free" ? ["```diff", ...parts, "```"] : parts;
  return { edit, format: "udiff", answer: `${fence.join("\n")}\n`, variant: `${numbers}, ${rowVariant}` };
}

const openEnd = "\\ No newline at end of file";

function diffOfUpdate(
  change: Update,
  {
    numbers,
    rowVariant,
    random,
  }: { readonly numbers: string; readonly rowVariant: RowVariant; readonly random: Random },
): readonly string[] {
  const { file, hunks } = change;
  let added = 0;
  const first = hunks[0]!.start - hunks[0]!.contextBefore;
  // All numbers of a file are off by the same, and none is below 1.
  const off = numbers === "wrong start" ? Math.max(-first, pick([-12, -3, -1, 1, 2, 5, 20], random)) || 2 : 0;
  const parts = hunks.flatMap((hunk) => {
    const rows = inVariant(rowsOf(file.lines, hunk, random), rowVariant, random);
    const head = hunkHead(hunk, rows, { numbers, added: added + off, off });
    added += hunk.lines.length - (hunk.end - hunk.start);
    // Where the last lines go, the new last line is outside of the hunk, or is ended.
    const goes = hunk.end === file.lines.length && hunk.lines.length === 0;
    const above = file.lines.slice(0, hunk.start - hunk.contextBefore);
    const heading = numbers === "heading" ? above.findLast((line) => /^\w.*\w/.test(line)) : undefined;
    const text = rows.flatMap((row) => {
      const isLast = !file.hasFinalNewline && hunk.end + hunk.contextAfter === file.lines.length;
      const isEnd = isLast && (row === rows.findLast(isOld) || (!goes && row === rows.findLast(isNew)));
      const bare = numbers === "bare blank rows";
      return [printed(row, bare) + carriageReturn(change), ...(isEnd ? [openEnd] : [])];
    });
    return [heading === undefined ? head : `${head} ${heading}`, ...text];
  });
  return [`--- a/${file.path}`, `+++ b/${file.path}`, ...parts];
}

function hunkHead(
  { start, contextBefore }: GeneratedHunk,
  rows: readonly HunkRow[],
  { numbers, added, off }: { readonly numbers: string; readonly added: number; readonly off: number },
): string {
  if (numbers === "no numbers") return "@@ @@";
  if (numbers === "dots") return "@@ ... @@";
  const first = start - contextBefore + 1;
  const wrong = numbers === "wrong counts" ? 1 : 0;
  const before = rows.filter(isOld).length;
  const after = rows.filter(isNew).length;
  const beforeStart = first + off;
  const afterStart = first + added;
  return `@@ -${before === 0 ? beforeStart - 1 : beforeStart},${before + wrong} +${after === 0 ? afterStart - 1 : afterStart},${after + wrong} @@`;
}

function isOld({ mark }: HunkRow): boolean {
  return mark !== "+";
}

function isNew({ mark }: HunkRow): boolean {
  return mark !== "-";
}

/** Search/replace blocks. */
export function writeSearchReplace(edit: GeneratedEdit): WrittenEdit {
  const { changes, random } = edit;
  const rowVariant = rowVariantFor(random);
  const layout = pick(["plain", "plain", "blank first row", "less indented", "long marks"], random);
  const parts = changes.flatMap((change): readonly string[] => {
    if (change.kind === "create") return [block(change.path, [], change.lines, layout)];
    if (change.kind === "delete") return [];
    const { file, hunks } = change;
    return hunks.map((hunk) => {
      const rows = inVariant(rowsOf(file.lines, hunk, random), rowVariant, random);
      const search = rows.filter(isOld).map(({ text }) => text);
      // A model repeats the lines that stay as it wrote them above.
      const replace = rows.filter(isNew).map(({ text }) => text);
      const isShifted = layout === "less indented" && rowVariant === "exact";
      const shift = isShifted ? sharedIndent([...search, ...replace]) : 0;
      const shifted = (lines: readonly string[]) => lines.map((line) => line.slice(shift));
      return block(file.path, shifted(search), shifted(replace), layout);
    });
  });
  const answer = `Here are the changes:\n\n${parts.join("\n")}`;
  return { edit, format: "search-replace", answer, variant: `${layout}, ${rowVariant}` };
}

function block(path: string, search: readonly string[], replace: readonly string[], layout: string): string {
  const length = layout === "long marks" ? 9 : 7;
  const blank = layout === "blank first row" && search.length > 0 ? [""] : [];
  return [
    path,
    "```",
    `${"<".repeat(length)} SEARCH`,
    ...blank,
    ...search,
    "=".repeat(length),
    ...blank,
    ...replace,
    `${">".repeat(length)} REPLACE`,
    "```",
    "",
  ].join("\n");
}

function sharedIndent(lines: readonly string[]): number {
  const used = lines.filter((line) => line.trim() !== "").map((line) => /^ */.exec(line)![0].length);
  return used.length === 0 ? 0 : Math.min(...used);
}

function printed({ mark, text }: HunkRow, hasBareBlanks: boolean): string {
  return hasBareBlanks && mark === " " && text === "" ? "" : mark + text;
}

function carriageReturn(change: GeneratedChange): string {
  return change.kind !== "create" && change.file.lineEnding === "\r\n" ? "\r" : "";
}
