import { joinPath, printSkipReason, readSource, trySecretPath } from "../codebase/index.ts";
import { disk, printChangeSkip, readChangedTexts } from "../codebase/node/index.ts";
import { type FileMove, recordingEnding } from "../next/index.ts";
import { applyFilePatch, byteOrderMark, Edit, type FilePatch, minimalEdit, parseUnifiedDiff } from "../text/index.ts";
import { changeFailure, readDiffText } from "./change-request.ts";
import { exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { findMoves } from "./find-moves.ts";
import type { Terminal } from "./terminal.ts";
import { walkFiles } from "./walk-files.ts";

/** An edit that was made lately: what a file said, and what became of it. */
export interface ToldEdit {
  readonly path: string;
  readonly before: string;
  readonly edit: Edit;
}

/** What was edited lately, the oldest first. Made one after the other, the edits come to the files as they are. */
export interface ToldHistory {
  /** Files that were moved; edits of them are told under their new paths. */
  readonly moves: readonly FileMove[];
  readonly edits: readonly ToldEdit[];
  /** What of it is left out, one line each. */
  readonly notes: readonly string[];
}

/** Reads what was edited lately: `git`, the file of a diff, or `-`. Throws a {@link CommandFailure} that says what to do. */
export function readToldHistory(named: string, root: string, terminal: Terminal): Promise<ToldHistory> {
  return named === "git" ? historyOfGit(root, terminal) : historyOfDiff(named, root, terminal);
}

/** What differs from the last commit, change by change: the file that was saved last is the newest, and in a file the lowest change. */
async function historyOfGit(root: string, terminal: Terminal): Promise<ToldHistory> {
  const { signal } = terminal;
  const { files, skipped } = await walkFiles(root, terminal, () => undefined);
  const known = new Set(files.keys());
  const change = await readChangedTexts(
    { kind: "work-tree" },
    { root, files: known, skipped, fileSystem: disk, signal },
  );
  if (change.kind !== "texts")
    throw changeFailure(change, { root, command: "emend next --history git", diffFlag: "--history" });
  const notes = change.skipped.map(
    ({ path, reason }) => `${path} changed, and is left out: ${printChangeSkip(reason)}.`,
  );
  const told: { readonly savedAtMs: number; readonly edits: readonly ToldEdit[] }[] = [];
  const changed = new Map([...change.changed].filter(([path]) => !path.endsWith(recordingEnding)));
  const moves = findMoves(changed);
  const origins = new Map(moves.map(({ from, to }) => [to, from]));
  const departed = new Set(origins.values());
  for (const [path, { before, after }] of changed) {
    if (departed.has(path)) continue;
    if (after === undefined) {
      notes.push(`${path} is gone, and nothing follows from that here.`);
      continue;
    }
    const from = origins.get(path);
    const old = (from === undefined ? before : changed.get(from)?.before) ?? "";
    const { mtimeMs } = await disk.stat(joinPath(root, path));
    told.push({ savedAtMs: mtimeMs, edits: [...changesBetween(path, plain(old), plain(after))] });
  }
  told.sort((one, other) => one.savedAtMs - other.savedAtMs);
  return { moves, edits: told.flatMap(({ edits }) => edits), notes };
}

/** The hunks of a diff that is made already, in their order. */
async function historyOfDiff(diff: string, root: string, terminal: Terminal): Promise<ToldHistory> {
  const text = await readDiffText(diff, terminal);
  const { files, issues } = parseUnifiedDiff(text);
  const error = issues.find(({ severity }) => severity === "error");
  if (error !== undefined) {
    const line = text.slice(0, error.range.start).split("\n").length;
    throw new CommandFailure("bad-diff", `The diff cannot be read, line ${line}: ${error.message}.`, {
      exitCode: exitCodes.failed,
    });
  }
  const notes: string[] = [];
  const edits: ToldEdit[][] = [];
  const moves: FileMove[] = [];
  // What each file said before the patches that are taken back already.
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
  if (kind === "delete" || pathAfter === undefined) return "it is gone, and nothing follows from that here";
  if (isBinary) return "its content is binary";
  return trySecretPath(pathAfter) === undefined ? undefined : "it may hold secrets";
}

async function textOf(path: string, root: string): Promise<string> {
  const answer = await readSource(root, path, { fileSystem: disk, unknownLanguages: "keep" });
  if (answer.kind === "source") return plain(answer.text);
  if (answer.reason.kind === "missing") throw mismatch(`it changes ${path}, which is not there`);
  const message = `${path}, which the diff changes, is not read: ${printSkipReason(answer.reason)}. Take it out of the diff.`;
  throw new CommandFailure("not-source", message, { exitCode: exitCodes.notSource });
}

/** The patch that takes a patch back. */
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

/** Why a diff cannot be what was edited last. */
function notMade(path: string, text: string, patch: FilePatch): CommandFailure {
  if (applyFilePatch({ ...patch, kind: "modify" }, text).kind === "applied") {
    const message = `The diff is not made yet in ${path}: --history takes what was edited already. Make it first (\`git apply\`).`;
    return new CommandFailure("diff-mismatch", message, { exitCode: exitCodes.failed });
  }
  const isBare = patch.hunks.some(({ lines }) => lines.every(({ kind }) => kind !== "keep"));
  const hint = isBare ? ", or it has no lines around what changes, as `git diff -U0` prints it" : "";
  return mismatch(`the lines that it leads to are not in ${path}${hint}`);
}

function mismatch(why: string): CommandFailure {
  const message = `The diff does not lead to the files as they are: ${why}. Give the diff of what was edited last, such as \`git diff\` prints it.`;
  return new CommandFailure("diff-mismatch", message, { exitCode: exitCodes.failed });
}

/** The changed stretches of lines, from the first to the last, each as an edit of the text that the ones before it gave. */
function* changesBetween(path: string, before: string, after: string): Generator<ToldEdit> {
  let text = before;
  let shift = 0;
  for (const { start, end, text: inserted } of minimalEdit(before, after, { unit: "line" }).edits) {
    // Within the lines only what differs: what was not touched is not taken for written anew.
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

/** A text as editors show it: without the mark that some files begin with. */
function plain(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text;
}
