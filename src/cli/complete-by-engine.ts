import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { holdsPrivateKey, joinPath } from "../codebase/index.ts";
import { disk, gitDiff, systemClock } from "../codebase/node/index.ts";
import {
  explainOutcome,
  GhostTextEngine,
  type GhostTextOutcome,
  printSilence,
  type SilenceReason,
  type Suggestion,
} from "../complete/index.ts";
import { EditHistory } from "../context/index.ts";
import type { BuiltinModel, Model } from "../model/index.ts";
import {
  AccessRules,
  SessionPrompts,
  type SessionSettings,
  TypeScriptMembers,
  Uncommitted,
  WelcomeStore,
} from "../server/session/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { cacheFolderOf } from "./index-cache-of.ts";
import { indexNear } from "./index-near.ts";
import type { OpenedFile } from "./open-file.ts";
import type { Place } from "./place.ts";
import { printAlternatives, printPlace, printSureness } from "./print-completion.ts";
import { printable, styled, type Terminal } from "./terminal.ts";

/** Where ghost text is wanted, and by whom. */
export interface EngineQuestion {
  readonly file: OpenedFile;
  readonly place: Place;
  readonly offset: number;
  readonly settings: SessionSettings;
  /** The workspace's own model; only where it is one of the settings' models. */
  readonly builtin: BuiltinModel | undefined;
  readonly options: { readonly json: boolean; readonly all: boolean; readonly explain: boolean };
}

/** What `--json` prints where models are named. Fields may be added; none changes its meaning. */
export interface EngineReport {
  readonly kind: "offered" | "silent";
  /** What to insert at the place; empty when nothing is offered. */
  readonly text: string;
  /** The edit that accepting does, with offsets in UTF-16 units; it may take the rest of the line away. */
  readonly edit?: Suggestion["edit"];
  /** How likely exactly this is wanted, from 0 to 1; only where the model can tell. */
  readonly probability?: number;
  /** Who wrote it, and what was done to it. Only when offered. */
  readonly model?: string;
  readonly changes?: Suggestion["changes"];
  /** Only when silent: the kind, and all of it with a sentence for a person. */
  readonly reason?: SilenceReason["kind"];
  readonly silence?: SilenceReason & { readonly sentence: string };
  /** Only with `--all`: the offered one first. */
  readonly alternatives?: readonly { readonly text: string; readonly probability?: number; readonly model: string }[];
  /** Only with `--explain`, each where there is one: the steps, what the model was shown, how welcome it was taken to be. */
  readonly trace?: GhostTextOutcome["trace"];
  readonly prompt?: GhostTextOutcome["prompt"];
  readonly welcome?: GhostTextOutcome["welcome"];
  /** What is wrong with the configuration. */
  readonly issues: readonly string[];
  /** From the workspace's root. */
  readonly file: string;
  /** From 1; columns in UTF-16 units. */
  readonly line: number;
  readonly column: number;
  readonly language: string;
  readonly workspace: {
    readonly root: string;
    /** Files that models are told of. */
    readonly indexed: number;
    /** Whether all of the workspace was indexed in time. */
    readonly isComplete: boolean;
  };
  /** Milliseconds: reading the workspace; asking the engine. */
  readonly timing: { readonly indexMs: number; readonly answerMs: number };
}

/** After this long the place is answered from what is indexed by then. */
const indexingBudgetMs = 2_000;

/** How long TypeScript may take for the members of a type, its start included. */
const membersMs = 5_000;

/** The alternatives that `--all` asks for. */
const allAlternatives = 5;

/** These mean that the models were of no use, not that they have nothing to say. */
const failures: ReadonlySet<SilenceReason["kind"]> = new Set(["no-model", "model-failed", "timed-out"]);

/** Answers a place as an editor would be answered whose user asks by key, and says why. */
export async function completeByEngine(question: EngineQuestion, terminal: Terminal): Promise<ExitCode> {
  const { file, place, settings, options } = question;
  const { signal, now } = terminal;
  const startMs = now();
  const isTelling = settings.models.some((model) => model !== "builtin");
  const near = isTelling
    ? await indexNear(file, { fileSystem: disk, budgetMs: indexingBudgetMs, maxDependencyBytes: 700_000, signal, now })
    : undefined;
  const askedMs = now();
  const outcome = await askEngine(question, near?.index, terminal);
  signal.throwIfAborted();
  const report: EngineReport = {
    ...toReport(outcome, options),
    issues: settings.issues,
    ...{ file: file.path, line: place.line, column: place.column, language: file.language },
    workspace: { root: file.root, indexed: near?.index.size ?? 0, isComplete: near?.isComplete ?? true },
    timing: { indexMs: Math.round(askedMs - startMs), answerMs: Math.round(now() - askedMs) },
  };
  if (options.json) terminal.out(`${JSON.stringify(report)}\n`);
  else print(report, outcome, question, terminal);
  return outcome.kind === "silent" && failures.has(outcome.reason.kind) ? exitCodes.failed : exitCodes.done;
}

