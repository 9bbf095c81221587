import { checkCompletions, onlyRepeats } from "../../complete/index.ts";
import { type FlagSetting, userConfigFolder } from "../../config/index.ts";
import type { BuiltinModel, Completion, CompletionAnswer, CompletionRequest } from "../../model/index.ts";
import type { IndexCacheOptions } from "../../model/node/index.ts";
import {
  type LearntWorkspace,
  learnWorkspace,
  loadSessionSettings,
  type SessionSettings,
} from "../../server/session/index.ts";
import { EditedSyntaxErrors } from "../../syntax/index.ts";
import { Edit, EmendError, Lines } from "../../text/index.ts";
import { blockingDisk } from "../../workspace/node/index.ts";
import { indexCacheOf } from "../cache-folder.ts";
import { checkModelNames, modelFlags, NamedModels } from "../named-models.ts";
import { findFile, type OpenedFile, readFound } from "../open-file.ts";
import { offsetOfPlace, type Place, parsePlace } from "../parse-place.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { jsonLine } from "../terminal/masked-terminal.ts";
import { secondsText } from "../terminal/print-amount.ts";
import { openProgressBar } from "../terminal/progress.ts";
import { printable, styled, type Terminal } from "../terminal/terminal.ts";
import {
  explainCompletion,
  printAlternatives,
  printExplanation,
  printPlace,
  printSureness,
  type TokenExplanation,
} from "./print-completion.ts";

/** The options of `emend complete`. */
export interface CompleteOptions {
  readonly json: boolean;
  readonly stdin: boolean;
  readonly all: boolean;
  readonly explain: boolean;
  readonly workspace: string | undefined;
  /** 1 by default; where models are named, the value of the configuration. */
  readonly maxLines: number | undefined;
  /** Only for the built-in model by itself. */
  readonly minProbability: number | undefined;
  readonly cache: boolean;
  /** The models in order of preference; they override the configuration. */
  readonly model: readonly string[] | undefined;
  /** Whether the person trusts the workspace's configuration. */
  readonly trust: boolean;
}

/** Why there is no suggestion. */
export type NoCompletionReason = Extract<CompletionAnswer, { kind: "no-suggestion" }>["reason"] | "breaks-syntax";

/**
 * The output of `--json` where no model is named. Fields may be added; none changes its meaning.
 */
export interface CompleteReport {
  readonly kind: "offered" | "no-suggestion";
  /** The text to insert at the place; empty when there is no suggestion. */
  readonly text: string;
  /**
   * The likelihood that exactly this is wanted, from 0 to 1; without a suggestion that of the best
   * guess, or 0.
   */
  readonly probability: number;
  /** Only without a suggestion. */
  readonly reason?: NoCompletionReason;
  /**
   * Whether the text was shortened or replaced by an alternative to keep the syntax valid. Only
   * with a suggestion.
   */
  readonly checked?: "whole" | "shortened" | "alternative";
  /** Only with `--all`: the likeliest first, the suggestion among them. */
  readonly alternatives?: readonly { readonly text: string; readonly probability: number }[];
  /**
   * Only with `--explain`: the tokens of the text, or of the best guess when there is no
   * suggestion.
   */
  readonly explanation?: readonly TokenExplanation[];
  /** What is wrong with the configuration, one sentence each. */
  readonly issues: readonly string[];
  /** Relative to the workspace's root. */
  readonly file: string;
  /** From 1; columns in UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  readonly language: string;
  readonly workspace: {
    readonly root: string;
    /** Whether the index came from the cache, or why not. */
    readonly cache: LearntWorkspace["cache"];
    /** The numbers of files known, learnt in this run, and forgotten in this run. */
    readonly files: number;
    readonly learnt: number;
    readonly forgotten: number;
    /** Whether the whole workspace was learnt in time. */
    readonly isComplete: boolean;
  };
  /**
   * Milliseconds for reading and learning the workspace, for the model's answer, and for checking
   * the syntax.
   */
  readonly timing: { readonly learnMs: number; readonly answerMs: number; readonly checkMs: number };
}

/**
 * The milliseconds after which learning stops and the request is answered, with an index and
 * without one; near files are learnt first. A first request on a slow machine needs more than a few
 * files.
 */
const learningBudgetMs = { kept: 2_000, first: 10_000 };

/**
 * The number of alternatives with `--all`, and of those that are checked when the first breaks the
 * syntax.
 */
const alternatives = { all: 8, check: 4 };

