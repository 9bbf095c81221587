import { printSkippedChange } from "../../analysis/node/index.ts";
import { type FileMove, recordingEnding } from "../../next/index.ts";
import {
  applyFilePatch,
  Edit,
  type FilePatch,
  minimalEdit,
  parseUnifiedDiff,
  sharedItems,
  withoutByteOrderMark,
} from "../../text/index.ts";
import { type ChangedText, joinPath, printSkipReason, readSource, trySecretPath } from "../../workspace/index.ts";
import { blockingDisk, readChangedTexts } from "../../workspace/node/index.ts";
import { changeFailure, readDiffText } from "../change-request.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { walkFiles } from "../walk-files.ts";
import { gitTrustOf } from "../workspace-settings.ts";

/** A recent edit: the text of the file before, and the edit. */
export interface GivenEdit {
  readonly path: string;
  readonly before: string;
  readonly edit: Edit;
}

/**
 * The recent edits, the oldest first. Applied one after the other they lead to the current files.
 */
export interface GivenHistory {
  /** Moved files; their edits have the new paths. */
  readonly moves: readonly FileMove[];
  readonly edits: readonly GivenEdit[];
  /** Notes about changes that were left out, one line each. */
  readonly notes: readonly string[];
}

/**
 * Reads the recent edits: from `git`, the file of a diff, or `-` for standard input. Throws a
 * {@link CommandFailure}, with what to do, where git gives no changes, the diff cannot be read, or
 * it does not fit the files. Rejects with the signal's reason on abort.
 */
export function readGivenHistory(
  named: string,
  { root, trust }: { readonly root: string; readonly trust: boolean },
  terminal: Terminal,
): Promise<GivenHistory> {
  return named === "git" ? historyOfGit(root, trust, terminal) : historyOfDiff(named, root, terminal);
}

/**
 * The changes since the last commit. The file that was saved last is the newest, and within a file
 * the lowest change.
 */
async function historyOfGit(root: string, trust: boolean, terminal: Terminal): Promise<GivenHistory> {
  const { signal, environment } = terminal;
  const { files, skipped } = await walkFiles(root, terminal, () => undefined);
  const known = new Set(files.keys());
  const git = await gitTrustOf({ root, trust, environment });
  const change = await readChangedTexts(
    { kind: "work-tree" },
    { root, files: known, skipped, fileSystem: blockingDisk, git, signal },
  );
  if (change.kind !== "texts")
    throw changeFailure(change, { root, command: "emend next --history git", diffFlag: "--history" });
  const notes = change.skipped.map(
    ({ path, reason }) => `${path} changed, and is left out: ${printSkippedChange(reason)}.`,
  );
  const fileEdits: { readonly savedAtMs: number; readonly edits: readonly GivenEdit[] }[] = [];
  const changed = new Map([...change.changed].filter(([path]) => !path.endsWith(recordingEnding)));
  const moves = findMoves(changed);
  const origins = new Map(moves.map(({ from, to }) => [to, from]));
  const movedFrom = new Set(origins.values());
  for (const [path, { before, after }] of changed) {
    if (movedFrom.has(path)) continue;
    if (after === undefined) {
      notes.push(`${path} is deleted, and deletions are not followed.`);
      continue;
    }
    const from = origins.get(path);
    const old = (from === undefined ? before : changed.get(from)?.before) ?? "";
    const { mtimeMs } = await blockingDisk.stat(joinPath(root, path));
    fileEdits.push({
      savedAtMs: mtimeMs,
      edits: [...changesBetween(path, withoutByteOrderMark(old), withoutByteOrderMark(after))],
    });
  }
  fileEdits.sort((one, other) => one.savedAtMs - other.savedAtMs);
  return { moves, edits: fileEdits.flatMap(({ edits }) => edits), notes };
}

/** The hunks of a diff that is applied already, in their order. */
async function historyOfDiff(diff: string, root: string, terminal: Terminal): Promise<GivenHistory> {
  const text = await readDiffText(diff, terminal);
  const { files, issues } = parseUnifiedDiff(text);
  const error = issues.find(({ severity }) => severity === "error");
  if (error !== undefined) {
    const line = text.slice(0, error.start).split("\n").length;
    throw new CommandFailure("bad-diff", `The diff cannot be read, line ${line}: ${error.message}.`, {
      exitCode: exitCodes.failed,
    });
  }
  const notes: string[] = [];
  const edits: GivenEdit[][] = [];
  const moves: FileMove[] = [];
  // The text of each file before the patches that were reverted so far.
  const texts = new Map<string, string>();
  for (const patch of files.toReversed()) {
    const path = patch.pathAfter ?? patch.pathBefore ?? "";
    const left = whyLeftOut(patch);
    if (left !== undefined) {
      notes.push(`${path} is left out: ${left}.`);
      continue;
    }
    if (patch.kind === "rename" && patch.pathBefore !== undefined) moves.unshift({ from: patch.pathBefore, to: path });
    const after = texts.get(path) ?? (await textOf(path, root));
    const back = applyFilePatch(reversed(patch), after);
    if (back.kind !== "applied") throw notMade(path, after, patch);
    const before = back.edit.apply(after);
    texts.set(path, before);
    edits.push([...changesBetween(path, before, after)]);
  }
  return { moves, edits: edits.toReversed().flat(), notes };
}

function whyLeftOut({ kind, isBinary, pathAfter }: FilePatch): string | undefined {
  if (kind === "delete" || pathAfter === undefined) return "it is deleted, and deletions are not followed";
  if (isBinary) return "its content is binary";
  return trySecretPath(pathAfter) === undefined ? undefined : "it may hold secrets";
}

