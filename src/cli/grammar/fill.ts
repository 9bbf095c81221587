import { pathToFileURL } from "node:url";
import { userConfigFolder } from "../../config/index.ts";
import { EditHistory } from "../../context/index.ts";
import { printFileRefusal, writeWorkspaceEdit } from "../../edit/node/index.ts";
import { threadSlices } from "../../grammar/node/index.ts";
import type { BuiltinModel, CompletionRequest, FillRequest } from "../../model/index.ts";
import {
  type LearntWorkspace,
  loadSessionSettings,
  SessionPrompts,
  type SessionSettings,
} from "../../server/session/index.ts";
import type { Syntax } from "../../syntax/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { Edit, toUnifiedDiff, workspaceEdit } from "../../text/index.ts";
import { joinPath } from "../../workspace/index.ts";
import { blockingDisk, waitingClock } from "../../workspace/node/index.ts";
import { keep, learnNear } from "../complete/complete.ts";
import { undoCommand } from "../edit/edit-workspace.ts";
import { indexNear } from "../index-near.ts";
import { checkModelNames, modelFlags, NamedModels } from "../named-models.ts";
import { type OpenMembers, openMembers } from "../open-members.ts";
import { journalOf } from "../state-folder.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { jsonLine } from "../terminal/masked-terminal.ts";
import { countText } from "../terminal/print-amount.ts";
import { printDiff } from "../terminal/print-diff.ts";
import { openActivityLine } from "../terminal/progress.ts";
import { printable, styled, type Terminal } from "../terminal/terminal.ts";
import { typesMemoryMb } from "../workspace-settings.ts";
import { type FilledHole, type FillingModel, type FillOutcome, fillHoles, type HolesToFill } from "./fill-holes.ts";
import { printFilled, printHoleEnd, printRefusal, printRefusals } from "./print-filling.ts";
import { openText, parseHole, parseHoles, placeAt, type ReadText, rangesOfHoles } from "./text-with-hole.ts";

/** The options of `emend fill`. */
export interface FillOptions {
  /** The hole as typed. */
  readonly at: string;
  /** Further holes as typed. */
  readonly holes: string | undefined;
  readonly model: readonly string[] | undefined;
  readonly maxTokens: number | undefined;
  /** The most seconds for parsing the text with its grammar. */
  readonly readTimeout: number | undefined;
  /** The most seconds for searching the likeliest text of a hole. */
  readonly searchTimeout: number | undefined;
  /**
   * The path of a grammar, or the name of a built-in one; that of the file's language by default.
   */
  readonly grammar: string | undefined;
  /** Whether names after a dot are restricted to the members of types. */
  readonly members: boolean;
  readonly json: boolean;
  readonly explain: boolean;
  /** `-` prints the whole text, also to a terminal. */
  readonly out: "-" | undefined;
  readonly write: boolean;
  readonly trust: boolean;
  readonly cache: boolean;
}

/** The output of `--json`. Fields may be added; none changes its meaning. */
export interface FillReport {
  readonly kind: "filled";
  /** The whole text with its holes filled. */
  readonly text: string;
  /** Offsets are in UTF-16 code units of the original file. */
  readonly holes: readonly FilledHole[];
  /** What is wrong with the configuration, one sentence each. */
  readonly issues: readonly string[];
  /** Relative to the workspace's root. */
  readonly file: string;
  readonly language: string;
  readonly grammar: string;
  readonly model: string;
  /**
   * The number of errors that the language's parser finds in the filled text; 0 where there is no
   * parser.
   */
  readonly parserErrors: number;
  readonly isWritten: boolean;
}

/** The milliseconds after which indexing for the prompt stops. */
const indexingBudgetMs = 2_000;

/** The most milliseconds for one answer of TypeScript, its start included. */
const membersMs = 20_000;

/** The number of allowed first tokens from which the built-in model tries a filling. */
const firstTokens = 24;
/**
 * The most seconds for parsing the text with its grammar by default: 100 kB take a second or two.
 */
const defaultReadTimeout = 10;

/**
 * The most seconds for searching the likeliest text of a hole by default: a server that answers in
 * a fifth of a second can be asked all that the search needs.
 */
