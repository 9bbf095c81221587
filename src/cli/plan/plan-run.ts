import { createHash } from "node:crypto";
import { join } from "node:path";
import { WorkspaceAnalysis } from "../../analysis/node/index.ts";
import { userConfigFolder } from "../../config/index.ts";
import { RegionGuides } from "../../edit/index.ts";
import { grammarFor, threadSlices } from "../../grammar/node/index.ts";
import { shownModelName, withoutKeys } from "../../model/index.ts";
import {
  afterEvent,
  ChatModelStep,
  foldPlan,
  type ModelStep,
  type OpenStep,
  openSteps,
  type PartOptions,
  type PlanJournal,
  type PlanParts,
  type PlanRunOptions,
  type PlanStart,
  type PlanState,
  parseVerifierCommand,
  planViewOf,
  runPlan,
} from "../../plan/index.ts";
import {
  analysisImpact,
  commandVerifier,
  type FileHashes,
  FolderPlanStore,
  openScratchCopy,
  PlanPageFile,
  type PlanSetup,
  type PlanStore,
  plansFolder,
  type ScratchChanges,
  type ScratchCopy,
  ScratchPlanWorkspace,
  type TextAt,
  tracelessVerifier,
  tryMechanicalEdits,
} from "../../plan/node/index.ts";
import { type ChatModels, FallbackChat, loadEditSettings, openChatModels } from "../../server/session/index.ts";
import type { Syntax } from "../../syntax/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { emptyWorkspaceEdit, type FileChange, workspaceEdit } from "../../text/index.ts";
import { blockingDisk, gitHead, readRegularFile } from "../../workspace/node/index.ts";
import { cacheFolderOf } from "../cache-folder.ts";
import { modelFlags, modelNames, NamedModels } from "../named-models.ts";
import { stateFolderOf } from "../state-folder.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { listed } from "../terminal/print-amount.ts";
import { printAnalysisProgress } from "../terminal/progress.ts";
import { walkFiles } from "../walk-files.ts";
import { typesMemoryMb } from "../workspace-settings.ts";
import { type PlanOutside, type PlanReporter, silentReporter } from "./plan-reporter.ts";
import { changeOf } from "./plan-seeds.ts";

/** A plan to start or continue. */
export interface PlanDrive {
  readonly root: string;
  readonly setup: PlanSetup;
  readonly start: PlanStart;
  /** The files that the plan refers to at first. */
  readonly about: readonly string[];
  /** Reports the progress; none by default. */
  readonly reporter?: PlanReporter;
  /** Whether the workspace's configuration may run code. */
  readonly isTrusted: boolean;
  /** Opens models by their names; by default with the settings of the workspace. */
  readonly openModels?: (names: readonly string[]) => Promise<PlanModels>;
  /** Whether the plan is refused where none of its models can be opened; true by default. */
  readonly isModelWanted?: boolean;
  /**
   * Decides how a stored plan is continued, by its journal and the workspace; called before the
   * plan runs.
   */
  readonly continueWith?: (
    journal: PlanJournal,
    analysis: WorkspaceAnalysis,
  ) => Promise<Pick<PlanRunOptions, "continues" | "manualResults">>;
  /** Where the plan is stored meanwhile; by default the folder with the plans of the workspace. */
  readonly store?: PlanStore;
}

/** The result of a run. */
export interface DrivenPlan {
  readonly state: PlanState;
  /** The differences to the current workspace. */
  readonly changes: ScratchChanges;
  readonly open: readonly OpenStep[];
  readonly notes: readonly string[];
  /** The source files that the plan read, without those whose texts are in its setup. */
  readonly read: FileHashes;
}

/**
 * The folder with the plans of a workspace, which may not exist yet. `root` is absolute, links
 * resolved.
 */
export function plansFolderOf(root: string, outside: Pick<PlanOutside, "environment" | "workingFolder">): string {
  return plansFolder(join(stateFolderOf(outside), "plans"), root);
}

/**
 * The name of a plan, from the time in UTC at which it begins, such as `2026-05-01-12-30-05-123`;
 * names sort by time.
 */
export function planNameAt(date: Date): string {
  return date.toISOString().slice(0, 23).replace(/[^\d]/g, "-");
}

/**
 * The hash of the commit that a workspace has checked out; `none` where there is none, or git
 * cannot be run. Rejects with the signal's reason on abort.
 */
export async function baseOf(root: string, { signal }: Pick<PlanOutside, "signal">): Promise<string> {
  const head = await gitHead(root, { signal });
  return head.kind === "answer" && head.value.kind !== "unborn" ? head.value.sha : "none";
}

/**
 * Runs a plan in a copy of the workspace, and reports the progress. The workspace itself stays
 * unchanged. A plan that stops before its end is a result; see `state.ended`.
 *
 * Throws a {@link CommandFailure} where the workspace cannot be copied, no model that is wanted can
 * be opened, and with code `busy` where another process is running the plan. Rejects with the
 * signal's reason on abort. The events until then are stored.
 */
