import { resolve } from "node:path";
import { type CompiledGrammar, grammarOfLanguage, languageGrammars } from "../../grammar/index.ts";
import { grammarFor, loadGrammar } from "../../grammar/node/index.ts";
import { byteOrderMark, Lines, type TextRange } from "../../text/index.ts";
import { disk } from "../../workspace/node/index.ts";
import { findExistingFile, type OpenedFile, readFound } from "../open-file.ts";
import { offsetOfPlace } from "../parse-place.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { badPlace, CommandFailure } from "../terminal/failure.ts";
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
  const found = await findExistingFile(query);
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

/**
 * The number of UTF-16 code units in the first `bytes` bytes of a text in UTF-8; all of them where
 * the text has fewer bytes.
 */
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

/**
 * A hole as typed: `LINE:COL`, or `LINE:COL-LINE:COL` for text that is replaced. Counted from 1.
 */
export interface HolePlaces {
  readonly start: TextPlace;
  readonly end: TextPlace;
}

/**
 * Parses the value of `--at`: `LINE:COL` or `LINE:COL-LINE:COL`, counted from 1; without an end the
 * hole is empty. /Throws a {@link CommandFailure} where it is malformed.
 */
export function parseHole(text: string): HolePlaces {
  const match = /^(\d+):(\d+)(?:-(\d+):(\d+))?$/.exec(text.trim());
  if (match === null)
    throw badPlace(`"${text}" is not LINE:COL or LINE:COL-LINE:COL. Write for example 12:5 or 12:5-14:1.`);
  const [line, column, endLine = line, endColumn = column] = match.slice(1).map((part) => part && Number(part)) as [
    number,
    number,
    number?,
    number?,
  ];
  if ([line, column, endLine, endColumn].includes(0)) {
    throw badPlace(`"${text}" counts from 0: lines and columns count from 1.`);
  }
  return { start: { line, column }, end: { line: endLine!, column: endColumn! } };
}

/** Parses several holes, separated by commas. Throws as {@link parseHole} does. */
export function parseHoles(text: string): readonly HolePlaces[] {
  return text.split(",").map(parseHole);
}

/**
 * The ranges of holes in a text, in UTF-16 code units, in the order of the text. Throws a {@link
 * CommandFailure} for one that is outside, ends before it starts, or touches another.
 */
export function rangesOfHoles(lines: Lines, file: string, holes: readonly HolePlaces[]): readonly TextRange[] {
  const ranges = holes.map(({ start, end }) => ({
    start: offsetOfPlace(lines, { file, ...start }),
    end: offsetOfPlace(lines, { file, ...end }),
  }));
  for (const [index, range] of ranges.entries()) {
    if (range.end < range.start) throw badPlace(`The hole ${printHole(holes[index]!)} ends before it starts.`);
  }
  const sorted = [...ranges].sort((a, b) => a.start - b.start || a.end - b.end);
  for (const [index, range] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next !== undefined && next.start <= range.end) {
      throw badPlace("Two of the holes overlap or touch. Give holes with some text between.");
    }
  }
  return sorted;
}

function printHole({ start, end }: HolePlaces): string {
  return `${start.line}:${start.column}-${end.line}:${end.column}`;
}