const defaultSearchTimeout = 20;

/** The most errors of the parser that are printed, a line each. */
const maxErrors = 3;

/** The most tokens of a filling by default. */
const defaultMaxTokens = 200;

/**
 * Runs `emend fill FILE --at …`: fills holes of a file with a model, within the grammar of its
 * language.
 *
 * Throws a {@link CommandFailure} where an option or a place is invalid, the file may not be read,
 * it has no grammar, no model can fill, or a hole cannot be filled; then nothing is written.
 * Rejects with the signal's reason on abort.
 */
export async function fill(file: string, options: FillOptions, terminal: Terminal): Promise<ExitCode> {
  const places = [parseHole(options.at), ...(options.holes === undefined ? [] : parseHoles(options.holes))];
  checkModelNames(options.model);
  const read = await openText(file, { grammar: options.grammar, isForModel: true }, terminal);
  const ranges = rangesOfHoles(read.lines, file, places);
  await using models = new NamedModels({ environment: terminal.environment });
  await using members = options.members ? await membersOf(read, options, terminal) : undefined;
  using syntax = openSyntax();
  const errorsOf = (text: string) => parserErrors(syntax, read, options, text);
  const chosen = await chooseModel(read, options, models, terminal);
  const progress = openFillProgress(file, chosen.model, terminal);
  const outcome = await fillHoles({
    ...read,
    ...{
      ranges,
      model: chosen.model,
      promptAt: chosen.promptAt,
      maxTokens: options.maxTokens ?? defaultMaxTokens,
      searchMs: 1000 * (options.searchTimeout ?? defaultSearchTimeout),
      explain: options.explain,
      slices: { ...progress.slices, maxMs: 1000 * (options.readTimeout ?? defaultReadTimeout) },
      onTried: progress.onTried,
      isAccepted: async (text: string) => (await errorsOf(text)).length === 0,
      members: members?.sourceFor(read.path),
    },
    signal: terminal.signal,
  }).finally(progress.close);
  terminal.signal.throwIfAborted();
  if (outcome.kind !== "filled") throw notFilled(outcome, read, ranges[0]!.start);
  const exitCode = await printResult(
    { read, holes: outcome.holes, model: chosen.model, issues: chosen.issues, options, errorsOf },
    terminal,
  );
  if (chosen.learning !== undefined) await keep(chosen.learning, terminal);
  return exitCode;
}

/** The progress of a filling on the terminal: that the file is parsed, and how much was tried. */
function openFillProgress(file: string, { name }: FillingModel, terminal: Terminal) {
  const activity = openActivityLine(terminal);
  let tried = 0;
  return {
    slices: {
      ...threadSlices,
      yieldThread: () => {
        activity.show(printable(`Parsing ${file} with its grammar`));
        return threadSlices.yieldThread();
      },
    },
    onTried: () => {
      tried += 1;
      activity.show(printable(`Filling ${file} with ${name}: ${countText(tried, "text")} tried`));
    },
    close: () => activity[Symbol.dispose](),
  };
}

/**
 * Opens the members of types. Rejects with a {@link CommandFailure} for a file that is neither
 * TypeScript nor JavaScript.
 */
async function membersOf(
  read: ReadText,
  options: Pick<FillOptions, "trust">,
  terminal: Terminal,
): Promise<OpenMembers> {
  const maxMemoryMb = await typesMemoryMb(read.root, options, terminal);
  const members = openMembers(read, { timeoutMs: membersMs, maxMemoryMb }, terminal);
  if (members.sourceFor(read.path) !== undefined) return members;
  const message = `--members is for TypeScript and JavaScript, and ${read.file} is neither. Leave it out.`;
  throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
}

interface ChosenModel extends Pick<HolesToFill, "model" | "promptAt">, Pick<SessionSettings, "issues"> {
  /** Only for the built-in model. */
  readonly learning?: LearntWorkspace;
}

/**
 * The first model that can fill, of those named with `--model` or in the configuration. Throws a
 * {@link CommandFailure} where there is none.
 */
