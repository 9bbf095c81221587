import { resolve } from "node:path";
import { type CompiledGrammar, grammarOfLanguage, languageGrammars } from "../../grammar/index.ts";
import { grammarFor, loadGrammar } from "../../grammar/node/index.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { readGrammarFile } from "./read-grammar-file.ts";

/**
 * The grammar that a person names, by path or the name of a built-in one, or else that of the
 * file's language. Problems of a grammar file are printed. Throws a {@link CommandFailure} where
 * there is no grammar.
 */
export async function chooseGrammar(
  { named, file, language }: { readonly named: string | undefined; readonly file: string; readonly language: string },
  terminal: Terminal,
): Promise<CompiledGrammar> {
  if (named === undefined) {
    const grammar = await grammarFor(language);
    if (grammar !== undefined) return grammar;
    const message = `There is no built-in grammar for ${file} (${language}). Name one with --grammar: a file, or one of ${names()}.`;
    throw new CommandFailure("no-grammar", message, { exitCode: exitCodes.usage });
  }
  if (languageGrammars.some(({ name }) => name === named)) return loadGrammar(named);
  const ofLanguage = grammarOfLanguage(named);
  if (ofLanguage !== undefined) return loadGrammar(ofLanguage.name);
  return (await readGrammarFile(resolve(terminal.workingFolder, named), named, terminal)).compiled;
}

function names(): string {
  return languageGrammars.map(({ name }) => name).join(", ");
}