/**
 * Runs `emend complete PLACE`. Where no model is named, the built-in model answers by itself and
 * can explain each token; where models are named, on the command line or in the configuration, the
 * ghost text engine answers with them. Having no suggestion is a result, not a failure, unless the
 * models fail: then the exit code is `failed`.
 *
 * Throws a {@link CommandFailure} where the place or an option is malformed or does not fit named
 * models, the file is missing or may not be read, or the place is outside of its text. Rejects with
 * the signal's reason on abort.
 */
export async function complete(argument: string, options: CompleteOptions, terminal: Terminal): Promise<ExitCode> {
  const { signal, workingFolder, environment } = terminal;
  const place = parsePlace(argument);
  checkModelNames(options.model);
  const unsaved = options.stdin ? await terminal.readInput() : undefined;
  signal.throwIfAborted();
  const found = await findFile({
    ...{ file: place.file, workspace: options.workspace, unsaved },
    ...{ workingFolder, fileSystem: blockingDisk },
  });
  const models = new NamedModels({ environment });
  try {
    const settings = await loadSessionSettings(
      {
        ...{ fileSystem: blockingDisk, userFolder: userConfigFolder(), environment },
        flags: [...modelFlags(options.model), ...maxLinesFlags(options.maxLines)],
        ...(options.trust && { isTrusted: true }),
        openModel: (name, settings) => models.open(name, settings),
      },
      { root: found.root, editor: undefined },
    );
    const limit = { characters: settings.ghostText.maxDocumentCharacters, setting: "complete.maxDocumentCharacters" };
    // Where models are named, the engine reports the reason why there is no suggestion.
    const mayBeKept = settings.areModelsNamed;
    const file = await readFound(found, { unsaved, limit, mayBeKept, fileSystem: blockingDisk, signal });
    const offset = offsetOfPlace(Lines.of(file.text), place);
    if (!options.json) for (const issue of settings.issues) terminal.err(`${printable(issue)}\n`);
    const requested: RequestedPlace = { file, place, offset, options };
    return await withWholeIndexIfBroken((index) =>
      settings.areModelsNamed
        ? completeByNamed(requested, settings, index, terminal)
        : completeByBuiltin(requested, settings, index, terminal),
    );
  } finally {
    await models[Symbol.asyncDispose]();
  }
}

/** A place in a file that was read. */
interface RequestedPlace {
  readonly file: OpenedFile;
  readonly place: Place;
  readonly offset: number;
  readonly options: CompleteOptions;
}

async function completeByNamed(
  requested: RequestedPlace,
  settings: SessionSettings,
  index: ReadIndex,
  terminal: Terminal,
): Promise<ExitCode> {
  const { file, options } = requested;
  if (options.minProbability !== undefined) {
    const message = "--min-probability is for the built-in model by itself. Leave it out where models are named.";
    throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
  }
  const { completeByEngine } = await import("./complete-by-engine.ts");
  const learning = settings.models.includes("builtin")
    ? await learnNear(file, { ...options, ...index }, terminal)
    : undefined;
  const exitCode = await completeByEngine({ ...requested, settings, builtin: learning?.model }, terminal);
  if (learning !== undefined) await keep(learning, terminal);
  return exitCode;
}

/** How much of the index is read: see {@link IndexCacheOptions.isForOneRequest}. */
type ReadIndex = Pick<IndexCacheOptions, "isForOneRequest">;

/**
 * Completes with as little of the index as the request reads. Where that turns out to be broken,
 * completes again with the whole index, which is checked before it is used.
 */
async function withWholeIndexIfBroken(complete: (index: ReadIndex) => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await complete({ isForOneRequest: true });
  } catch (error) {
    if (!(error instanceof EmendError) || error.code !== "snapshot-broken") throw error;
    return await complete({ isForOneRequest: false });
  }
}

/**
 * Learns the workspace of a file within {@link learningBudgetMs}, with a progress bar. When the
 * time is up, the result is what was learnt until then, and its `isComplete` is `false`. Without
 * `cache` no index is read from the disk or written to it.
 *
 * Rejects as {@link learnWorkspace} does: with a `FileSystemError` when the root cannot be listed,
 * and with the reason of the terminal's signal.
 */
