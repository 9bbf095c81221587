import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  type CompiledGrammar,
  type GrammarIssue,
  type GrammarSource,
  hasErrors,
  type LanguageGrammar,
  languageGrammars,
  packGrammar,
  type WrittenGrammar,
  writeEbnf,
  writeGbnf,
  writeLark,
} from "../../grammar/index.ts";
import { loadGrammar, loadGrammarSource } from "../../grammar/node/index.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { printGrammarProblem, readGrammarFile } from "./read-grammar-file.ts";

/**
 * The output of `emend grammar compile --json` for a grammar without errors. Fields may be added;
 * none changes its meaning.
 */
export interface GrammarReport extends GrammarSize {
  readonly kind: "compiled";
  readonly name: string;
  /** Its warnings. Lines and columns count from 0, columns in UTF-16 code units. */
  readonly issues: readonly GrammarIssue[];
  /** The path of the written tables, as typed; absent where they were not written. */
  readonly output?: string;
}

/** The size of a grammar. */
interface GrammarSize {
  /** The numbers of states of the parser, and of the lexer. */
  readonly states: number;
  readonly lexerStates: number;
  readonly productions: number;
  readonly terminals: number;
  /** The size of the packed tables. */
  readonly bytes: number;
}

/**
 * Runs `emend grammar compile FILE`. With `output`, the packed tables are written there.
 *
 * Throws a {@link CommandFailure} where the file cannot be read, where the grammar has errors,
 * which are printed first, and with code `not-written` where `output` cannot be written.
 */
export async function compileGrammarFile(
  file: string,
  { output, json }: { readonly output: string | undefined; readonly json: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  const issueTerminal = json ? { ...terminal, err: () => undefined } : terminal;
  const { compiled, issues } = await readGrammarFile(resolve(terminal.workingFolder, file), file, issueTerminal);
  const packed = packGrammar(compiled);
  if (output !== undefined) write(resolve(terminal.workingFolder, output), output, packed);
  const size = sizeOf(compiled, packed);
  const report: GrammarReport = { kind: "compiled", name: compiled.name, ...size, issues, ...(output && { output }) };
  if (json) terminal.out(`${JSON.stringify(report)}\n`);
  else {
    const where = output === undefined ? "" : `, written to ${output}`;
    terminal.out(`${compiled.name}: ${printSize(size)}${where}\n`);
  }
  return exitCodes.done;
}

/** The notations that a grammar is exported in. */
const writers = {
  gbnf: writeGbnf,
  lark: writeLark,
  ebnf: writeEbnf,
} satisfies Readonly<Record<string, (source: GrammarSource) => WrittenGrammar>>;

/**
 * Runs `emend grammar export GRAMMAR --to NOTATION`: prints the grammar on standard output, and
 * what the notation cannot express on standard error. The exit code is `failed` where such an issue
 * is an error; the grammar is printed all the same.
 *
 * Throws a {@link CommandFailure} where the grammar cannot be read or has errors, and with code
 * `grammar-packed` where it is packed.
 */
export async function exportGrammar(
  name: string,
  { to }: { readonly to: keyof typeof writers },
  terminal: Terminal,
): Promise<ExitCode> {
  const { text, issues } = writers[to](await sourceOf(name, terminal));
  for (const issue of issues) {
    terminal.err(
      `${printGrammarProblem({ code: issue.code, severity: issue.severity, message: issue.message }, { file: name, text: "", colour: terminal.colour })}\n`,
    );
  }
  terminal.out(text);
  return hasErrors(issues) ? exitCodes.failed : exitCodes.done;
}

async function sourceOf(name: string, terminal: Terminal): Promise<GrammarSource> {
  if (languageGrammars.some((grammar) => grammar.name === name)) return loadGrammarSource(name);
  const { source } = await readGrammarFile(resolve(terminal.workingFolder, name), name, terminal);
  if (source !== undefined) return source;
  const message = `${name} is packed: its rules are not in it. Give the text that it was made from.`;
  throw new CommandFailure("grammar-packed", message, { exitCode: exitCodes.usage });
}

/** A built-in grammar, as `emend grammar list --json` prints it. */
export interface ListedGrammar extends LanguageGrammar, GrammarSize {}

/** Runs `emend grammar list`: prints the built-in grammars, with the sizes of their tables. */
export async function listGrammars({ json }: { readonly json: boolean }, terminal: Terminal): Promise<ExitCode> {
  const listed: ListedGrammar[] = [];
  for (const grammar of languageGrammars) {
    const compiled = await loadGrammar(grammar.name);
    listed.push({ ...grammar, ...sizeOf(compiled, packGrammar(compiled)) });
  }
  if (json) terminal.out(`${JSON.stringify({ kind: "grammars", grammars: listed })}\n`);
  else terminal.out(`${printTable([tableHead, ...listed.map(toRow)])}\n`);
  return exitCodes.done;
}

const tableHead = ["grammar", "languages", "tables", "accepted", "source"];

function toRow({ name, languages, isImported, accepted, ...size }: ListedGrammar): readonly string[] {
  const share = accepted && `takes ${count(accepted.files)} of ${count(accepted.of)} files`;
  return [name, languages.join(", "), printSize(size), share ?? "", isImported ? "after tree-sitter" : ""];
}

function printTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function sizeOf({ tables, lex }: CompiledGrammar, packed: Uint8Array): GrammarSize {
  return {
    states: tables.stateCount,
    lexerStates: lex.stateCount,
    productions: tables.productionLeft.length,
    terminals: tables.terminals.length,
    bytes: packed.length,
  };
}

function printSize({ states, lexerStates, bytes }: GrammarSize): string {
  return `${count(states)} states, ${count(lexerStates)} of the lexer, ${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
}

function count(value: number): string {
  return value.toLocaleString("en");
}

function write(path: string, named: string, bytes: Uint8Array): void {
  try {
    writeFileSync(path, bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const message = `The tables cannot be written to ${named} (${code ?? "unknown"}). Give a file in a folder that can be written to.`;
    throw new CommandFailure("not-written", message, { exitCode: exitCodes.failed, cause: error });
  }
}
