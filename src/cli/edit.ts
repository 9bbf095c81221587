import { disk } from "../codebase/node/index.ts";
import { type FlagSetting, userConfigFolder } from "../config/index.ts";
import {
  EditEngine,
  type EditOutcome,
  type EditRequest,
  editPrompt,
  formatOfReply,
  printPrompt,
  promptFormat,
  retryPromptFor,
  rewritePrompt,
} from "../edit/index.ts";
import { formatNamed } from "../formats/index.ts";
import { loadEditSettings } from "../server/session/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { clearFormat, wholeFileHint } from "./answer-format.ts";
import { copyText } from "./copy-text.ts";
import { editByModel } from "./edit-by-model.ts";
import { editFormatOf, formatFlags } from "./edit-format-flag.ts";
import type { AskedEdit, EditOptions } from "./edit-options.ts";
import { editOutside } from "./edit-outside.ts";
import { editRegions, regionsOf, toRewrite } from "./edit-regions.ts";
import { checkIsEmpty, openEditWorkspace, readNamedFiles } from "./edit-workspace.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { checkModelNames, modelFlags } from "./model-flags.ts";
import { readAnswerText } from "./read-answer-text.ts";
import { reviewEdit } from "./review-edit.ts";
import { printable, type Terminal } from "./terminal.ts";

/**
 * Runs `emend edit [FILE…] -m INSTRUCTION`. Files that are not there yet may be made; in an empty workspace none need be
 * named.
 */
export async function edit(paths: readonly string[], options: EditOptions, terminal: Terminal): Promise<ExitCode> {
  checkUsage(options);
  const instruction = await readInstruction(options, terminal);
  const answer = options.answer === undefined ? undefined : await readAnswerText(options.answer, terminal);
  // An empty folder is a workspace of its own, also one inside of another.
  const folder = options.root ?? (paths.length === 0 ? "." : undefined);
  const workspace = await openEditWorkspace({ root: folder, file: paths[0] }, terminal);
  const { root } = workspace;
  if (paths.length === 0) await checkIsEmpty(root);
  const named = await readNamedFiles(root, paths, { terminal, mayBeNew: true });
  const read = await readNamedFiles(root, options.read ?? [], { terminal, mayBeNew: false });
  const settings = await loadEditSettings(
    {
      ...{ fileSystem: disk, userFolder: userConfigFolder(), environment: terminal.environment },
      flags: flagsOf(options),
      ...(options.trust && { isTrusted: true }),
    },
    { root, editor: undefined },
  );
  const changeable = new Set(named.files.map(({ path }) => path));
  const request: EditRequest = {
    instruction,
    files: named.files,
    newPaths: named.newPaths,
    context: read.files.filter(({ path }) => !changeable.has(path)).map(({ path, text }) => ({ path, text })),
    format: settings.format,
    maxRetries: settings.maxRetries,
  };
  const notes = [...workspace.notes, ...settings.issues, ...named.notes, ...read.notes];
  // A person should know them before a model is asked; a program gets them with all else.
  if (!options.json) for (const note of notes) terminal.err(`${printable(note)}\n`);
  const regions = options.at === undefined ? undefined : regionsOf(options.at, request);
  if (options.prompt || options.copy) {
    const messages =
      regions === undefined
        ? editPrompt(request, formatNamed(promptFormat(request)))
        : rewritePrompt(toRewrite(request, regions, options));
    const prompt = printPrompt(messages);
    if (!options.copy) terminal.out(prompt);
    else terminal.err(`${await copyText(prompt, terminal)}: ${countOf(prompt)} characters to paste into a chat.\n`);
    return exitCodes.done;
  }
  const asked: AskedEdit = { request, root, settings, notes: options.json ? notes : [], options };
  if (regions !== undefined) return editRegions(regions, answer, asked, terminal);
  return answer === undefined ? editByModel(asked, terminal) : takeAnswer(answer, asked, terminal);
}

/** What a person's chat said: judged as if a model of ours had said it. */
async function takeAnswer(text: string, asked: AskedEdit, terminal: Terminal): Promise<ExitCode> {
  const { request, root, options } = asked;
  const notes = [...asked.notes];
  const syntax = openSyntax();
  let outcome: EditOutcome;
  try {
    const outside = await editOutside(asked, terminal);
    notes.push(...outside.notes);
    const engine = new EditEngine({ syntax, ...outside.parts });
    const question = { named: request.format, told: promptFormat(request), files: request.files };
    const format = clearFormat(formatOfReply(text, question));
    outcome = await engine.judgeAnswer(request, { text, format }, { signal: terminal.signal });
    if (request.format === "auto" && outcome.kind === "refused") notes.push(...wholeFileHint(text, request.files));
  } finally {
    syntax[Symbol.dispose]();
  }
  const askAgain = (outcome: EditOutcome) => retryPromptFor(outcome, { answer: text, request });
  return reviewEdit(outcome, { root, instruction: request.instruction, notes, askAgain, options }, terminal);
}

function checkUsage(options: EditOptions): void {
  checkModelNames(options.model);
  editFormatOf(options.format);
  const { message, answer, prompt, copy, at, format } = options;
  if ((prompt || copy) && answer !== undefined)
    throw usage(`--${copy ? "copy" : "prompt"} asks a chat and --answer takes what it said. Give one of them.`);
  if (message === "-" && answer === "-")
    throw usage("Standard input is either the instruction or the answer. Give one of them as text or file.");
  if (at === undefined && (options.guide !== "auto" || options.explain))
    throw usage("--guide and --explain are about the regions of --at. Name them, or leave these out.");
  if (at !== undefined && format !== undefined)
    throw usage("--at asks for the new text of regions alone, in no format. Give --at or --format.");
  if (at !== undefined && at.length > 1 && (prompt || copy || answer !== undefined))
    throw usage("By hand regions are rewritten one by one. Give --at once.");
  if (at !== undefined && message === undefined)
    throw usage('Say what is to be done in the regions, with -m "…"; -m - reads it from standard input.');
  if (message === undefined && answer === undefined)
    throw usage('Say what is to be done, with -m "…"; -m - reads it from standard input.');
}

async function readInstruction({ message }: EditOptions, terminal: Terminal): Promise<string> {
  if (message === undefined) return "an answer of a chat";
  const text = message === "-" ? new TextDecoder().decode(await terminal.readInput()) : message;
  if (text.trim() === "") throw usage('The instruction is empty. Say what is to be done, with -m "…".');
  return text;
}

function flagsOf({ model, format, maxRetries, check, formatter }: EditOptions): readonly FlagSetting[] {
  return [
    ...modelFlags(model, ["edit", "model"]),
    ...formatFlags(format),
    ...(maxRetries === undefined ? [] : [{ flag: "--max-retries", path: ["edit", "maxRetries"], value: maxRetries }]),
    ...(check === undefined ? [] : [{ flag: "--check", path: ["edit", "check"], value: check === false ? "" : check }]),
    ...(formatter ? [] : [{ flag: "--no-formatter", path: ["edit", "formatter"], value: "off" }]),
  ];
}

function countOf(text: string): string {
  return text.length.toLocaleString("en");
}

function usage(message: string): CommandFailure {
  return new CommandFailure("usage", message, { exitCode: exitCodes.usage });
}
