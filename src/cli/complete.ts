import { disk } from "../codebase/node/index.ts";
import { checkCompletions, errorsWith } from "../complete/index.ts";
import { type FlagSetting, userConfigFolder } from "../config/index.ts";
import type { BuiltinModel, Completion, CompletionAnswer, CompletionRequest } from "../model/index.ts";
import {
  type LearntWorkspace,
  learnWorkspace,
  loadSessionSettings,
  type SessionSettings,
} from "../server/session/index.ts";
import type { Syntax } from "../syntax/index.ts";
import { Lines } from "../text/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { explainCompletion, printExplanation, type TokenExplanation } from "./explain-completion.ts";
import { CommandFailure } from "./failure.ts";
import { indexCacheOf } from "./index-cache-of.ts";
import { checkModelNames, modelFlags } from "./model-flags.ts";
import { NamedModels } from "./named-models.ts";
import { findFile, type OpenedFile, readFound } from "./open-file.ts";
import { offsetOfPlace, type Place, parsePlace } from "./place.ts";
import { printAlternatives, printPlace, printSureness } from "./print-completion.ts";
import { openProgressBar } from "./progress.ts";
import { printable, styled, type Terminal } from "./terminal.ts";

/** What may be said on the command line of `emend complete`. */
export interface CompleteOptions {
  readonly json: boolean;
  readonly stdin: boolean;
  readonly all: boolean;
  readonly explain: boolean;
  readonly workspace: string | undefined;
  /** 1 unless told; where models are named, what the configuration says. */
  readonly maxLines: number | undefined;
  /** Only for the built-in model by itself. */
  readonly minProbability: number | undefined;
  readonly cache: boolean;
  /** The models in order of preference, which count more than any configuration. */
  readonly model: readonly string[] | undefined;
  /** Whether the person trusts the workspace's configuration. */
  readonly trust: boolean;
}

/** Why nothing is offered. */
export type SilenceReason = Extract<CompletionAnswer, { kind: "silent" }>["reason"] | "breaks-syntax";

/** What `--json` prints where no model is named. Fields may be added; none changes its meaning. */
export interface CompleteReport {
  readonly kind: "offered" | "silent";
  /** What to insert at the place; empty when the model is silent. */
  readonly text: string;
  /** How likely exactly this is wanted, from 0 to 1; of the best guess when the model is silent, 0 when it has none. */
  readonly probability: number;
  /** Only when silent. */
  readonly reason?: SilenceReason;
  /** Whether the end was taken off, or another alternative taken, to keep the syntax. Only when offered. */
  readonly checked?: "whole" | "shortened" | "alternative";
  /** Only with `--all`: likeliest first, the offered one among them. */
  readonly alternatives?: readonly { readonly text: string; readonly probability: number }[];
  /** Only with `--explain`: the tokens of the text, or of the best guess when the model is silent. */
  readonly explanation?: readonly TokenExplanation[];
  /** From the workspace's root. */
  readonly file: string;
  /** From 1; columns in UTF-16 units. */
  readonly line: number;
  readonly column: number;
  readonly language: string;
  readonly workspace: {
    readonly root: string;
    /** Where the index came from. */
    readonly cache: LearntWorkspace["cache"];
    /** Files known; learnt just now; forgotten just now. */
    readonly files: number;
    readonly learnt: number;
    readonly forgotten: number;
    /** Whether all of the workspace was learnt in time. */
    readonly isComplete: boolean;
  };
  /** Milliseconds: looking at the workspace and learning what is new; asking the model; checking the syntax. */
  readonly timing: { readonly learnMs: number; readonly answerMs: number; readonly checkMs: number };
}

/** After this long learning stops and the place is answered from what is learnt by then, near files first. */
const learningBudgetMs = 2_000;

/** The alternatives that `--all` asks for, and those looked at when the first would break the syntax. */
const alternatives = { all: 8, check: 4 };

/**
 * Runs `emend complete PLACE`. Without a word on models the built-in one answers by itself and each token is explained;
 * where models are named, on the command line or in the configuration, the ghost text engine answers with them.
 */
