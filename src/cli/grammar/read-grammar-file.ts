import { type CompiledGrammar, type GrammarIssue, type GrammarSource, hasErrors } from "../../grammar/index.ts";
import { type GrammarFile, loadGrammarFile } from "../../grammar/node/index.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { printGrammarProblem } from "./print-grammar-problem.ts";

/** A grammar from a file that has no errors. */
export interface UsableGrammar {
  readonly compiled: CompiledGrammar;
  /** Absent for a packed one. */
  readonly source?: GrammarSource;
  /** Its warnings. */
  readonly issues: readonly GrammarIssue[];
}

/**
 * Reads and compiles the grammar in a file, and prints its issues on standard error. `file` is
 * absolute, `named` is the path as typed. Throws a {@link CommandFailure} where the file cannot be
 * read or has errors.
 */
export async function readGrammarFile(
  file: string,
  named: string,
  terminal: Pick<Terminal, "err" | "colour">,
): Promise<UsableGrammar> {
  const { compiled, source, issues, texts } = tryLoad(file, named);
  for (const issue of issues) {
    const text = texts.get(issue.file ?? "") ?? "";
    terminal.err(`${printGrammarProblem(issue, { file: issue.file ?? named, text, colour: terminal.colour })}\n`);
  }
  if (compiled === undefined) {
    const count = issues.filter((issue) => hasErrors([issue])).length;
    const message = `${named} has ${count === 1 ? "an error" : `${count} errors`}, so that there is no grammar to use.`;
    throw new CommandFailure("grammar-broken", message, { exitCode: exitCodes.failed });
  }
  return { compiled, ...(source && { source }), issues };
}

function tryLoad(file: string, named: string): GrammarFile {
  try {
    return loadGrammarFile(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EISDIR") {
      const what =
        code === "ENOENT" ? `There is no file ${named}, and no built-in grammar of that name` : `${named} is a folder`;
      const hint = "Give a grammar's file, or a name that `emend grammar list` prints.";
      throw new CommandFailure("file-missing", `${what}. ${hint}`, { exitCode: exitCodes.notFound });
    }
    if (code === "grammar-not-utf-8")
      throw new CommandFailure(code, message.replace(file, named), { exitCode: exitCodes.notSource });
    if (code === "grammar-notation")
      throw new CommandFailure(code, message.replace(file, named), { exitCode: exitCodes.usage });
    throw error;
  }
}