async function textOf(path: string, root: string): Promise<string> {
  const answer = await readSource(root, path, { fileSystem: blockingDisk, unknownLanguages: "keep" });
  if (answer.kind === "source") return withoutByteOrderMark(answer.text);
  if (answer.reason.kind === "missing") throw mismatch(`it changes ${path}, which is not there`);
  const message = `${path}, which the diff changes, is not read: ${printSkipReason(answer.reason)}. Take it out of the diff.`;
  throw new CommandFailure("not-source", message, { exitCode: exitCodes.notSource });
}

/** The patch that reverts a patch. */
function reversed({ pathAfter, isBinary, hunks }: FilePatch): FilePatch {
  const turned = { keep: "keep", delete: "insert", insert: "delete" } as const;
  return {
    ...{ kind: "modify", pathBefore: pathAfter, pathAfter, isBinary },
    hunks: hunks.map(({ beforeStart, beforeCount, afterStart, afterCount, heading, lines }) => ({
      ...{
        beforeStart: afterStart,
        beforeCount: afterCount,
        afterStart: beforeStart,
        afterCount: beforeCount,
        heading,
      },
      lines: lines.map(({ kind, text }) => ({ kind: turned[kind], text })),
    })),
  };
}

/** The failure for a diff that does not lead to the current file. */
function notMade(path: string, text: string, patch: FilePatch): CommandFailure {
  if (applyFilePatch({ ...patch, kind: "modify" }, text).kind === "applied") {
    const message = `The diff is not applied yet in ${path}: --history takes edits that are already made. Apply it first (\`git apply\`).`;
    return new CommandFailure("diff-mismatch", message, { exitCode: exitCodes.failed });
  }
  const isBare = patch.hunks.some(({ lines }) => lines.every(({ kind }) => kind !== "keep"));
  const hint = isBare ? ", or it has no context lines, like the output of `git diff -U0`" : "";
  return mismatch(`its new lines are not in ${path}${hint}`);
}

function mismatch(why: string): CommandFailure {
  const message = `The diff does not lead to the current files: ${why}. Give the diff of your last edits, such as the output of \`git diff\`.`;
  return new CommandFailure("diff-mismatch", message, { exitCode: exitCodes.failed });
}

/** The changed ranges of lines in order, each as an edit of the text after the edits before it. */
function* changesBetween(path: string, before: string, after: string): Generator<GivenEdit> {
  let text = before;
  let shift = 0;
  for (const { start, end, text: inserted } of minimalEdit(before, after, { unit: "line" }).edits) {
    // Within the lines only the differing parts, so that unchanged text does not count as written.
    const old = before.slice(start, end);
    const within = minimalEdit(old, inserted).edits.map((part) => ({
      start: start + shift + part.start,
      end: start + shift + part.end,
      text: part.text,
    }));
    const edit = Edit.of(within);
    yield { path, before: text, edit };
    text = edit.apply(text);
    shift += inserted.length - (end - start);
  }
}

/**
 * Pairs deleted files with created ones that they were moved to: equal texts first, then similar
 * ones, the most similar first. A pair has at least half of its lines in common; no similar pairs
 * are searched among more than 10,000.
 *
 * Source: git's rename detection, by lines instead of chunks.
 */
export function findMoves(changed: ReadonlyMap<string, ChangedText>): readonly FileMove[] {
  const all = [...changed];
  const deleted = new Map(
    all.flatMap(([path, { before, after }]) => (after === undefined ? [[path, before ?? ""]] : [])),
  );
  const created = new Map(
    all.flatMap(([path, { before, after }]) => (before === undefined ? [[path, after ?? ""]] : [])),
  );
  const moves: FileMove[] = [];
  const take = (from: string, to: string) => {
    if (!deleted.has(from) || !created.has(to)) return;
    moves.push({ from, to });
    deleted.delete(from);
    created.delete(to);
  };
  const byText = new Map<string, string[]>();
  for (const [path, text] of created) byText.set(text, [...(byText.get(text) ?? []), path]);
  for (const [from, text] of [...deleted]) {
    const to = byText.get(text)?.shift();
    if (to !== undefined) take(from, to);
  }
  for (const { from, to } of similarPairs(deleted, created)) take(from, to);
  return moves;
}

/** The least similarity of a moved file: the share of common lines, as in git. */
const leastSimilarity = 0.5;
/** The most pairs of files that are compared. */
const maxPairs = 10_000;

/** Pairs of similar files, the most similar first; empty where there are too many to compare. */
function similarPairs(deleted: ReadonlyMap<string, string>, created: ReadonlyMap<string, string>): readonly FileMove[] {
  if (deleted.size * created.size > maxPairs) return [];
  const linesOf = (texts: ReadonlyMap<string, string>) =>
    [...texts].map(([path, text]) => ({ path, lines: text.split("\n") }));
  const others = linesOf(created);
  const pairs = linesOf(deleted).flatMap(({ path: from, lines }) =>
    others.map(({ path: to, lines: after }) => ({ from, to, similarity: similarity(lines, after) })),
  );
  return pairs
    .filter(({ similarity }) => similarity >= leastSimilarity)
    .sort((one, other) => other.similarity - one.similarity);
}

/** The share of the lines of the longer text that both have in common, from 0 to 1. */
function similarity(one: readonly string[], other: readonly string[]): number {
  return sharedItems(one, other).length / Math.max(one.length, other.length);
}