export async function complete(argument: string, options: CompleteOptions, terminal: Terminal): Promise<ExitCode> {
  const { signal, workingFolder, environment } = terminal;
  const place = parsePlace(argument);
  checkModelNames(options.model);
  const unsaved = options.stdin ? await terminal.readInput() : undefined;
  signal.throwIfAborted();
  const found = await findFile({
    ...{ file: place.file, workspace: options.workspace, unsaved },
    ...{ workingFolder, fileSystem: disk },
  });
  const models = new NamedModels({ environment });
  try {
    const settings = await loadSessionSettings(
      {
        ...{ fileSystem: disk, userFolder: userConfigFolder(), environment },
        flags: [...modelFlags(options.model), ...maxLinesFlags(options.maxLines)],
        ...(options.trust && { isTrusted: true }),
        openModel: (name, settings) => models.open(name, settings),
      },
      { root: found.root, editor: undefined },
    );
    const limit = { characters: settings.ghostText.maxDocumentCharacters, setting: "complete.maxDocumentCharacters" };
    const file = await readFound(found, { unsaved, limit, fileSystem: disk, signal });
    const offset = offsetOfPlace(Lines.of(file.text), place);
    if (!options.json) for (const issue of settings.issues) terminal.err(`${printable(issue)}\n`);
    const asked: AskedPlace = { file, place, offset, options };
    return settings.areModelsNamed
      ? await completeByNamed(asked, settings, terminal)
      : await completeByBuiltin(asked, terminal);
  } finally {
    await models[Symbol.asyncDispose]();
  }
}

/** A place in a file that was read. */
interface AskedPlace {
  readonly file: OpenedFile;
  readonly place: Place;
  readonly offset: number;
  readonly options: CompleteOptions;
}

async function completeByNamed(asked: AskedPlace, settings: SessionSettings, terminal: Terminal): Promise<ExitCode> {
  const { file, options } = asked;
  if (options.minProbability !== undefined) {
    const message = "--min-probability is for the built-in model by itself. Leave it out where models are named.";
    throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
  }
  const { completeByEngine } = await import("./complete-by-engine.ts");
  const learning = settings.models.includes("builtin") ? await learnNear(file, options, terminal) : undefined;
  const exitCode = await completeByEngine({ ...asked, settings, builtin: learning?.model }, terminal);
  if (learning !== undefined) await keep(learning, terminal);
  return exitCode;
}

/** Learns the workspace of a file for as long as a person waits, with a progress bar. */
export function learnNear(
  file: OpenedFile,
  { cache }: Pick<CompleteOptions, "cache">,
  terminal: Terminal,
): Promise<LearntWorkspace> {
  const bar = openProgressBar(terminal);
  return learnWorkspace({
    root: file.root,
    fileSystem: disk,
    cache: cache ? indexCacheOf(terminal) : undefined,
    open: file,
    budgetMs: learningBudgetMs,
    maxDependencyBytes: 700_000,
    signal: terminal.signal,
    now: () => terminal.now(),
    onProgress: bar.show,
  }).finally(bar.close);
}

function maxLinesFlags(maxLines: number | undefined): readonly FlagSetting[] {
  return maxLines === undefined ? [] : [{ flag: "--max-lines", path: ["complete", "maxLines"], value: maxLines }];
}

