import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  describeNoSuggestion,
  explainOutcome,
  GhostTextEngine,
  type GhostTextOutcome,
  type NoSuggestionReason,
  printChange,
  type Suggestion,
} from "../../complete/index.ts";
import { EditHistory } from "../../context/index.ts";
import type { BuiltinModel, Model } from "../../model/index.ts";
import {
  AcceptanceModelStore,
  AccessRules,
  mayShowChanges,
  SessionPrompts,
  type SessionSettings,
  Uncommitted,
  withModelIssues,
} from "../../server/session/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { holdsPrivateKey, joinPath } from "../../workspace/index.ts";
import { blockingDisk, type GitOptions, gitDiff, waitingClock } from "../../workspace/node/index.ts";
import { cacheFolderOf } from "../cache-folder.ts";
import { indexNear } from "../index-near.ts";
import type { OpenedFile } from "../open-file.ts";
import { openMembers } from "../open-members.ts";
import type { Place } from "../parse-place.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { jsonLine } from "../terminal/masked-terminal.ts";
import { printable, styled, type Terminal } from "../terminal/terminal.ts";
import { gitTrustOf } from "../workspace-settings.ts";
import {
  explainCompletion,
  printAlternatives,
  printExplanation,
  printPlace,
  printSureness,
  type TokenExplanation,
} from "./print-completion.ts";

/** A request for ghost text on the command line. */
export interface EngineRequest {
  readonly file: OpenedFile;
  readonly place: Place;
  readonly offset: number;
  readonly settings: SessionSettings;
  /** The workspace's built-in model; only where it is one of the settings' models. */
  readonly builtin: BuiltinModel | undefined;
  readonly options: {
    readonly json: boolean;
    readonly all: boolean;
    readonly explain: boolean;
    readonly trust: boolean;
  };
}

/** The output of `--json` where models are named. Fields may be added; none changes its meaning. */
export interface EngineReport {
  readonly kind: "offered" | "no-suggestion";
  /** The text to insert at the place; empty when there is no suggestion. */
  readonly text: string;
  /**
   * The edit of accepting the suggestion, with offsets in UTF-16 code units; it may replace the
   * rest of the line.
   */
  readonly edit?: Suggestion["edit"];
  /** The likelihood that exactly this is wanted, from 0 to 1; only where the model has one. */
  readonly probability?: number;
  /** The model that wrote it, and the changes to its text. Only when there is a suggestion. */
  readonly model?: string;
  readonly changes?: Suggestion["changes"];
  /**
   * Only without a suggestion: the kind of reason, and the whole reason with a sentence for a
   * person.
   */
  readonly reason?: NoSuggestionReason["kind"];
  readonly noSuggestion?: NoSuggestionReason & { readonly sentence: string };
  /**
   * Only with a suggestion: the models before it that failed or had nothing to offer, with a
   * sentence for a person.
   */
  readonly failures?: readonly { readonly model: string; readonly sentence: string }[];
  /** Only with `--all`: the suggestion first, then its alternatives. */
  readonly alternatives?: readonly { readonly text: string; readonly probability?: number; readonly model: string }[];
  /**
   * Only with `--explain`, as far as they exist: the trace, the prompt, and the result of the
   * acceptance model.
   */
  readonly trace?: GhostTextOutcome["trace"];
  readonly prompt?: GhostTextOutcome["prompt"];
  readonly acceptance?: GhostTextOutcome["acceptance"];
  /** The problems of the configuration. */
  readonly issues: readonly string[];
  /** Relative to the workspace's root. */
  readonly file: string;
  /** From 1; columns in UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  readonly language: string;
  readonly workspace: {
    readonly root: string;
    /** The number of files that were indexed for prompts. */
    readonly indexed: number;
    /** Whether the whole workspace was indexed in time. */
    readonly isComplete: boolean;
  };
  /** Milliseconds for indexing the workspace, and for the engine's answer. */
  readonly timing: { readonly indexMs: number; readonly answerMs: number };
}