async function chooseModel(
  read: ReadText,
  options: FillOptions,
  models: NamedModels,
  terminal: Terminal,
): Promise<ChosenModel> {
  const { environment } = terminal;
  const settings = await loadSessionSettings(
    {
      ...{ fileSystem: blockingDisk, userFolder: userConfigFolder(), environment, flags: modelFlags(options.model) },
      ...(options.trust && { isTrusted: true }),
      openModel: (name, modelSettings) => models.open(name, modelSettings),
    },
    { root: read.root, editor: undefined },
  );
  if (!options.json) for (const issue of settings.issues) terminal.err(`${printable(issue)}\n`);
  for (const model of settings.models) {
    if (model === "builtin") {
      const learning = await learnNear(read, options, terminal);
      return { model: withBestGuess(learning.model), issues: settings.issues, learning };
    }
    if (!canFill(model)) continue;
    return { model, issues: settings.issues, promptAt: await promptsFor(model, read, settings, terminal) };
  }
  const why = settings.modelIssues.length === 0 ? "None of the named models can fill." : settings.modelIssues.join(" ");
  throw new CommandFailure("no-model", `${why} Name one with --model, such as --model builtin.`, {
    exitCode: exitCodes.failed,
  });
}

/** The prompts for a model other than the built-in one, within its budget. */
async function promptsFor(
  model: FillingModel,
  file: ReadText,
  settings: SessionSettings,
  { signal, now }: Terminal,
): Promise<NonNullable<HolesToFill["promptAt"]>> {
  const limits = { budgetMs: indexingBudgetMs, maxDependencyBytes: 700_000 };
  const { index } = await indexNear(file, { fileSystem: blockingDisk, ...limits, signal, now });
  const prompts = new SessionPrompts({
    ...{ settings, index, history: new EditHistory(), uncommitted: undefined, clock: waitingClock },
    openFiles: async () => [],
  });
  const { path, language, root } = file;
  const uri = pathToFileURL(joinPath(root, path)).href;
  return async (prefix, suffix) => {
    const document = { uri, language, version: 1, text: prefix + suffix };
    const placed = { document, path, offset: prefix.length, trigger: "invoked" as const };
    const prompt = await prompts.promptFor(placed, model, { signal });
    return { prefix: prompt.prefix, suffix: prompt.suffix, context: prompt.context };
  };
}

function canFill(model: { readonly fill?: unknown }): model is FillingModel {
  return model.fill !== undefined;
}

/**
 * The built-in model without its threshold, so that it returns its best guess even if that is
 * unlikely: a person has requested it.
 */
function withBestGuess(model: BuiltinModel): FillingModel {
  return {
    name: model.name,
    followsGuide: true,
    fill: (request, options) => model.fill(withoutThreshold(request), options),
  };
}

function withoutThreshold(request: FillRequest): FillRequest & Pick<CompletionRequest, "minProbability" | "attempts"> {
  return { ...request, minProbability: 0, attempts: firstTokens };
}

interface FilledFile extends Pick<SessionSettings, "issues"> {
  readonly read: ReadText;
  readonly holes: readonly FilledHole[];
  readonly model: FillingModel;
  readonly options: FillOptions;
  readonly errorsOf: (text: string) => Promise<readonly string[]>;
}

async function printResult(
  { read, holes, model, issues, options, errorsOf }: FilledFile,
  terminal: Terminal,
): Promise<ExitCode> {
  const { colour } = terminal;
  const { path, language, grammar } = read;
  const edit = Edit.of(holes.map(({ range, text }) => ({ ...range, text })));
  const text = edit.apply(read.text);
  const errors = await errorsOf(text);
  const written = options.write ? await write(read, edit, terminal) : undefined;
  if (options.json) {
    const report: FillReport = {
      ...{ kind: "filled", text, holes, issues, file: path, language, grammar: grammar.name, model: model.name },
      ...{ parserErrors: errors.length, isWritten: written !== undefined },
    };
    terminal.out(jsonLine(report, terminal));
    return exitCodes.done;
  }
  if (terminal.isShown && options.out === undefined)
    terminal.out(printDiff(toUnifiedDiff({ path, before: read.text, after: text }), terminal));
  else {
    const filled = printFilled(read.text, holes, colour);
    terminal.out(filled.endsWith("\n") || filled === "" ? filled : `${filled}\n`);
  }
  for (const hole of holes) {
    terminal.err(`${styled(`${printable(model.name)}:`, "bold", colour)} ${printHoleEnd(hole, read.lines)}.\n`);
    if (hole.refusals !== undefined && hole.refusals.length > 0) terminal.err(`${printRefusals(hole, colour)}\n`);
    for (const why of hole.unknownMembers ?? []) terminal.err(`Members are unknown: ${printable(why)}\n`);
  }
  for (const message of errors.slice(0, maxErrors)) {
    terminal.err(`The parser of ${language} does not agree with the grammar: ${printable(message)}\n`);
  }
  const more = errors.length - maxErrors;
  if (more > 0) terminal.err(`The parser of ${language} finds ${countText(more, "more error")}.\n`);
  if (written !== undefined) terminal.err(`${written}\n`);
  return exitCodes.done;
}