export async function drivePlan(drive: PlanDrive, outside: PlanOutside): Promise<DrivenPlan> {
  const { root, setup, start, reporter = silentReporter } = drive;
  const { signal } = outside;
  reporter.reportActivity("Copying the workspace");
  const opened = await openScratchCopy(root, { folder: join(cacheFolderOf(outside), "plans"), signal });
  if (opened.kind === "refused") {
    throw new CommandFailure(opened.reason, opened.message, { exitCode: exitCodes.failed });
  }
  await using copy = opened.copy;
  using syntax = openSyntax();
  try {
    await putTexts(copy, setup.start);
    reporter.reportActivity("Looking for files");
    const { files } = await walkFiles(copy.root, outside, () => undefined);
    const known = new Set(setup.start.map(({ path }) => path));
    const others = [...files.keys()].filter((path) => !known.has(path));
    const read = await hashFiles(copy.root, others, signal);
    await using analysis = await WorkspaceAnalysis.open({
      ...{ root: copy.root, files, about: drive.about, hasDataBlocks: true, fileSystem: blockingDisk, syntax, signal },
      maxTypesMemoryMb: await typesMemoryMb(root, { trust: drive.isTrusted }, outside),
      onProgress: (one) => reporter.reportActivity(printAnalysisProgress(one)),
    });
    const store = drive.store ?? new FolderPlanStore(plansFolderOf(root, outside));
    const done = await store.withJournal(start.plan, { waitMs: 0, signal }, (journal) =>
      carryOut(journal, { drive, reporter, copy, analysis, syntax }, outside),
    );
    if (done.kind === "busy") {
      const message = `Another Emend (process ${done.processId ?? "unknown"}) is running this plan. Wait until it has ended.`;
      throw new CommandFailure("busy", message, { exitCode: exitCodes.failed });
    }
    const { state, notes } = done.value;
    const { leftOut, coverage } = analysis;
    const types = coverage.types.kind === "failed" ? [`There is no type checker: ${coverage.types.message}`] : [];
    const partly = leftOut === undefined ? [] : [`The type checker leaves out files: ${leftOut}.`];
    const workspace = new ScratchPlanWorkspace(copy);
    const open = await openSteps(state, analysis.graph, (path) => workspace.textOf(path));
    // Before the first round the copy lacks the seed's changes, which must not appear as changes
    // of the plan.
    const changes = state.round === 0 ? noChanges : await copy.changes({ signal });
    return { state, changes, open, notes: [...types, ...partly, ...notes], read };
  } finally {
    reporter.close();
  }
}

/**
 * The hashes of the files at these paths below the folder `root`; without those that cannot be
 * read. Rejects with the signal's reason on abort.
 */
export async function hashFiles(root: string, paths: readonly string[], signal: AbortSignal): Promise<FileHashes> {
  const hashes: Record<string, string> = {};
  for (const path of paths) {
    signal.throwIfAborted();
    const bytes = await readRegularFile(join(root, path)).catch(() => undefined);
    if (bytes !== undefined) hashes[path] = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  }
  return hashes;
}

/** No changes of a plan's copy. */
export const noChanges: ScratchChanges = { edit: emptyWorkspaceEdit, before: new Map(), others: [] };

interface OpenPlan {
  readonly drive: PlanDrive;
  readonly reporter: PlanReporter;
  readonly copy: ScratchCopy;
  readonly analysis: WorkspaceAnalysis;
  readonly syntax: Syntax;
}

async function carryOut(
  journal: PlanJournal,
  { drive, reporter, copy, analysis, syntax }: OpenPlan,
  outside: PlanOutside,
): Promise<{ readonly state: PlanState; readonly notes: readonly string[] }> {
  const { root, setup, start, continueWith } = drive;
  const { signal, environment } = outside;
  const before = [...journal.events];
  let state = foldPlan(before);
  reporter.reportOpened(before);
  const continuation = (await continueWith?.(journal, analysis)) ?? {};
  for (const event of journal.events.slice(before.length)) {
    state = afterEvent(state, event);
    reporter.reportEvent(event, state);
  }
  const model = await openModelStep(drive, syntax, outside);
  const page = new PlanPageFile(plansFolderOf(root, outside), start.plan);
  const showPage = () => page.show(() => planViewOf(state, journal.events, setup.limits));
  try {
    const repairsOldErrors = start.seeds.some(({ kind }) => kind === "findings");
    const mechanical = tryMechanicalEdits(analysis, { repairsOldErrors });
    const { verifyTimeoutMs: timeoutMs } = setup;
    const own = {
      root: copy.root,
      environment: copy.environment(withoutKeys(environment)),
      ...(timeoutMs && { timeoutMs }),
    };
    const traces: string[] = [];
    const openVerifier = (line: string) => {
      const noteUndone = (paths: readonly string[]) =>
        traces.push(
          `\`${line}\` wrote ${listed(paths)} in the plan's copy; that is not part of the plan, and was undone.`,
        );
      const verifier = tracelessVerifier(commandVerifier(parseVerifierCommand(line), own), copy, noteUndone);
      return {
        name: verifier.name,
        run(options: PartOptions) {
          reporter.reportActivity(`Running \`${verifier.name}\``);
          return verifier.run(options);
        },
      };
    };
    const parts: PlanParts = {
      ...{
        workspace: new ScratchPlanWorkspace(copy),
        impact: analysisImpact(analysis),
        journal,
        now: () => Date.now(),
      },
      ...(mechanical && { mechanical }),
      ...(model.step && { model: model.step }),
      verifiers: setup.verifiers.map(openVerifier),
    };
    reporter.reportPage(page.path);
    showPage();
    for await (const event of runPlan(start, parts, { limits: setup.limits, ...continuation, signal })) {
      state = afterEvent(state, event);
      reporter.reportEvent(event, state);
      showPage();
    }
    const failure = await page.close();
    return { state, notes: [...model.notes, ...new Set(traces), ...(failure === undefined ? [] : [failure])] };
  } catch (error) {
    // Tells viewers of the page that the plan is not running any more.
    const end = "The plan was stopped: `emend plan continue` continues it.";
    page.show(() => ({ ...planViewOf(state, journal.events, { ...setup.limits, isStopped: true }), end }));
    await page.close();
    throw error;
  } finally {
    await model.close();
  }
}