/** The milliseconds after which indexing stops and the request is answered. */
const indexingBudgetMs = 2_000;

/** The most milliseconds for the members of a type, TypeScript's start included. */
const membersMs = 5_000;

/** The number of alternatives with `--all`. */
const allAlternatives = 5;

/** Reasons that mean a failure of the models, not an ordinary empty answer. */
const failures: ReadonlySet<NoSuggestionReason["kind"]> = new Set(["no-model", "model-failed", "timed-out"]);

/**
 * Requests ghost text as an editor does by key, and prints it or the reason why there is none. The
 * exit code is `failed` where no model could be used. Rejects with the
 * signal's reason on abort.
 */
export async function completeByEngine(engineRequest: EngineRequest, terminal: Terminal): Promise<ExitCode> {
  const { file, place, settings, options } = engineRequest;
  const { signal, now } = terminal;
  const startMs = now();
  const needsIndex = settings.models.some((model) => model !== "builtin");
  const near = needsIndex
    ? await indexNear(file, {
        fileSystem: blockingDisk,
        budgetMs: indexingBudgetMs,
        maxDependencyBytes: 700_000,
        signal,
        now,
      })
    : undefined;
  const requestedMs = now();
  const outcome = withModelIssues(await requestGhostText(engineRequest, near?.index, terminal), settings);
  signal.throwIfAborted();
  const report: EngineReport = {
    ...toReport(outcome, options),
    issues: settings.issues,
    ...{ file: file.path, line: place.line, column: place.column, language: file.language },
    workspace: { root: file.root, indexed: near?.index.size ?? 0, isComplete: near?.isComplete ?? true },
    timing: { indexMs: Math.round(requestedMs - startMs), answerMs: Math.round(now() - requestedMs) },
  };
  for (const { model, sentence } of options.json ? [] : (report.failures ?? []))
    terminal.err(`${printable(model)}: ${printable(sentence)}\n`);
  if (options.json) terminal.out(jsonLine(report, terminal));
  else {
    const { evidence } = outcome;
    const tokens =
      options.explain && evidence !== undefined && engineRequest.builtin !== undefined
        ? await explainCompletion(
            { tokens: evidence },
            { model: engineRequest.builtin, root: file.root, fileSystem: blockingDisk },
          )
        : [];
    print(report, outcome, { ...engineRequest, tokens }, terminal);
  }
  return outcome.kind === "no-suggestion" && isFailure(outcome.reason) ? exitCodes.failed : exitCodes.done;
}

/** Whether no model could be used: a failure, and no fallback model that answered. */
function isFailure(reason: NoSuggestionReason): boolean {
  const next = "next" in reason ? reason.next : undefined;
  return failures.has(reason.kind) && (next === undefined || isFailure(next));
}