export function learnNear(
  file: OpenedFile,
  { cache, isForOneRequest }: Pick<CompleteOptions, "cache"> & ReadIndex,
  terminal: Terminal,
): Promise<LearntWorkspace> {
  const bar = openProgressBar(terminal);
  return learnWorkspace({
    root: file.root,
    fileSystem: blockingDisk,
    cache: cache ? indexCacheOf(terminal, { isForOneRequest }) : undefined,
    open: file,
    budgetMs: learningBudgetMs.kept,
    firstBudgetMs: learningBudgetMs.first,
    maxDependencyBytes: 700_000,
    signal: terminal.signal,
    now: () => terminal.now(),
    onProgress: bar.show,
  }).finally(bar[Symbol.dispose]);
}

function maxLinesFlags(maxLines: number | undefined): readonly FlagSetting[] {
  return maxLines === undefined ? [] : [{ flag: "--max-lines", path: ["complete", "maxLines"], value: maxLines }];
}

async function completeByBuiltin(
  { file, place, offset, options }: RequestedPlace,
  { issues }: Pick<SessionSettings, "issues">,
  index: ReadIndex,
  terminal: Terminal,
): Promise<ExitCode> {
  const { now } = terminal;
  const { root, path, language, text } = file;
  const learning = await learnNear(file, { ...options, ...index }, terminal);

  const requested = now();
  const request = {
    path,
    language,
    prefix: text.slice(0, offset),
    suffix: text.slice(offset),
    maxLines: options.maxLines ?? 1,
    ...(options.minProbability !== undefined && { minProbability: options.minProbability }),
  };
  const answer = learning.model.complete({ ...request, limit: options.all ? alternatives.all : 1 });
  const answered = now();
  const verdict = await check(answer, { ...request, limit: alternatives.check }, learning.model);
  const checkedMs = now() - answered;

  const best =
    verdict.kind === "offered"
      ? verdict.completion
      : answer.kind === "no-suggestion"
        ? answer.best
        : answer.completions[0];
  const explanation =
    options.explain && best !== undefined
      ? await explainCompletion(best, { model: learning.model, root, fileSystem: blockingDisk })
      : undefined;
  const report: CompleteReport = {
    kind: verdict.kind,
    text: verdict.kind === "offered" ? verdict.completion.text : "",
    probability: best?.probability ?? 0,
    ...(verdict.kind === "no-suggestion" ? { reason: verdict.reason } : { checked: verdict.how }),
    ...(options.all && { alternatives: listed(answer, verdict) }),
    ...(options.explain && { explanation: explanation ?? [] }),
    ...{ issues, file: path, line: place.line, column: place.column, language },
    workspace: {
      root,
      cache: learning.cache,
      files: learning.model.knowledge.files.size,
      learnt: learning.learnt,
      forgotten: learning.forgotten,
      isComplete: learning.isComplete,
    },
    timing: { learnMs: rounded(learning.tookMs), answerMs: rounded(answered - requested), checkMs: rounded(checkedMs) },
  };
  if (options.json) terminal.out(jsonLine(report, terminal));
  else print(report, { text, offset, best, options, terminal });
  if (learning.cache === "broken" && !options.json) {
    terminal.err(`The cached index was broken (${learning.cacheDetail}) and was learnt again.\n`);
  }
  if (!learning.isComplete && (terminal.isWatched || verdict.kind === "no-suggestion") && !options.json) {
    const count = learning.model.knowledge.files.size.toLocaleString("en");
    terminal.err(
      `Only ${count} files near the place were learnt in ${secondsText(learning.tookMs)}. Run the command again to learn more, or \`emend learn\` to learn all.\n`,
    );
  }
  // The index is saved after printing, while the person reads the answer.
  await keep(learning, terminal);
  return exitCodes.done;
}

/**
 * Saves the index. Returns its bytes on the disk; `undefined` where it was not saved. A failure is
 * printed and does not fail the command.
 */
export async function keep(
  learning: LearntWorkspace,
  terminal: Terminal,
  options?: Parameters<LearntWorkspace["save"]>[0],
): Promise<number | undefined> {
  const saved = await learning.save(options);
  if (saved?.kind === "saved") return saved.bytes;
  if (saved?.kind === "failed") {
    terminal.err(`The index could not be saved: ${saved.detail}. Use --no-cache, or set EMEND_CACHE_DIR.\n`);
  } else if (saved?.kind === "too-large") {
    terminal.err("The index is too large to be saved; the workspace will be learnt again the next time.\n");
  }
  return undefined;
}

type Verdict =
  | {
      readonly kind: "offered";
      readonly completion: Completion;
      readonly how: NonNullable<CompleteReport["checked"]>;
    }
  | { readonly kind: "no-suggestion"; readonly reason: NoCompletionReason };

