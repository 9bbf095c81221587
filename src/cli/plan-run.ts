import { join } from "node:path";
import { disk, gitHead } from "../codebase/node/index.ts";
import { userConfigFolder } from "../config/index.ts";
import { RegionGuides } from "../edit/index.ts";
import { grammarFor } from "../grammar/node/index.ts";
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
  parseOracleCommand,
  planViewOf,
  runPlan,
} from "../plan/index.ts";
import {
  commandOracle,
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
  tracelessOracle,
  WorkspaceImpact,
  type WorkspaceImpactProgress,
} from "../plan/node/index.ts";
import { type ChatModels, FallbackChat, loadEditSettings, openChatModels } from "../server/session/index.ts";
import type { Syntax } from "../syntax/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { emptyWorkspaceEdit, type FileChange, minimalEdit, workspaceEdit } from "../text/index.ts";
import { exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { cacheFolderOf } from "./index-cache-of.ts";
import { stateFolderOf } from "./journal-of.ts";
import { modelFlags, modelNames } from "./model-flags.ts";
import { NamedModels } from "./named-models.ts";
import { type PlanOutside, type PlanTeller, silentTeller } from "./plan-teller.ts";
import { countText } from "./print-amount.ts";
import { listed } from "./print-names.ts";
import { walkFiles } from "./walk-files.ts";

/** A plan that is to be begun, or gone on with. */
export interface PlanDrive {
  readonly root: string;
  readonly setup: PlanSetup;
  readonly start: PlanStart;
  /** Files that the plan speaks of at first. */
  readonly about: readonly string[];
  /** Who hears how it comes on; nobody unless told. */
  readonly teller?: PlanTeller;
  /** Whether the workspace's configuration may run code. */
  readonly isTrusted: boolean;
  /** Opens models by their names; with the settings of the workspace unless told. */
  readonly openModels?: (names: readonly string[]) => Promise<PlanModels>;
  /** Whether the plan is refused where none of its models can be asked; it is unless told. */
  readonly isModelWanted?: boolean;
  /** How it goes on, as the journal and the workspace tell; begins before anything else is done. */
  readonly goOn?: (journal: PlanJournal, impact: WorkspaceImpact) => Promise<Pick<PlanRunOptions, "goesOn" | "byHand">>;
  /** Where the plan is kept meanwhile; the folder with the plans of the workspace unless told. */
  readonly store?: PlanStore;
}

/** What became of it. */
export interface DrivenPlan {
  readonly state: PlanState;
  /** What differs from the workspace as it is. */
  readonly changes: ScratchChanges;
  readonly open: readonly OpenStep[];
  readonly notes: readonly string[];
}

/** The folder with the plans of a workspace. */
export function plansFolderOf(root: string, outside: Pick<PlanOutside, "environment" | "workingFolder">): string {
  return plansFolder(join(stateFolderOf(outside), "plans"), root);
}

/** Names a plan by the time at which it begins, so that names are in the order of time. */
export function planNameAt(date: Date): string {
  return date.toISOString().slice(0, 23).replace(/[^\d]/g, "-");
}

/** The commit that a workspace stands on; `none` where there is no such thing. */
export async function baseOf(root: string, { signal }: Pick<PlanOutside, "signal">): Promise<string> {
  const head = await gitHead(root, { signal });
  return head.kind === "answer" && head.value.kind !== "unborn" ? head.value.sha : "none";
}

/** Carries a plan out in a copy of the workspace, while somebody may watch. The workspace itself stays as it is. */
export async function drivePlan(drive: PlanDrive, outside: PlanOutside): Promise<DrivenPlan> {
  const { root, setup, start, teller = silentTeller } = drive;
  const { signal } = outside;
  teller.says("Copying the workspace");
  const opened = await openScratchCopy(root, { folder: join(cacheFolderOf(outside), "plans"), signal });
  if (opened.kind === "refused") {
    throw new CommandFailure(opened.reason, opened.message, { exitCode: exitCodes.failed });
  }
  const { copy } = opened;
  const syntax = openSyntax();
  try {
    await putTexts(copy, setup.start);
    teller.says("Looking for files");
    const { files } = await walkFiles(copy.root, outside, () => undefined);
    const impact = await WorkspaceImpact.open({
      ...{ root: copy.root, paths: [...files.keys()], about: drive.about, fileSystem: disk, syntax, signal },
      mendsOldErrors: start.seeds.some(({ kind }) => kind === "findings"),
      onProgress: (one) => teller.says(printOpening(one)),
    });
    try {
      const store = drive.store ?? new FolderPlanStore(plansFolderOf(root, outside));
      const done = await store.withJournal(start.plan, { waitMs: 0, signal }, (journal) =>
        carryOut(journal, { drive, teller, copy, impact, syntax }, outside),
      );
      if (done.kind === "busy") {
        const message = `Another Emend (process ${done.processId ?? "unknown"}) carries this plan out. Wait until it is done.`;
        throw new CommandFailure("busy", message, { exitCode: exitCodes.failed });
      }
      const { state, notes } = done.value;
      const types = impact.withoutTypes === undefined ? [] : [`There is no type checker: ${impact.withoutTypes}`];
      const workspace = new ScratchPlanWorkspace(copy);
      const open = await openSteps(state, impact.graph, (path) => workspace.textOf(path));
      // Before the first round the copy lacks what the plan begins with: that it is as it was before that is no change of the plan's.
      const changes = state.round === 0 ? noChanges : await copy.changes({ signal });
      return { state, changes, open, notes: [...types, ...notes] };
    } finally {
      await impact[Symbol.asyncDispose]();
    }
  } finally {
    teller.closes();
    syntax[Symbol.dispose]();
    await copy[Symbol.asyncDispose]();
  }
}

const noChanges: ScratchChanges = { edit: emptyWorkspaceEdit, before: new Map(), others: [] };

interface OpenPlan {
  readonly drive: PlanDrive;
  readonly teller: PlanTeller;
  readonly copy: ScratchCopy;
  readonly impact: WorkspaceImpact;
  readonly syntax: Syntax;
}

async function carryOut(
  journal: PlanJournal,
  { drive, teller, copy, impact, syntax }: OpenPlan,
  outside: PlanOutside,
): Promise<{ readonly state: PlanState; readonly notes: readonly string[] }> {
  const { root, setup, start, goOn } = drive;
  const { signal, environment } = outside;
  const before = [...journal.events];
  let state = foldPlan(before);
  teller.opens(before);
  const going = (await goOn?.(journal, impact)) ?? {};
  for (const event of journal.events.slice(before.length)) {
    state = afterEvent(state, event);
    teller.happens(event, state);
  }
  const model = await openModelStep(drive, syntax, outside);
  const page = new PlanPageFile(plansFolderOf(root, outside), start.plan);
  const showPage = () => page.show(() => planViewOf(state, journal.events, setup.limits));
  try {
    const { mechanical } = impact;
    const { oracleTimeoutMs: timeoutMs } = setup;
    const own = { root: copy.root, environment: copy.environment(environment), ...(timeoutMs && { timeoutMs }) };
    const traces: string[] = [];
    const openOracle = (line: string) => {
      const say = (paths: readonly string[]) =>
        traces.push(
          `\`${line}\` wrote ${listed(paths)} in the plan's copy; that is no part of the plan, and was taken back.`,
        );
      const oracle = tracelessOracle(commandOracle(parseOracleCommand(line), own), copy, say);
      return {
        name: oracle.name,
        run(options: PartOptions) {
          teller.says(`Asking \`${oracle.name}\``);
          return oracle.run(options);
        },
      };
    };
    const parts: PlanParts = {
      ...{ workspace: new ScratchPlanWorkspace(copy), impact, journal, now: () => Date.now() },
      ...(mechanical && { mechanical }),
      ...(model.step && { model: model.step }),
      oracles: setup.oracles.map(openOracle),
    };
    teller.writesPage(page.path);
    showPage();
    for await (const event of runPlan(start, parts, { limits: setup.limits, ...going, signal })) {
      state = afterEvent(state, event);
      teller.happens(event, state);
      showPage();
    }
    const failure = await page.close();
    return { state, notes: [...model.notes, ...new Set(traces), ...(failure === undefined ? [] : [failure])] };
  } catch (error) {
    // Whoever looks at the page should not wait for what nobody does.
    const end = "It was stopped: `emend plan continue` goes on with it.";
    page.show(() => ({ ...planViewOf(state, journal.events, setup.limits), end }));
    await page.close();
    throw error;
  } finally {
    await model.close();
  }
}

/** Models that chat, and what is to be said of those that cannot be asked. Whoever opened them disposes of them. */
export type PlanModels = Pick<ChatModels, "models" | "issues"> & AsyncDisposable;

/** Opens the models that the plan names; none where it names none. */
async function openModelStep(
  drive: PlanDrive,
  syntax: Syntax,
  outside: PlanOutside,
): Promise<{ readonly step?: ModelStep; readonly notes: readonly string[]; readonly close: () => Promise<void> }> {
  const { setup, openModels = (names) => openNamedModels(names, drive, outside), isModelWanted = true } = drive;
  if (setup.models.length === 0) return { notes: [], close: async () => undefined };
  const opened = await openModels(modelNames(setup.models));
  const { models, issues } = opened;
  const close = async () => opened[Symbol.asyncDispose]();
  if (models.length === 0 && isModelWanted) {
    await close();
    const message = `${issues.join(" ")} Name a model that chats with --model, or leave it out: what no rule can write is then listed.`;
    throw new CommandFailure("no-model", message, { exitCode: exitCodes.failed });
  }
  if (models.length === 0) return { notes: issues, close };
  const notes = [...issues];
  const model = new FallbackChat({ models, onFallback: (_, error) => void notes.push(error.message) });
  const guides = new RegionGuides({ load: grammarFor });
  return { step: new ChatModelStep({ model, syntax, guides }), notes, close };
}

async function openNamedModels(
  names: readonly string[],
  { root, isTrusted }: Pick<PlanDrive, "root" | "isTrusted">,
  { environment }: Pick<PlanOutside, "environment">,
): Promise<PlanModels> {
  const settings = await loadEditSettings(
    {
      ...{ fileSystem: disk, userFolder: userConfigFolder(), environment },
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

/** Brings files of the copy to these texts. */
async function putTexts(copy: ScratchCopy, texts: readonly TextAt[]): Promise<void> {
  const workspace = new ScratchPlanWorkspace(copy);
  const changes: FileChange[] = [];
  for (const { path, text } of texts) {
    const now = await workspace.textOf(path);
    if (text === null) {
      if (now !== undefined) changes.push({ kind: "delete", uri: path });
    } else if (now === undefined) changes.push({ kind: "create", uri: path, text });
    else if (now !== text) changes.push({ kind: "edit", uri: path, edit: minimalEdit(now, text) });
  }
  if (changes.length > 0) await workspace.write(workspaceEdit(changes), { instruction: "" });
}

function printOpening({ phase, done, of }: WorkspaceImpactProgress): string {
  const files = of === 0 ? "" : `: ${done.toLocaleString("en")} of ${countText(of, "file")}`;
  const words = { reading: "Reading", types: "Opening the type checker", references: "Finding who depends on whom" };
  return `${words[phase]}${files}`;
}
