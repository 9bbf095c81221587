import { resolve } from "node:path";
import { type CompiledGrammar, grammarOfLanguage, languageGrammars } from "../grammar/index.ts";
import { grammarFor, loadGrammar } from "../grammar/node/index.ts";
import { exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { readGrammarFile } from "./read-grammar-file.ts";
import type { Terminal } from "./terminal.ts";

/**
 * The grammar that a person names, a file or one that ships, or else that of the file's language. What is wrong with a file's
 * grammar is printed. Throws a {@link CommandFailure} where there is none to use.
 */
export async function chooseGrammar(
  { named, file, language }: { readonly named: string | undefined; readonly file: string; readonly language: string },
  terminal: Terminal,
): Promise<CompiledGrammar> {
  if (named === undefined) {
    const grammar = await grammarFor(language);
    if (grammar !== undefined) return grammar;
    const message = `No grammar ships for ${file} (${language}). Name one with --grammar: a file, or one of ${names()}.`;
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