/**
 * Models that can chat, and issues about those that could not be opened. The caller disposes of
 * them.
 */
export type PlanModels = Pick<ChatModels, "models" | "issues"> & AsyncDisposable;

/** Opens the models of the plan; no model where it names none. */
async function openModelStep(
  drive: PlanDrive,
  syntax: Syntax,
  outside: PlanOutside,
): Promise<{ readonly step?: ModelStep; readonly notes: readonly string[]; readonly close: () => Promise<void> }> {
  const { setup, openModels = (names) => openNamedModels(names, drive, outside), isModelWanted = true } = drive;
  if (setup.models.length === 0) return { notes: [], close: async () => undefined };
  const opened = await openModels(await withKeys(modelNames(setup.models), drive, outside));
  const { models, issues } = opened;
  const close = async () => opened[Symbol.asyncDispose]();
  if (models.length === 0 && isModelWanted) {
    await close();
    const message = `${issues.join(" ")} Name a chat model with --model, or leave it out: steps that no rule can write are then listed.`;
    throw new CommandFailure("no-model", message, { exitCode: exitCodes.failed });
  }
  if (models.length === 0) return { notes: issues, close };
  const notes = [...issues];
  const model = new FallbackChat({ models, onFallback: (_, error) => void notes.push(error.message) });
  const guides = new RegionGuides({ load: grammarFor, slices: threadSlices });
  return { step: new ChatModelStep({ model, syntax, guides }), notes, close };
}

/**
 * Restores the keys in the names of a plan's models, which are masked in its record: the settings
 * may name the same models. Throws a {@link CommandFailure} where they do not.
 */
async function withKeys(
  names: readonly string[],
  { root, isTrusted }: Pick<PlanDrive, "root" | "isTrusted">,
  { environment }: Pick<PlanOutside, "environment">,
): Promise<readonly string[]> {
  const isMasked = (name: string) => name.includes("…") && shownModelName(name) === name;
  if (!names.some(isMasked)) return names;
  const source = { fileSystem: blockingDisk, userFolder: userConfigFolder(), environment, flags: [] };
  const settings = await loadEditSettings({ ...source, ...(isTrusted && { isTrusted }) }, { root, editor: undefined });
  return names.map((name) => {
    const known = isMasked(name) ? settings.modelNames.find((one) => shownModelName(one) === name) : name;
    if (known !== undefined) return known;
    const message = `The key in \`${name}\` is not stored with the plan. Name the model again with --model.`;
    throw new CommandFailure("no-model", message, { exitCode: exitCodes.failed });
  });
}

async function openNamedModels(
  names: readonly string[],
  { root, isTrusted }: Pick<PlanDrive, "root" | "isTrusted">,
  { environment }: Pick<PlanOutside, "environment">,
): Promise<PlanModels> {
  const settings = await loadEditSettings(
    {
      ...{ fileSystem: blockingDisk, userFolder: userConfigFolder(), environment },
      flags: modelFlags(names, ["edit", "model"]),
      ...(isTrusted && { isTrusted }),
    },
    { root, editor: undefined },
  );
  const named = new NamedModels({ environment });
  const chats = await openChatModels(settings, (name, one) => named.open(name, one));
  return {
    models: chats.models,
    issues: [...settings.issues, ...chats.issues],
    async [Symbol.asyncDispose]() {
      chats[Symbol.dispose]();
      await named[Symbol.asyncDispose]();
    },
  };
}

/** Sets files of the copy to these texts. */
async function putTexts(copy: ScratchCopy, texts: readonly TextAt[]): Promise<void> {
  const workspace = new ScratchPlanWorkspace(copy);
  const changes: FileChange[] = [];
  for (const { path, text } of texts) {
    changes.push(...changeOf(path, (await workspace.textOf(path)) ?? null, text));
  }
  if (changes.length > 0) await workspace.write(workspaceEdit(changes), { instruction: "" });
}
