import { EditEngine, type EditOutcome, formatOfAnswer, pathsOfAnswer, retryPromptFor } from "../edit/index.ts";
import { readEditFiles } from "../edit/node/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { clearFormat } from "./answer-format.ts";
import { editFormatOf } from "./edit-format-flag.ts";
import { openEditWorkspace, refusedFiles } from "./edit-workspace.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { readAnswerText } from "./read-answer-text.ts";
import { type ReviewOptions, reviewEdit } from "./review-edit.ts";
import type { Terminal } from "./terminal.ts";

/** What may be said on the command line of `emend apply`. */
export interface ApplyOptions extends ReviewOptions {
  /** The folder that the answer's paths are in; the workspace of the working folder unless told. */
  readonly root: string | undefined;
  readonly format: string | undefined;
}

/** Runs `emend apply ANSWER`: makes the edits that an answer asks for, in whichever format it is, in the files that it names. */
export async function apply(file: string, options: ApplyOptions, terminal: Terminal): Promise<ExitCode> {
  const named = editFormatOf(options.format);
  const text = await readAnswerText(file, terminal);
  const format = named === "auto" ? clearFormat(formatOfAnswer(text)) : named;
  const { root, notes } = await openEditWorkspace({ root: options.root }, terminal);
  const paths = pathsOfAnswer(text, format);
  if (paths.length === 0) {
    const message = `The answer names no file, read as ${format}. Name the file: \`emend edit FILE --answer ${file}\`.`;
    throw new CommandFailure("no-files", message, { exitCode: exitCodes.usage });
  }
  const read = await readEditFiles(root, paths, { signal: terminal.signal });
  // A file that is not there may be made by the answer; what it says of one that should be is for placing it to refuse.
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
    askAgain: (outcome: EditOutcome) => retryPromptFor(outcome, { answer: text, request }),
  };
  return reviewEdit(outcome, review, terminal);
}
