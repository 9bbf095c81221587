import { type FlagSetting, userConfigFolder } from "../../config/index.ts";
import { hideSecrets } from "../../context/index.ts";
import {
  EditEngine,
  type EditOutcome,
  type EditRequest,
  editPrompt,
  printPrompt,
  promptFormat,
  readPastedAnswer,
  retryPromptFor,
  rewritePrompt,
} from "../../edit/index.ts";
import { formatNamed } from "../../formats/index.ts";
import { loadEditSettings } from "../../server/session/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { disk } from "../../workspace/node/index.ts";
import { checkModelNames, modelFlags } from "../named-models.ts";
import { copyText } from "../terminal/clipboard.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { badUsage, CommandFailure } from "../terminal/failure.ts";
import { printable, type Terminal } from "../terminal/terminal.ts";
import { clearAnswer, editFormatOf, formatFlags, readAnswerText, wholeFileHint } from "./chat-answer.ts";
import { editByModel } from "./edit-by-model.ts";
import { editRegions, regionsOf, toRewrite } from "./edit-regions.ts";
import { type EditOptions, type EditTask, editOutside } from "./edit-task.ts";
import { checkIsEmpty, openEditWorkspace, readNamedFiles } from "./edit-workspace.ts";
import { reviewEdit } from "./review-edit.ts";

/**
 * Runs `emend edit [FILE…] -m INSTRUCTION`. Missing files may be created; in an empty workspace no
 * file need be named.
 *
 * Throws a {@link CommandFailure} where options contradict each other, a file may not be read or a
 * region is invalid, no file is named in a workspace that has files, another process writes to the
 * workspace, or no model can be opened. Rejects with the signal's reason on abort.
 */
export async function edit(paths: readonly string[], options: EditOptions, terminal: Terminal): Promise<ExitCode> {
  checkUsage(options);
  const instruction = await readInstruction(options, terminal);
  const answer = options.answer === undefined ? undefined : await readAnswerText(options.answer, terminal);
  // An empty folder is a workspace of its own, also inside of another.
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
    context: read.files
      .filter(({ path }) => !changeable.has(path))
      .map(({ path, text, language }) => ({ path, text: hideSecrets(text, language).text })),
    format: settings.format,
    maxRetries: settings.maxRetries,
  };
  const notes = [...workspace.notes, ...settings.issues, ...named.notes, ...read.notes];
  // Print the notes before a model is requested; with `--json` they are part of the report.
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
  const task: EditTask = { request, root, settings, notes: options.json ? notes : [], options };
  if (regions !== undefined) return editRegions(regions, answer, task, terminal);
  return answer === undefined ? editByModel(task, terminal) : takeAnswer(answer, task, terminal);
}

/** Applies a pasted answer as if a model had returned it. */
async function takeAnswer(text: string, task: EditTask, terminal: Terminal): Promise<ExitCode> {
  const { request, root, options } = task;
  const notes = [...task.notes];
  using syntax = openSyntax();
  const outside = await editOutside(task, terminal);
  notes.push(...outside.notes);
  const engine = new EditEngine({ syntax, ...outside.parts });
  const answer = clearAnswer(await readPastedAnswer(text, request, syntax));
  const outcome = await engine.judgeAnswer(request, answer, { signal: terminal.signal });
  if (request.format === "auto" && outcome.kind === "refused") notes.push(...wholeFileHint(text, request.files));
  const retryPromptOf = (outcome: EditOutcome) => retryPromptFor(outcome, { answer: text, request });
  return await reviewEdit(outcome, { root, instruction: request.instruction, notes, retryPromptOf, options }, terminal);
}

function checkUsage(options: EditOptions): void {
  checkModelNames(options.model);
  editFormatOf(options.format);
  const { message, answer, prompt, copy, at, format } = options;
  if ((prompt || copy) && answer !== undefined)
    throw badUsage(
      `--${copy ? "copy" : "prompt"} gives a prompt for a chat, and --answer applies its answer. Give one of them.`,
    );
  if (message === "-" && answer === "-")
    throw badUsage("Standard input is either the instruction or the answer. Give one of them as text or file.");
  if (at === undefined && (options.guide !== "auto" || options.explain))
    throw badUsage("--guide and --explain are only for --at. Add --at, or leave them out.");
  if (at !== undefined && format !== undefined)
    throw badUsage("--at replaces regions, without an edit format. Give --at or --format.");
  if (at !== undefined && at.length > 1 && (prompt || copy || answer !== undefined))
    throw badUsage("With --prompt, --copy and --answer only one region can be rewritten. Give --at once.");
  if (at !== undefined && message === undefined)
    throw badUsage('Give an instruction for the regions with -m "…"; -m - reads standard input.');
  if (message === undefined && answer === undefined)
    throw badUsage('Give an instruction with -m "…"; -m - reads standard input.');
}

async function readInstruction({ message }: EditOptions, terminal: Terminal): Promise<string> {
  if (message === undefined) return "an answer of a chat";
  const text = message === "-" ? new TextDecoder().decode(await terminal.readInput()) : message;
  if (text.trim() === "") throw badUsage('The instruction is empty. Give one with -m "…".');
  return text;
}

function flagsOf({ model, format, maxRetries, verify, formatter }: EditOptions): readonly FlagSetting[] {
  return [
    ...modelFlags(model, ["edit", "model"]),
    ...formatFlags(format),
    ...(maxRetries === undefined ? [] : [{ flag: "--max-retries", path: ["edit", "maxRetries"], value: maxRetries }]),
    ...(verify === undefined
      ? []
      : [{ flag: "--verify", path: ["edit", "verify"], value: verify === false ? "" : verify }]),
    ...(formatter ? [] : [{ flag: "--no-formatter", path: ["edit", "formatter"], value: "off" }]),
  ];
}

function countOf(text: string): string {
  return text.length.toLocaleString("en");
}
