import { styleText } from "node:util";

/** The answer to a question where the person ends the input by Ctrl-D. */
export const endOfInput = "\u0004";

/** What a command reads from and writes to. */
export interface Terminal {
  /** Prints to standard output. */
  out(text: string): void;
  /** Prints to standard error. */
  err(text: string): void;
  /** Reads all of standard input, as bytes. */
  readInput(): Promise<Uint8Array>;
  /**
   * Asks the person at the terminal, and returns the line that they type, or {@link endOfInput}
   * where they end the input; `undefined` where there is no terminal. Rejects with the reason of
   * {@link signal}.
   */
  ask(question: string): Promise<string | undefined>;
  /** Whether standard output is coloured. */
  readonly colour: boolean;
  /** Whether standard output is a terminal. */
  readonly isShown: boolean;
  /** Whether standard error is a terminal. */
  readonly isWatched: boolean;
  /** The width of standard error in characters. */
  readonly columns: number;
  /** The height of standard error in lines. */
  readonly rows: number;
  /** An absolute path, with `/` between names. */
  readonly workingFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes variables out of the environment that programs inherit; `environment` keeps them. */
  readonly hideVariables?: (names: readonly string[]) => void;
  /** Aborted by Ctrl-C, and by the other signals that ask a process to end. */
  readonly signal: AbortSignal;
  /** Milliseconds since some fixed time. */
  now(): number;
}

/**
 * Whether output is coloured: on a terminal unless `TERM` is `dumb`, or with a `FORCE_COLOR` other
 * than `0` and `false`; never with `NO_COLOR`. Empty variables do not count. Sources: no-color.org,
 * force-color.org; `FORCE_COLOR=0` disables colours in Node's tools.
 */
export function wantsColour(environment: Terminal["environment"], isTerminal: boolean): boolean {
  const { NO_COLOR: no, FORCE_COLOR: force } = environment;
  if (no !== undefined && no !== "") return false;
  if (force !== undefined && force !== "") return force !== "0" && force !== "false";
  return isTerminal && environment["TERM"] !== "dumb";
}

/** A style of text on a terminal. */
export type Style = "dim" | "bold" | "green" | "yellow" | "red" | "cyan";

/** `text` in a style; unchanged without colours. */
export function styled(text: string, style: Style, colour: boolean): string {
  // Whether there are colours is settled by `wantsColour`, not by the stream.
  return colour && text !== "" ? styleText(style, text, { validateStream: false }) : text;
}

/**
 * `text` with control characters replaced by their pictures, so that a terminal does not interpret
 * them; tabs and line feeds stay.
 */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are meant.
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "\u2421" : "\ufffd";
  });
}
