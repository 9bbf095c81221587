import { resolve } from "node:path";
import { disk } from "../../codebase/node/index.ts";
import { type CompiledGrammar, grammarOfLanguage, languageGrammars } from "../../grammar/index.ts";
import { grammarFor, loadGrammar } from "../../grammar/node/index.ts";
import { byteOrderMark, Lines } from "../../text/index.ts";
import { findFile, type OpenedFile, readFound } from "../open-file.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { readGrammarFile } from "./read-grammar-file.ts";

/** A file that is read with a grammar. */
export interface ReadText extends OpenedFile {
  /** As typed. */
  readonly file: string;
  readonly grammar: CompiledGrammar;
  readonly lines: Lines;
  /** Where its text begins: after a byte order mark, if it has one. */
  readonly start: number;
}

/**
 * Opens a file with the given grammar, or that of its language. A file that `.emendignore` excludes
 * from models is opened only if `isForModel` is false.
 *
 * Throws a {@link CommandFailure} where the file is missing, may not be read or has more than
 * 5,000,000 UTF-16 code units, or where there is no usable grammar. Rejects with the signal's
 * reason on abort.
 */
export async function openText(
  file: string,
  { grammar: named, isForModel }: { readonly grammar: string | undefined; readonly isForModel: boolean },
  terminal: Terminal,
): Promise<ReadText> {
  const { signal, workingFolder } = terminal;
  const query = { file, workspace: undefined, unsaved: undefined, workingFolder, fileSystem: disk };
  const found = await findFile(query);
  const how = { limit, mayBeKept: !isForModel };
  const opened = await readFound(found, { unsaved: undefined, ...how, fileSystem: disk, signal });
  const grammar = await chooseGrammar({ named, file, language: opened.language }, terminal);
  const start = opened.text.startsWith(byteOrderMark) ? byteOrderMark.length : 0;
  return { ...opened, file, grammar, lines: Lines.of(opened.text), start };
}

const limit = { characters: 5_000_000 };

/** A place in a text, from 1; columns in UTF-16 code units, without a byte order mark. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/**
 * The place of an offset in UTF-16 code units. Throws `EmendError` `out-of-bounds` where the offset
 * is outside of the text.
 */
export function placeAt(lines: Lines, offset: number): TextPlace {
  const line = lines.lineAt(offset);
  const mark = line === 0 && lines.hasByteOrderMark ? 1 : 0;
  return { line: line + 1, column: offset - lines.start(line) - mark + 1 };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The number of UTF-16 code units in the first `bytes` bytes of a text in UTF-8. */
export function unitsOf(text: string, bytes: number): number {
  return decoder.decode(encoder.encode(text).subarray(0, bytes)).length;
}

/**
 * The grammar that a person names, by path or the name of a built-in one, or else that of the
 * file's language. Problems of a grammar file are printed. Throws a {@link CommandFailure} where
 * there is no grammar.
 */
async function chooseGrammar(
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