async function askEngine(
  { file, offset, settings, builtin, options }: EngineQuestion,
  index: Awaited<ReturnType<typeof indexNear>>["index"] | undefined,
  terminal: Terminal,
): Promise<GhostTextOutcome> {
  const { root, path, language, text } = file;
  const rules = new AccessRules({ fileSystem: disk, root });
  await rules.prepare(path);
  const uncommitted =
    index !== undefined && settings.gitDiff ? await readUncommitted(root, rules, terminal) : undefined;
  const welcome = await WelcomeStore.open(join(cacheFolderOf(terminal), "welcome.json"));
  const prompts = new SessionPrompts({
    ...{ settings, index, history: new EditHistory(), uncommitted, clock: systemClock },
    openFiles: async () => [],
  });
  const syntax = openSyntax();
  const members =
    settings.ghostText.members === "on"
      ? new TypeScriptMembers({ root, clock: systemClock, timeoutMs: membersMs })
      : undefined;
  const engine = new GhostTextEngine({
    ...{ clock: systemClock, syntax, welcome: welcome.model, settings: settings.ghostText },
    models: settings.models.flatMap<Model>((model) =>
      model !== "builtin" ? [model] : builtin === undefined ? [] : [builtin],
    ),
    access: (asked) => (holdsPrivateKey(text) ? { kind: "secret" } : rules.verdict(asked)),
    prompt: (request, model) => prompts.promptFor(request, model),
    members: (asked) => members?.sourceFor(asked),
  });
  try {
    const document = { uri: pathToFileURL(joinPath(root, path)).href, language, version: 1, text };
    const limit = options.all ? allAlternatives : 1;
    return await engine.complete({ document, path, offset, trigger: "invoked", limit }, { signal: terminal.signal });
  } finally {
    engine[Symbol.dispose]();
    await members?.[Symbol.asyncDispose]();
    syntax[Symbol.dispose]();
  }
}

async function readUncommitted(
  root: string,
  rules: AccessRules,
  { signal }: Terminal,
): Promise<Pick<Uncommitted, "diff">> {
  const uncommitted = new Uncommitted({
    clock: systemClock,
    async readDiff() {
      const answer = await gitDiff(root, { signal });
      return answer.kind === "answer" ? answer.value : undefined;
    },
    async isReadable(path) {
      await rules.prepare(path);
      return rules.verdict(path).kind === "allowed";
    },
  });
  await uncommitted.settled();
  uncommitted[Symbol.dispose]();
  return uncommitted;
}

type OutcomeReport = Omit<EngineReport, "issues" | "file" | "line" | "column" | "language" | "workspace" | "timing">;

function toReport(outcome: GhostTextOutcome, { all, explain }: EngineQuestion["options"]): OutcomeReport {
  const { trace, prompt, welcome } = outcome;
  const explanation = explain ? { trace, ...(prompt && { prompt }), ...(welcome && { welcome }) } : {};
  if (outcome.kind === "silent") {
    const { reason } = outcome;
    const silence = { ...reason, sentence: printSilence(reason) };
    return { kind: "silent", text: "", reason: reason.kind, silence, ...(all && { alternatives: [] }), ...explanation };
  }
  const [first] = outcome.suggestions;
  const alternatives = outcome.suggestions.map((each) => ({ ...toGuess(each), model: each.model }));
  return {
    ...{ kind: "offered", ...toGuess(first), edit: first.edit, model: first.model, changes: first.changes },
    ...(all && { alternatives }),
    ...explanation,
  };
}

function toGuess({ ghost, probability }: Suggestion): { readonly text: string; readonly probability?: number } {
  return { text: ghost, ...(probability !== undefined && { probability }) };
}

function print(
  report: EngineReport,
  outcome: GhostTextOutcome,
  { file: { text }, offset, options }: EngineQuestion,
  terminal: Terminal,
): void {
  const { colour } = terminal;
  const sections = [printPlace({ text, offset, ghost: report.text, colour })];
  if (report.silence === undefined) {
    const sure = report.probability === undefined ? "" : `, ${printSureness(report.probability)} sure`;
    const changed = report.changes!.length === 0 ? "" : ` (${report.changes!.join(", ")})`;
    sections.push(`${styled(`by ${printable(report.model!)}`, "bold", colour)}${sure}${changed}`);
  } else {
    const { kind, sentence } = report.silence;
    sections.push(`${styled("Silent", "bold", colour)} (${kind}): ${printable(sentence)}`);
  }
  if (options.all) {
    const found = report.alternatives ?? [];
    sections.push(found.length === 0 ? "No alternatives." : `Alternatives:\n${printAlternatives(found, colour)}`);
  }
  if (options.explain) {
    sections.push(
      explainOutcome(outcome).split("\n").map(printable).join("\n").trimEnd(),
      `${report.workspace.indexed.toLocaleString("en")} files searched${report.workspace.isComplete ? "" : "; not all in time"}. Reading ${report.timing.indexMs} ms, answering ${report.timing.answerMs} ms.`,
    );
  }
  terminal.out(`${sections.join("\n\n")}\n`);
}
