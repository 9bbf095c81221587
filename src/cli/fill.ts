import { pathToFileURL } from "node:url";
import { joinPath } from "../codebase/index.ts";
import { disk, systemClock } from "../codebase/node/index.ts";
import { userConfigFolder } from "../config/index.ts";
import { EditHistory } from "../context/index.ts";
import { printFileRefusal, writeWorkspaceEdit } from "../edit/node/index.ts";
import type { BuiltinModel, FillRequest } from "../model/index.ts";
import {
  type LearntWorkspace,
  loadSessionSettings,
  SessionPrompts,
  type SessionSettings,
  TypeScriptMembers,
} from "../server/session/index.ts";
import type { Syntax } from "../syntax/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { Edit, workspaceEdit } from "../text/index.ts";
import { keep, learnNear } from "./complete.ts";
import { undoCommand } from "./edit-workspace.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { type FilledHole, type FillingModel, type FillOutcome, fillHoles, type HolesToFill } from "./fill-holes.ts";
import { parseHole, parseHoles, rangesOfHoles } from "./hole-range.ts";
import { indexNear } from "./index-near.ts";
import { journalOf } from "./journal-of.ts";
import { checkModelNames, modelFlags } from "./model-flags.ts";
import { NamedModels } from "./named-models.ts";
import { printFilled, printHoleEnd, printRefusals } from "./print-filling.ts";
import { printable, styled, type Terminal } from "./terminal.ts";
import { openText, placeAt, type ReadText } from "./text-with-hole.ts";

/** What may be said on the command line of `emend fill`. */
export interface FillOptions {
  /** The hole as typed. */
  readonly at: string;
  /** Further holes as typed. */
  readonly holes: string | undefined;
  readonly model: readonly string[] | undefined;
  readonly maxTokens: number | undefined;
  /** A grammar's file, or the name of one that ships; that of the file's language unless told. */
  readonly grammar: string | undefined;
  /** Whether names behind a dot are held to the members that types have. */
  readonly members: boolean;
  readonly json: boolean;
  readonly explain: boolean;
  readonly write: boolean;
  readonly trust: boolean;
  readonly cache: boolean;
}

/** What `--json` prints. Fields may be added; none changes its meaning. */
export interface FillReport {
  readonly kind: "filled";
  /** The whole text with its holes filled. */
  readonly text: string;
  /** Offsets are in UTF-16 units of the file as it was. */
  readonly holes: readonly FilledHole[];
  /** From the workspace's root. */
  readonly file: string;
  readonly language: string;
  readonly grammar: string;
  readonly model: string;
  /** Errors that the language's parser finds in the filled text; 0 where there is none for it. */
  readonly parserErrors: number;
  readonly isWritten: boolean;
}

/** After this long a model is told what is indexed by then. */
const indexingBudgetMs = 2_000;

/** How long TypeScript may take for one answer, its start included. */
const membersMs = 20_000;

/** The most tokens of a filling, unless told. */
const defaultMaxTokens = 200;

/** Runs `emend fill FILE --at …`: has a model fill holes of a file with what the grammar lets stand there. */
export async function fill(file: string, options: FillOptions, terminal: Terminal): Promise<ExitCode> {
  const places = [parseHole(options.at), ...(options.holes === undefined ? [] : parseHoles(options.holes))];
  checkModelNames(options.model);
  const read = await openText(file, options.grammar, terminal);
  const ranges = rangesOfHoles(read.lines, file, places);
  const models = new NamedModels({ environment: terminal.environment });
  const members = options.members ? openMembers(read) : undefined;
  const syntax = openSyntax();
  const errorsOf = (text: string) => parserErrors(syntax, read, options, text);
  try {
    const chosen = await chooseModel(read, options, models, terminal);
    const outcome = await fillHoles({
      ...read,
      ...{
        ranges,
        model: chosen.model,
        promptAt: chosen.promptAt,
        maxTokens: options.maxTokens ?? defaultMaxTokens,
        explain: options.explain,
        agrees: async (text: string) => (await errorsOf(text)).length === 0,
        members: members?.sourceFor(read.path),
      },
      signal: terminal.signal,
    });
    terminal.signal.throwIfAborted();
    if (outcome.kind !== "filled") throw notFilled(outcome, read, ranges[0]!.start);
    const exitCode = await tell({ read, holes: outcome.holes, model: chosen.model, options, errorsOf }, terminal);
    if (chosen.learning !== undefined) await keep(chosen.learning, terminal);
    return exitCode;
  } finally {
    syntax[Symbol.dispose]();
    await members?.[Symbol.asyncDispose]();
    await models[Symbol.asyncDispose]();
  }
}

/** What knows the members of types; a file of a language without types is refused. */
function openMembers({ root, path, file }: ReadText): TypeScriptMembers {
  const members = new TypeScriptMembers({ root, clock: systemClock, timeoutMs: membersMs });
  if (members.sourceFor(path) !== undefined) return members;
  const message = `--members is for TypeScript and JavaScript, and ${file} is neither. Leave it out.`;
  throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
}

interface ChosenModel extends Pick<HolesToFill, "model" | "promptAt"> {
  /** Only of the built-in model. */
  readonly learning?: LearntWorkspace;
}

