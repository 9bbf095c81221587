import type { Finding } from "./finding.ts";

/** What was read in the output of an oracle. */
export interface OracleReading {
  readonly findings: readonly Finding[];
  /** The lines that mean nothing to the reader, without colours. Blank lines and a tool's own headings are not among them. */
  readonly unread: readonly string[];
  /** Whether the output ends in the middle, so that there may be more findings than these. */
  readonly isCut: boolean;
}

/** Reads the output of an oracle. It never throws, whatever the output looks like. */
export type ReadOracle = (output: string) => OracleReading;

/** Collects what a reader finds. */
export class Reading {
  readonly #findings: Finding[] = [];
  readonly #unread: string[] = [];
  isCut = false;

  add(found: Finding): void {
    this.#findings.push(found);
  }

  /** Has more to say about the last finding. Answers whether there is one. */
  extendLast(change: (last: Finding) => Finding): boolean {
    const last = this.#findings.pop();
    if (last === undefined) return false;
    this.#findings.push(change(last));
    return true;
  }

  /** Keeps a line that means nothing to the reader. */
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

/** A finding with one more line of its message. */
export function withLine(found: Finding, line: string): Finding {
  return { ...found, message: found.message === "" ? line : `${found.message}\n${line}` };
}
