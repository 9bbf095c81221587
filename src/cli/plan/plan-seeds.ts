import { resolve } from "node:path";
import { BlockReader, blockId, type CodeBlock } from "../../analysis/index.ts";
import { printSkippedChange } from "../../analysis/node/index.ts";
import { parseScriptTree } from "../../names/node/index.ts";
import { givenFindingsOf, type PlanSeed, type PlanState } from "../../plan/index.ts";
import type { PlanSetup, TextAt } from "../../plan/node/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { type FileChange, Lines, minimalEdit, workspaceEdit } from "../../text/index.ts";
import { AccessRules, printSkipReason, readSource } from "../../workspace/index.ts";
import {
  type ChangeRefusal,
  type ChangeRequest,
  disk,
  readChangedTexts,
  toPortablePath,
  tryRefuseRange,
} from "../../workspace/node/index.ts";
import { changeFailure, readDiffText } from "../change-request.ts";
import { blockOnLine, parseLinePlace } from "../parse-place.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { badUsage, CommandFailure } from "../terminal/failure.ts";
import { listed } from "../terminal/print-amount.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { walkFiles } from "../walk-files.ts";
import { gitTrustOf } from "../workspace-settings.ts";
import type { PlanOutside } from "./plan-reporter.ts";

/** The seeds of a plan, and the texts of their files. */
export interface FoundSeeds {
  readonly seeds: readonly PlanSeed[];
  /** The files of the seeds. */
  readonly paths: readonly string[];
  /** The texts before the seeds, and the current ones. */
  readonly start: readonly TextAt[];
  readonly left: readonly TextAt[];
  readonly notes: readonly string[];
}

/** What seeds are found with; standard input may contain a diff. */
export type SeedOutside = PlanOutside & Pick<Terminal, "readInput">;

/** The options for a plan's seed. */
export interface SeedQuery {
  readonly root: string;
  readonly instruction: string | undefined;
  /** `FILE:LINE`. */
  readonly at: string | undefined;
  /** A range of git, the file of a diff, or `working-tree`. */
  readonly seed: string | undefined;
  /** Whether the person gave `--trust`. */
  readonly trust: boolean;
}

/**
 * Finds the seeds of a plan: the instruction at the block on the line `at`, or else a change of the
 * workspace. Throws a {@link CommandFailure}, with what to do, where there is no such block or
 * change. Rejects with the signal's reason on abort.
 */
export async function findSeeds(query: SeedQuery, outside: SeedOutside): Promise<FoundSeeds> {
  const { at, instruction } = query;
  if (at === undefined) {
    const found = await seedsOfChange(query, outside);
    if (instruction === undefined || query.seed !== undefined) return found;
    const note =
      "The plan started from your uncommitted changes; a model gets the instruction with each step. To start with the instruction itself, name its place with --at FILE:LINE.";
    return { ...found, notes: [...found.notes, note] };
  }
  if (instruction === undefined) throw badUsage('Give an instruction: emend plan "INSTRUCTION" --at FILE:LINE.');
  return seedAt(at, { root: query.root, instruction }, outside);
}

async function seedAt(
  typed: string,
  { root, instruction }: { readonly root: string; readonly instruction: string },
  outside: SeedOutside,
): Promise<FoundSeeds> {
  const { path, line } = parseLinePlace(typed, { root, workingFolder: outside.workingFolder, flag: "--at" });
  const rules = new AccessRules({ fileSystem: disk, root });
  await rules.prepare(path);
  const verdict = rules.verdict(path);
  const isKept = verdict.kind === "ignored" && verdict.from === "models";
  const source = isKept
    ? { kind: "skipped" as const, reason: verdict }
    : await readSource(root, path, { fileSystem: disk });
  if (source.kind !== "source") {
    const message = `${path} is not read: ${printSkipReason(source.reason)}.`;
    throw new CommandFailure("not-source", message, { exitCode: exitCodes.notSource });
  }
  const lines = Lines.of(source.text);
  const block = line > lines.count ? undefined : blockOnLine(await blocksOf(path, source.text), lines, line - 1);
  if (block === undefined) {
    const message = `There is no block at ${typed}: give a line of a function, a class, a type or another declaration.`;
    throw new CommandFailure("outside-text", message, { exitCode: exitCodes.outsideText });
  }
  const seed: PlanSeed = { kind: "instruction", block: blockId(block), instruction };
  return { seeds: [seed], paths: [path], start: [], left: [], notes: [] };
}