/** The first model that can fill, of those that are named here or in the configuration. */
async function chooseModel(
  read: ReadText,
  options: FillOptions,
  models: NamedModels,
  terminal: Terminal,
): Promise<ChosenModel> {
  const { environment } = terminal;
  const settings = await loadSessionSettings(
    {
      ...{ fileSystem: disk, userFolder: userConfigFolder(), environment, flags: modelFlags(options.model) },
      ...(options.trust && { isTrusted: true }),
      openModel: (name, modelSettings) => models.open(name, modelSettings),
    },
    { root: read.root, editor: undefined },
  );
  if (!options.json) for (const issue of settings.issues) terminal.err(`${printable(issue)}\n`);
  for (const model of settings.models) {
    if (model === "builtin") {
      const learning = await learnNear(read, options, terminal);
      return { model: outspoken(learning.model), learning };
    }
    if (!canFill(model)) continue;
    return { model, promptAt: await promptsFor(model, read, settings, terminal) };
  }
  const why =
    settings.modelIssues.length === 0 ? "None of the models that are named can fill." : settings.modelIssues.join(" ");
  throw new CommandFailure("no-model", `${why} Name one with --model, such as --model builtin.`, {
    exitCode: exitCodes.failed,
  });
}

/** What a model that does not know the workspace is told, within its budget. */
async function promptsFor(
  model: FillingModel,
  file: ReadText,
  settings: SessionSettings,
  { signal, now }: Terminal,
): Promise<NonNullable<HolesToFill["promptAt"]>> {
  const limits = { budgetMs: indexingBudgetMs, maxDependencyBytes: 700_000 };
  const { index } = await indexNear(file, { fileSystem: disk, ...limits, signal, now });
  const prompts = new SessionPrompts({
    ...{ settings, index, history: new EditHistory(), uncommitted: undefined, clock: systemClock },
    openFiles: async () => [],
  });
  const { path, language, root } = file;
  const uri = pathToFileURL(joinPath(root, path)).href;
  return async (prefix, suffix) => {
    const document = { uri, language, version: 1, text: prefix + suffix };
    const asked = { document, path, offset: prefix.length, trigger: "invoked" as const };
    const prompt = await prompts.promptFor(asked, model);
    return { prefix: prompt.prefix, suffix: prompt.suffix, context: prompt.context };
  };
}

function canFill(model: { readonly fill?: unknown }): model is FillingModel {
  return model.fill !== undefined;
}

/** The built-in model, which says its best guess however unsure it is: a person asks for it. */
function outspoken(model: BuiltinModel): FillingModel {
  return {
    name: model.name,
    followsGuide: true,
    fill: (request, options) => model.fill(asked(request), options),
  };
}

function asked(request: FillRequest): FillRequest & { readonly minProbability: number } {
  return { ...request, minProbability: 0 };
}

interface FilledFile {
  readonly read: ReadText;
  readonly holes: readonly FilledHole[];
  readonly model: FillingModel;
  readonly options: FillOptions;
  readonly errorsOf: (text: string) => Promise<readonly string[]>;
}

async function tell({ read, holes, model, options, errorsOf }: FilledFile, terminal: Terminal): Promise<ExitCode> {
  const { colour } = terminal;
  const { path, language, grammar } = read;
  const edit = Edit.of(holes.map(({ range, text }) => ({ ...range, text })));
  const text = edit.apply(read.text);
  const errors = await errorsOf(text);
  const written = options.write ? await write(read, edit, terminal) : undefined;
  if (options.json) {
    const report: FillReport = {
      ...{ kind: "filled", text, holes, file: path, language, grammar: grammar.name, model: model.name },
      ...{ parserErrors: errors.length, isWritten: written !== undefined },
    };
    terminal.out(`${JSON.stringify(report)}\n`);
    return exitCodes.done;
  }
  const filled = printFilled(read.text, holes, colour);
  terminal.out(filled.endsWith("\n") || filled === "" ? filled : `${filled}\n`);
  for (const hole of holes) {
    terminal.err(`${styled(`${printable(model.name)}:`, "bold", colour)} ${printHoleEnd(hole, read.lines)}.\n`);
    if (hole.refusals !== undefined && hole.refusals.length > 0) terminal.err(`${printRefusals(hole, colour)}\n`);
    for (const why of hole.unknownMembers ?? []) terminal.err(`Members are not known: ${printable(why)}\n`);
  }
  for (const message of errors.slice(0, 3)) {
    terminal.err(`The parser of ${language} does not agree with the grammar: ${printable(message)}\n`);
  }
  if (written !== undefined) terminal.err(`${written}\n`);
  return exitCodes.done;
}

/** What the language's parser finds wrong with a text; nothing where there is none, and where another grammar is named. */
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
    return `Written: ${printable(path)}. \`${await undoCommand(root, terminal)}\` takes it back.`;
  if (outcome.kind === "unchanged") return "The file is so already.";
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
  const at = outcome.kind === "too-long" ? outcome.range.start : start;
  const { line, column } = placeAt(lines, at);
  const hint = `\`emend check ${file} --at ${line}:${column}\` says where.`;
  const messages: Readonly<Record<typeof outcome.kind, string>> = {
    "dead-prefix": `What stands before ${line}:${column} begins no text of the language. ${hint}`,
    "dead-suffix": `What stands behind the hole at ${line}:${column} ends no text of the language. ${hint}`,
    "no-filling": `Nothing fits at ${line}:${column}: each side can stand in a text, but no text holds both.`,
    "too-long": `Nothing was found that fits at ${line}:${column} and ends within its tokens. Raise --max-tokens.`,
  };
  return new CommandFailure(outcome.kind, messages[outcome.kind], { exitCode: exitCodes.refused });
}