/**
 * The errors that the language's parser finds in a text; empty where there is no parser, and where
 * another grammar is named.
 */
async function parserErrors(
  syntax: Syntax,
  { path, language }: ReadText,
  { grammar }: FillOptions,
  text: string,
): Promise<readonly string[]> {
  if (grammar !== undefined) return [];
  const issues = await syntax.syntaxErrors({ uri: path, language, text });
  return issues.map(({ message }) => message);
}

async function write({ root, path, text, file }: ReadText, edit: Edit, terminal: Terminal): Promise<string> {
  const change = { edit: workspaceEdit([{ kind: "edit", uri: path, edit }]), files: new Map([[path, text]]) };
  const instruction = `fill ${file}`;
  const { signal } = terminal;
  const outcome = await writeWorkspaceEdit(root, { ...change, instruction }, { journal: journalOf(terminal), signal });
  if (outcome.kind === "written")
    return `Written: ${printable(path)}. \`${await undoCommand(root, terminal)}\` undoes it.`;
  if (outcome.kind === "unchanged") return "The file has this content already.";
  const why =
    outcome.kind === "stale"
      ? "It changed on the disk meanwhile."
      : outcome.kind === "busy"
        ? "Another Emend writes here. Try again when it is done."
        : outcome.kind === "failed"
          ? outcome.message
          : outcome.refusals.map(printFileRefusal).join(" ");
  throw new CommandFailure("not-written", `${file} is not written. ${why}`, { exitCode: exitCodes.failed });
}

function notFilled(
  outcome: Exclude<FillOutcome, { kind: "filled" }>,
  { file, lines }: ReadText,
  start: number,
): CommandFailure {
  const at = "range" in outcome ? outcome.range.start : start;
  const { line, column } = placeAt(lines, at);
  const hint = `\`emend check ${file} --at ${line}:${column}\` prints where.`;
  const why = outcome.kind === "refused" ? `: ${printRefusal(outcome.refusal)}` : "";
  const isCutShort = outcome.kind === "refused" && outcome.searchLimit === "time";
  const longer = isCutShort ? "Give the search more time with --search-timeout, such as 60, or try" : "Try";
  const messages: Readonly<Record<typeof outcome.kind, string>> = {
    "dead-prefix": `The text before ${line}:${column} begins no text of the language. ${hint}`,
    "dead-suffix": `The text after the hole at ${line}:${column} ends no text of the language. ${hint}`,
    "no-filling": `Nothing fits at ${line}:${column}: each side can occur in a text, but not both in the same one.`,
    refused: `The grammar refuses the model's text at ${line}:${column} at every attempt${why}. ${longer} another model with --model.`,
    "hides-code": `Each filling that was found at ${line}:${column} turns the code behind it into a comment. Correct that code, or try another model with --model.`,
    "too-long": `Nothing was found that fits at ${line}:${column} and ends within its tokens. Raise --max-tokens.`,
    "too-slow": `${file} is too long to be parsed with its grammar in time, for the hole at ${line}:${column}. Raise the limit with --read-timeout, such as --read-timeout 30.`,
  };
  const exitCode = outcome.kind === "too-slow" ? exitCodes.notSource : exitCodes.refused;
  return new CommandFailure(outcome.kind, messages[outcome.kind], { exitCode });
}
