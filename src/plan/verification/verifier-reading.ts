import type { Finding } from "./finding.ts";

/** What a reader found in the output of a verification command. */
export interface VerifierReading {
  readonly findings: readonly Finding[];
  /**
   * The lines that the reader does not understand, without colours; blank lines and a tool's
   * headings are not included.
   */
  readonly unread: readonly string[];
  /** Whether the output is incomplete, so that there may be more findings. */
  readonly isCut: boolean;
}

/** Reads the output of a verification command. Never throws, whatever the output is. */
export type ReadVerifier = (output: string) => VerifierReading;

/** Collects the result of a reader. */
export class Reading {
  readonly #findings: Finding[] = [];
  readonly #unread: string[] = [];
  isCut = false;

  add(found: Finding): void {
    this.#findings.push(found);
  }

  /** Replaces the last finding. Returns whether there was one. */
  extendLast(change: (last: Finding) => Finding): boolean {
    const last = this.#findings.pop();
    if (last === undefined) return false;
    this.#findings.push(change(last));
    return true;
  }

  /** Adds a line that the reader does not understand, unless it is blank. */
  leave(line: string): void {
    if (line.trim() !== "") this.#unread.push(line);
  }

  get hasFindings(): boolean {
    return this.#findings.length > 0;
  }

  end(): VerifierReading {
    return { findings: this.#findings, unread: this.#unread, isCut: this.isCut };
  }
}

/** A finding with one more line in its message. */
export function withLine(found: Finding, line: string): Finding {
  return { ...found, message: found.message === "" ? line : `${found.message}\n${line}` };
}

/**
 * Control sequences of terminals: colours, cursor movements, titles and links. Source: ECMA-48,
 * sections 5.3 to 5.6. As `stripVTControlCharacters` of Node, which browsers lack.
 */
const terminalControls = new RegExp(
  [
    "\\u001b\\[[0-?]*[ -/]*[@-~]",
    "\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)",
    "\\u001b[ -/]*[0-~]",
    "\\u0007",
  ].join("|"),
  "g",
);

/** Longer lines, in characters, are not written for people; patterns are not tried on the rest. */
const longestLine = 20_000;

/** `text` without the control sequences of a terminal. */
export function withoutControls(text: string): string {
  return text.includes("\u001b") || text.includes("\u0007") ? text.replace(terminalControls, "") : text;
}

/**
 * The lines of an output as a terminal shows them: without colours and without text that a carriage
 * return overwrites. Lines of more than 20,000 characters are cut and end with `…`.
 */
export function outputLines(output: string): readonly string[] {
  if (output === "") return [];
  return withoutControls(output)
    .split("\n")
    .map((line) => {
      const bare = line.endsWith("\r") ? line.slice(0, -1) : line;
      const shown = bare.slice(bare.lastIndexOf("\r") + 1);
      return shown.length > longestLine ? `${shown.slice(0, longestLine)} …` : shown;
    });
}