async function requestGhostText(
  { file, offset, settings, builtin, options }: EngineRequest,
  index: Awaited<ReturnType<typeof indexNear>>["index"] | undefined,
  terminal: Terminal,
): Promise<GhostTextOutcome> {
  const { root, path, judgedAs, language, text } = file;
  const rules = new AccessRules({ fileSystem: blockingDisk, root });
  await rules.prepare(judgedAs);
  const { signal, environment } = terminal;
  const git = await gitTrustOf({ root, trust: options.trust, environment });
  const uncommitted =
    index !== undefined && settings.gitDiff ? await readUncommitted(root, rules, { git, signal }) : undefined;
  const acceptance = await AcceptanceModelStore.open(join(cacheFolderOf(terminal), "acceptance.json"));
  const prompts = new SessionPrompts({
    ...{ settings, index, history: new EditHistory(), uncommitted, clock: waitingClock },
    openFiles: async () => [],
  });
  const syntax = openSyntax();
  const members =
    settings.ghostText.members === "on"
      ? openMembers(file, { timeoutMs: membersMs, maxMemoryMb: settings.maxTypesMemoryMb }, terminal)
      : undefined;
  const engine = new GhostTextEngine({
    ...{ clock: waitingClock, syntax, acceptance: acceptance.model, settings: settings.ghostText },
    models: settings.models.flatMap<Model>((model) =>
      model !== "builtin" ? [model] : builtin === undefined ? [] : [builtin],
    ),
    access: (requestedPath) =>
      holdsPrivateKey(text) ? { kind: "secret" } : rules.verdict(requestedPath === path ? judgedAs : requestedPath),
    prompt: (request, model, options) => prompts.promptFor(request, model, options),
    members: (requestedPath) => members?.sourceFor(requestedPath),
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
  { git, signal }: { readonly git: Pick<GitOptions, "isTrusted">; readonly signal: AbortSignal },
): Promise<Pick<Uncommitted, "diff">> {
  const uncommitted = new Uncommitted({
    clock: waitingClock,
    async readDiff() {
      const answer = await gitDiff(root, { ...git, signal });
      return answer.kind === "answer" ? answer.value : undefined;
    },
    isReadable: (path) => mayShowChanges(path, { rules, fileSystem: blockingDisk, root }),
  });
  await uncommitted.settled();
  uncommitted[Symbol.dispose]();
  return uncommitted;
}

type OutcomeReport = Omit<EngineReport, "issues" | "file" | "line" | "column" | "language" | "workspace" | "timing">;

function toReport(outcome: GhostTextOutcome, { all, explain }: EngineRequest["options"]): OutcomeReport {
  const { trace, prompt, acceptance } = outcome;
  const explanation = explain ? { trace, ...(prompt && { prompt }), ...(acceptance && { acceptance }) } : {};
  if (outcome.kind === "no-suggestion") {
    const { reason } = outcome;
    const noSuggestion = { ...reason, sentence: describeNoSuggestion(reason) };
    return {
      kind: "no-suggestion",
      text: "",
      reason: reason.kind,
      noSuggestion,
      ...(all && { alternatives: [] }),
      ...explanation,
    };
  }
  const [first] = outcome.suggestions;
  const failures = outcome.failures?.map(({ model, reason }) => ({ model, sentence: describeNoSuggestion(reason) }));
  const alternatives = outcome.suggestions.map((each) => ({ ...toGuess(each), model: each.model }));
  return {
    ...{ kind: "offered", ...toGuess(first), edit: first.edit, model: first.model, changes: first.changes },
    ...(failures && { failures }),
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
  { file: { text }, offset, options, tokens }: EngineRequest & { readonly tokens: readonly TokenExplanation[] },
  terminal: Terminal,
): void {
  const { colour } = terminal;
  const sections = [printPlace({ text, offset, ghost: report.text, colour })];
  if (report.noSuggestion === undefined) {
    const sure = report.probability === undefined ? "" : `, ${printSureness(report.probability)} sure`;
    const changed = report.changes!.length === 0 ? "" : ` (${report.changes!.map(printChange).join("; ")})`;
    sections.push(`${styled(`by ${printable(report.model!)}`, "bold", colour)}${sure}${changed}`);
  } else {
    const { sentence } = report.noSuggestion;
    sections.push(`${styled("No suggestion", "bold", colour)}: ${printable(sentence)}`);
  }
  if (options.all) {
    const found = report.alternatives ?? [];
    sections.push(found.length === 0 ? "No alternatives." : `Alternatives:\n${printAlternatives(found, colour)}`);
  }
  if (options.explain) {
    if (tokens.length > 0) sections.push(`Where it comes from:\n${printExplanation(tokens, colour)}`);
    sections.push(
      explainOutcome(outcome).split("\n").map(printable).join("\n").trimEnd(),
      `${report.workspace.indexed.toLocaleString("en")} files searched${report.workspace.isComplete ? "" : "; not all in time"}. Reading ${report.timing.indexMs} ms, answering ${report.timing.answerMs} ms.`,
    );
  }
  terminal.out(`${sections.join("\n\n")}\n`);
}