async function completeByBuiltin({ file, place, offset, options }: AskedPlace, terminal: Terminal): Promise<ExitCode> {
  const { now } = terminal;
  const { root, path, language, text } = file;
  const learningSoon = learnNear(file, options, terminal);
  // The parsers are loaded while the disk is busy with the index.
  const loadingSyntax = import("../syntax/node/index.ts");
  const learning = await learningSoon;

  const asked = now();
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
  const { openSyntax } = await loadingSyntax;
  const verdict = await check(answer, { ...request, limit: alternatives.check }, learning.model, openSyntax());
  const checkedMs = now() - answered;

  const best =
    verdict.kind === "offered" ? verdict.completion : answer.kind === "silent" ? answer.best : answer.completions[0];
  const explanation =
    options.explain && best !== undefined
      ? await explainCompletion(best, { model: learning.model, root, fileSystem: disk })
      : undefined;
  const report: CompleteReport = {
    kind: verdict.kind,
    text: verdict.kind === "offered" ? verdict.completion.text : "",
    probability: best?.probability ?? 0,
    ...(verdict.kind === "silent" ? { reason: verdict.reason } : { checked: verdict.how }),
    ...(options.all && { alternatives: listed(answer, verdict) }),
    ...(options.explain && { explanation: explanation ?? [] }),
    ...{ file: path, line: place.line, column: place.column, language },
    workspace: {
      root,
      cache: learning.cache,
      files: learning.model.knowledge.files.size,
      learnt: learning.learnt,
      forgotten: learning.forgotten,
      isComplete: learning.isComplete,
    },
    timing: { learnMs: rounded(learning.tookMs), answerMs: rounded(answered - asked), checkMs: rounded(checkedMs) },
  };
  if (options.json) terminal.out(`${JSON.stringify(report)}\n`);
  else print(report, { text, offset, best, options, terminal });
  if (learning.cache === "broken" && !options.json) {
    terminal.err(`The kept index was broken (${learning.cacheDetail}) and was learnt anew.\n`);
  }
  if (!learning.isComplete && terminal.isWatched && !options.json) {
    const count = learning.model.knowledge.files.size.toLocaleString("en");
    terminal.err(`Only ${count} files near the place were learnt so far; \`emend learn\` learns all.\n`);
  }
  // The answer is out; what was learnt is kept while the person reads it.
  await keep(learning, terminal);
  return exitCodes.done;
}

/** Keeps the index. That it cannot be kept is worth a line, and no failure. */
export async function keep(learning: LearntWorkspace, terminal: Terminal): Promise<number | undefined> {
  const saved = await learning.save();
  if (saved?.kind === "saved") return saved.bytes;
  if (saved?.kind === "failed") {
    terminal.err(`What was learnt could not be kept: ${saved.detail}. Use --no-cache, or set EMEND_CACHE_DIR.\n`);
  } else if (saved?.kind === "too-large") {
    terminal.err("What was learnt is too large to be kept; it will be learnt again the next time.\n");
  }
  return undefined;
}

type Verdict =
  | {
      readonly kind: "offered";
      readonly completion: Completion;
      readonly how: NonNullable<CompleteReport["checked"]>;
    }
  | { readonly kind: "silent"; readonly reason: SilenceReason };

/** Lets only pass what keeps the syntax; asks the model for more when its first does not. Closes `syntax`. */
async function check(
  answer: CompletionAnswer,
  request: CompletionRequest,
  model: BuiltinModel,
  syntax: Syntax,
): Promise<Verdict> {
  if (answer.kind === "silent") return { kind: "silent", reason: answer.reason };
  const completions = answer.completions.filter(({ text }) => text.trim() !== "");
  if (completions.length === 0) return { kind: "silent", reason: "line-complete" };
  const { path, language, prefix, suffix } = request;
  try {
    const split = { path, language, prefix, suffix };
    const place = { ...split, errorsWith: await errorsWith(syntax, split) };
    let verdict = await checkCompletions(completions, place);
    if (verdict.kind === "breaks-syntax" && completions.length === 1) {
      const more = model.complete(request);
      if (more.kind === "offered") verdict = await checkCompletions(more.completions, place);
    }
    return verdict.kind === "passed"
      ? { kind: "offered", completion: verdict.completion, how: verdict.how }
      : { kind: "silent", reason: "breaks-syntax" };
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

const silences: Readonly<Record<SilenceReason, string>> = {
  "nothing-known": "nothing that was learnt says what goes here",
  unsure: "the best guess would cost more attention than it saves",
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
    sections.push(`${styled("Silent", "bold", colour)} (${report.reason}): ${silences[report.reason]}${guess}`);
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