/**
 * Accepts only completions that keep the syntax valid; requests more from the model when the first
 * does not.
 */
async function check(answer: CompletionAnswer, request: CompletionRequest, model: BuiltinModel): Promise<Verdict> {
  if (answer.kind === "no-suggestion") return { kind: "no-suggestion", reason: answer.reason };
  const completions = answer.completions.filter(({ text }) => text.trim() !== "");
  if (completions.length === 0) return { kind: "no-suggestion", reason: "line-complete" };
  const { path, language, prefix, suffix } = request;
  const { openSyntax } = await import("../../syntax/node/index.ts");
  const syntax = openSyntax();
  try {
    const errors = await EditedSyntaxErrors.open(syntax, { uri: path, language, text: prefix + suffix });
    const errorsWith = (text: string) => errors.after(Edit.insert(prefix.length, text));
    const place = { language, prefix, suffix, errorsWith };
    const repeats = (text: string) => onlyRepeats(text, place, errorsWith);
    // The likeliest completion is what follows the cursor already.
    if (await repeats(completions[0]!.text)) return { kind: "no-suggestion", reason: "line-complete" };
    let verdict = await checkCompletions(completions, place);
    if (verdict.kind === "breaks-syntax" && completions.length === 1) {
      const more = model.complete(request);
      if (more.kind === "offered") verdict = await checkCompletions(more.completions, place);
    }
    if (verdict.kind === "passed" && (await repeats(verdict.completion.text))) {
      return { kind: "no-suggestion", reason: "line-complete" };
    }
    return verdict.kind === "passed"
      ? { kind: "offered", completion: verdict.completion, how: verdict.how }
      : { kind: "no-suggestion", reason: "breaks-syntax" };
  } finally {
    syntax[Symbol.dispose]();
  }
}

function listed(answer: CompletionAnswer, verdict: Verdict): { text: string; probability: number }[] {
  const all = answer.kind === "offered" ? [...answer.completions] : answer.best === undefined ? [] : [answer.best];
  const chosen = verdict.kind === "offered" ? verdict.completion : undefined;
  if (chosen !== undefined && !all.some(({ text }) => text === chosen.text)) all.unshift(chosen);
  return all.map(({ text, probability }) => ({ text, probability }));
}

const reasonTexts: Readonly<Record<NoCompletionReason, string>> = {
  "nothing-known": "nothing learnt so far predicts what goes here",
  unsure: "the best guess is too unlikely to be shown",
  "line-complete": "nothing seems to be missing here",
  "breaks-syntax": "every guess would break the syntax",
};

interface PrintOptions {
  readonly text: string;
  readonly offset: number;
  readonly best: Completion | undefined;
  readonly options: CompleteOptions;
  readonly terminal: Terminal;
}

function print(report: CompleteReport, { text, offset, options, terminal }: PrintOptions): void {
  const { colour } = terminal;
  const sections = [printPlace({ text, offset, ghost: report.text, colour })];
  const sure = printSureness(report.probability);
  if (report.reason === undefined) {
    const how = report.checked === "whole" ? "" : `, ${report.checked} to keep the syntax`;
    sections.push(styled(`${sure} sure`, "bold", colour) + how);
  } else {
    const guess = report.probability > 0 ? ` (${sure} sure)` : "";
    sections.push(`${styled("No suggestion", "bold", colour)}: ${reasonTexts[report.reason]}${guess}`);
  }
  if (options.all) {
    const found = report.alternatives ?? [];
    sections.push(found.length === 0 ? "No alternatives." : `Alternatives:\n${printAlternatives(found, colour)}`);
  }
  if (options.explain) {
    const tokens = report.explanation ?? [];
    const title = report.kind === "offered" ? "Where it comes from" : "The best guess, and where it comes from";
    sections.push(tokens.length === 0 ? "No guess to explain." : `${title}:\n${printExplanation(tokens, colour)}`);
    const { files, learnt, forgotten, cache } = report.workspace;
    const { learnMs, answerMs, checkMs } = report.timing;
    const count = (value: number) => value.toLocaleString("en");
    sections.push(
      `${count(files)} files known, ${count(learnt)} learnt and ${count(forgotten)} forgotten now (cache: ${cache}).\n` +
        `Learning ${learnMs} ms, answering ${answerMs} ms, checking ${checkMs} ms.`,
    );
  }
  terminal.out(`${sections.join("\n\n")}\n`);
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
