import type { Finding } from "./finding.ts";

/** What a reader found in the output of a verification command. */
export interface OracleReading {
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
export type ReadOracle = (output: string) => OracleReading;

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

  end(): OracleReading {
    return { findings: this.#findings, unread: this.#unread, isCut: this.isCut };
  }
}

/** A finding with one more line in its message. */
export function withLine(found: Finding, line: string): Finding {
  return { ...found, message: found.message === "" ? line : `${found.message}\n${line}` };
}
