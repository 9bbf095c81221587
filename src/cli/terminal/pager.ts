import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { withoutKeys } from "../../model/index.ts";
import { printable, type Terminal } from "./terminal.ts";

/** What a pager needs of a terminal. */
export type PagerTerminal = Pick<Terminal, "out" | "err" | "isShown" | "columns" | "rows" | "environment" | "signal">;

/**
 * Prints a text to standard output. Where that is a terminal and the text is longer than it, the
 * text is shown by the program that `PAGER` names, by default `less -FRX`, until the person ends
 * it. An empty `PAGER` means none. Where the program cannot be used, or fails, the text is printed
 * as it is; the reason goes to standard error if `PAGER` named the program.
 *
 * Rejects with the signal's reason on abort, after the pager has been ended.
 */
export async function printInPager(text: string, terminal: PagerTerminal): Promise<void> {
  const { isShown, rows, environment } = terminal;
  if (!isShown || environment["TERM"] === "dumb" || rowsOf(text, terminal) < rows) return terminal.out(text);
  const named = environment["PAGER"];
  if (named?.trim() === "") return terminal.out(text);
  const words = named === undefined ? ["less", "-FRX"] : splitCommand(named);
  const failure =
    words === undefined ? "it needs a shell: name a program and its arguments" : await tryRun(words, text, terminal);
  if (failure === undefined) return;
  if (named !== undefined) terminal.err(`PAGER is not used, because ${printable(failure)}.\n`);
  terminal.out(text);
}

/** The number of rows that a text takes on the terminal, with the rows that are wrapped. */
function rowsOf(text: string, { columns }: PagerTerminal): number {
  const lines = stripVTControlCharacters(text).split("\n");
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), -1);
}

/**
 * Splits a command line into its words as a shell does: at blanks, except in quotes and after a
 * backslash, which on Windows separates the names of a path instead. Returns `undefined` where a
 * shell would do more, such as expand a variable or run a second command, where a quote is not
 * closed, and where there is no word.
 */
export function splitCommand(command: string, platform: NodeJS.Platform = process.platform): string[] | undefined {
  const hasEscapes = platform !== "win32";
  const words: string[] = [];
  let word: string | undefined;
  for (let i = 0; i < command.length; i++) {
    let character = command[i]!;
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    if (character === "'" || character === '"') {
      const end = command.indexOf(character, i + 1);
      const quoted = command.slice(i + 1, end);
      const isPlain = character === "'" || !(hasEscapes ? /[\\$`]/ : /[$`]/).test(quoted);
      if (end < 0 || !isPlain) return undefined;
      character = quoted;
      i = end;
    } else if (character === "\\" && hasEscapes) {
      if (i + 1 === command.length) return undefined;
      character = command[++i]!;
    } else if (/[|&;<>()$`*?[\]{}~#]/.test(character)) return undefined;
    word = (word ?? "") + character;
  }
  if (word !== undefined) words.push(word);
  // A shell sets such a variable for the program after it.
  return words[0] === undefined || /^\w+=/.test(words[0]) ? undefined : words;
}

/**
 * Runs a pager until it ends. Returns why it did not show the text, as a clause, or `undefined`.
 */
function tryRun([program, ...args]: readonly string[], text: string, { environment, signal }: PagerTerminal) {
  // The colours of the text, and an end where it fits the screen, as git does it.
  const env = { LESS: "FRX", ...withoutKeys(environment) };
  return new Promise<string | undefined>((resolve, reject) => {
    const child = spawn(program!, args, { env, stdio: ["pipe", "inherit", "inherit"], signal });
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (signal.aborted) return;
      resolve(error.code === "ENOENT" ? `${program} is not installed` : `${program} failed: ${error.message}`);
    });
    child.on("close", (code) => {
      if (signal.aborted) return reject(signal.reason);
      // One that a person ends by a signal has shown what was wanted.
      resolve(code === 0 || code === null ? undefined : `${program} exited with ${code}`);
    });
    // A pager that is left early reads no further.
    child.stdin.on("error", () => undefined);
    child.stdin.end(text);
  });
}