async function blocksOf(path: string, text: string): Promise<readonly CodeBlock[]> {
  using syntax = openSyntax();
  const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
  await reader.load([path]);
  return reader.tryBlocks(path, text) ?? [];
}

async function seedsOfChange({ root, seed, trust }: SeedQuery, outside: SeedOutside): Promise<FoundSeeds> {
  const { signal } = outside;
  const request = await requestOf(seed, outside);
  const { files, skipped } = await walkFiles(root, outside, () => undefined);
  const known = new Set(files.keys());
  const git = await gitTrustOf({ root, trust, environment: outside.environment });
  const change = await readChangedTexts(request, { root, files: known, skipped, fileSystem: disk, git, signal });
  if (change.kind !== "texts") throw failedChange(change, root);
  if (change.changed.size === 0) {
    const unread = change.skipped.map(({ path, reason }) => `${path} (${printSkippedChange(reason)})`);
    const what =
      unread.length === 0
        ? `Nothing differs between ${change.between}.`
        : `No file that is read differs between ${change.between}; only these do: ${listed(unread)}.`;
    const message = `${what} Make the first change by hand and run this again, or name a place to start: emend plan "INSTRUCTION" --at FILE:LINE.`;
    // A change that cannot be read may have consequences.
    const exitCode = unread.length === 0 ? exitCodes.done : exitCodes.usage;
    throw new CommandFailure("no-change", message, { exitCode });
  }
  const changes: FileChange[] = [];
  const start: TextAt[] = [];
  const left: TextAt[] = [];
  for (const [path, { before, after }] of change.changed) {
    changes.push(...changeOf(path, before ?? null, after ?? null));
    const now = (await textAt(root, path)) ?? undefined;
    if (now !== before && now !== after) {
      const message = `${path} matches neither side of ${change.between}. Check out the result of the change, and start there.`;
      throw new CommandFailure("seed-moved-on", message, { exitCode: exitCodes.failed });
    }
    start.push({ path, text: before ?? null });
    left.push({ path, text: now ?? null });
  }
  const notes = change.skipped.map(
    ({ path, reason }) => `${path} changed too, and is not part of the plan: ${printSkippedChange(reason)}.`,
  );
  return {
    seeds: [{ kind: "edits", edit: workspaceEdit(changes) }],
    paths: start.map(({ path }) => path),
    start,
    left,
    notes,
  };
}

/**
 * The change of a file from one text to another; `null` is a missing file. Empty where both are the
 * same.
 */
export function changeOf(path: string, before: string | null, after: string | null): readonly FileChange[] {
  if (before === after) return [];
  if (after === null) return [{ kind: "delete", uri: path }];
  if (before === null) return [{ kind: "create", uri: path, text: after }];
  return [{ kind: "edit", uri: path, edit: minimalEdit(before, after) }];
}

/**
 * The seeds of a known plan for the current texts of the workspace, and these texts. A change that
 * was made already includes the later edits of its files; one that is still to be made is moved
 * past them.
 *
 * Throws a {@link CommandFailure} with code `plan-moved-on` where that is impossible, nothing is
 * left of the change, or given findings are about one of the `changed` files.
 */
