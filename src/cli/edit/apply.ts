import {
  EditEngine,
  type EditOutcome,
  formatOfAnswer,
  isRefusedWhole,
  pathsOfAnswer,
  retryPromptFor,
} from "../../edit/index.ts";
import { readEditFiles } from "../../edit/node/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { clearFormat, editFormatOf, readAnswerText } from "./chat-answer.ts";
import { openEditWorkspace, refusedFiles } from "./edit-workspace.ts";
import { type ReviewOptions, reviewEdit } from "./review-edit.ts";

/** The options of `emend apply`. */
export interface ApplyOptions extends ReviewOptions {
  /**
   * The folder that the answer's paths are relative to; the workspace of the working folder by
   * default.
   */
  readonly root: string | undefined;
  readonly format: string | undefined;
}

/**
 * Runs `emend apply ANSWER`: applies the edits of an answer, in any edit format, to the files that
 * it names. Throws a {@link CommandFailure} where the answer is missing or empty, its format is
 * unclear, it names no file, or one cannot be read. Rejects with the signal's reason on abort.
 */
export async function apply(file: string, options: ApplyOptions, terminal: Terminal): Promise<ExitCode> {
  const named = editFormatOf(options.format);
  const text = await readAnswerText(file, terminal);
  const format = named === "auto" ? clearFormat(formatOfAnswer(text)) : named;
  const { root, notes } = await openEditWorkspace({ root: options.root }, terminal);
  const paths = pathsOfAnswer(text, format);
  if (paths.length === 0 && !isRefusedWhole(text, format)) {
    const message = `The answer names no file, read as ${format}. Name the file: \`emend edit FILE --answer ${file}\`.`;
    throw new CommandFailure("no-files", message, { exitCode: exitCodes.usage });
  }
  const read = await readEditFiles(root, paths, { signal: terminal.signal });
  // The answer may create a missing file. Where it edits one instead, resolving its operations
  // refuses that.
  const refusals = read.refusals.filter(({ kind }) => kind !== "missing");
  if (refusals.length > 0) throw refusedFiles(refusals);
  const request = { files: read.files, format };
  const syntax = openSyntax();
  let outcome: EditOutcome;
  try {
    outcome = await new EditEngine({ syntax }).judgeAnswer(request, { text, format }, { signal: terminal.signal });
  } finally {
    syntax[Symbol.dispose]();
  }
  const review = {
    ...{ root, instruction: `the answer ${file === "-" ? "from standard input" : file}`, options },
    notes: [...notes, ...read.notes],
    retryPromptOf: (outcome: EditOutcome) => retryPromptFor(outcome, { answer: text, request }),
  };
  return reviewEdit(outcome, review, terminal);
}