export async function seedsAgain(
  {
    root,
    setup,
    state,
  }: { readonly root: string; readonly setup: PlanSetup; readonly state: Pick<PlanState, "seeds"> },
  changed: readonly string[],
): Promise<Pick<FoundSeeds, "seeds" | "start" | "left">> {
  const start: TextAt[] = [];
  const left: TextAt[] = [];
  const seedAgain = async (change: FileChange): Promise<readonly FileChange[]> => {
    const path = change.uri;
    const before = setup.start.find((one) => one.path === path)?.text ?? null;
    const wasMade = (setup.left.find((one) => one.path === path)?.text ?? null) !== before;
    const now = await textAt(root, path);
    start.push({ path, text: wasMade ? before : now });
    left.push({ path, text: now });
    if (wasMade) return changeOf(path, before, now);
    if (now === before) return [change];
    const since = before === null || now === null ? undefined : minimalEdit(before, now);
    const edit = change.kind === "edit" && since !== undefined ? change.edit.tryRebase(since) : undefined;
    if (edit === undefined) throw movedOn(`${path} changed in lines of the diff that the plan starts from.`);
    return [{ kind: "edit", uri: path, edit }];
  };
  const seeds: PlanSeed[] = [];
  for (const seed of state.seeds) {
    if (seed.kind === "edits") {
      const changes: FileChange[] = [];
      for (const change of seed.edit.changes) changes.push(...(await seedAgain(change)));
      if (changes.length === 0) throw movedOn("The change that the plan started from is gone.");
      seeds.push({ kind: "edits", edit: workspaceEdit(changes) });
      continue;
    }
    const moved = givenFindingsOf([seed]).find(({ findings }) => findings.some(({ path }) => changed.includes(path!)));
    if (moved !== undefined) throw movedOn(`The errors of ${moved.source} are about earlier texts.`);
    seeds.push(seed);
  }
  return { seeds, start, left };
}

function movedOn(why: string): CommandFailure {
  return new CommandFailure("plan-moved-on", `${why} Start a new plan with \`emend plan\`.`, {
    exitCode: exitCodes.failed,
  });
}

/**
 * Throws a {@link CommandFailure} where the commits that a range of git names cannot be compared.
 * Reads no file of the workspace. Rejects with the signal's reason on abort.
 */
export async function checkRange(
  range: string,
  { root, trust }: Pick<SeedQuery, "root" | "trust">,
  { environment, signal }: Pick<PlanOutside, "environment" | "signal">,
): Promise<void> {
  const git = await gitTrustOf({ root, trust, environment });
  const refusal = await tryRefuseRange(range, { root, git, signal });
  if (refusal !== undefined) throw failedChange(refusal, root);
}

function failedChange(refusal: ChangeRefusal, root: string): CommandFailure {
  return changeFailure(refusal, { root, command: "emend plan --seed RANGE", diffFlag: "--seed" });
}

async function requestOf(seed: string | undefined, outside: SeedOutside): Promise<ChangeRequest> {
  if (seed === undefined || seed === "working-tree") return { kind: "work-tree" };
  return (await isDiffFile(seed, outside))
    ? { kind: "diff", diff: await readDiffText(seed, outside) }
    : { kind: "range", range: seed };
}

/**
 * Whether a seed names a diff, which is `-` for standard input or a file relative to the working
 * folder, rather than a range of commits. Never rejects.
 */
export async function isDiffFile(
  seed: string,
  { workingFolder }: Pick<PlanOutside, "workingFolder">,
): Promise<boolean> {
  if (seed === "-") return true;
  return disk.stat(toPortablePath(resolve(workingFolder, seed))).then(
    ({ kind }) => kind === "file",
    () => false,
  );
}

/**
 * The text of a file of the workspace; `null` where it is missing, may not be read or is not text.
 * Never rejects.
 */
export async function textAt(root: string, path: string): Promise<string | null> {
  const answer = await readSource(root, path, { fileSystem: disk }).catch(() => undefined);
  return answer?.kind === "source" ? answer.text : null;
}
