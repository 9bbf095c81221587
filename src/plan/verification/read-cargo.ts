import { isRecord } from "../../text/index.ts";
import { type Finding, type FindingPlace, finding, fromOne, severityOf } from "./finding.ts";
import { jsonLines, numberOf, recordsOf, textOf } from "./json-in-output.ts";
import { outputLines, Reading, type VerifierReading, withLine } from "./verifier-reading.ts";

/**
 * Reads the output of `cargo build`, `check`, `clippy` and `test`, as JSON
 * (`--message-format=json`) and as text, and of rustc. Findings count lines and columns from 0.
 *
 * A finding is at its primary span; other spans are related places. The code of a failed test is
 * its name. Messages that only report that a crate did not compile are left out, because the
 * reasons are findings.
 */
export function readCargo(output: string): VerifierReading {
  const reading = new Reading();
  const terminal = new Terminal(reading);
  for (const { value, line, isLast } of jsonLines(output)) {
    if (value === undefined || !("reason" in value || "$message_type" in value)) {
      if (line.startsWith("{") && isLast) reading.isCut = true;
      for (const text of outputLines(line)) terminal.read(text);
      continue;
    }
    const message = value["reason"] === "compiler-message" ? value["message"] : value;
    if (isRecord(message) && "spans" in message) {
      const found = tryMessage(message);
      if (found !== undefined) reading.add(found);
    }
  }
  terminal.end();
  return reading.end();
}

function tryMessage(message: Readonly<Record<string, unknown>>): Finding | undefined {
  const spans = recordsOf(message["spans"]);
  const primary = spans.find((span) => span["is_primary"] === true) ?? spans[0];
  const text = textOf(message["message"]) ?? "";
  if (primary === undefined && isSummary(text)) return undefined;
  const code = isRecord(message["code"]) ? textOf(message["code"]["code"]) : undefined;
  const notes = recordsOf(message["children"]).map((child) => `${child["level"]}: ${child["message"]}`);
  const label = textOf(primary?.["label"]);
  return finding({
    path: textOf(primary?.["file_name"]),
    line: fromOne(primary?.["line_start"]),
    column: fromOne(primary?.["column_start"]),
    endLine: fromOne(primary?.["line_end"]),
    endColumn: fromOne(primary?.["column_end"]),
    code,
    severity: severityOf(message["level"]),
    message: [label === undefined ? text : `${text}: ${label}`, ...notes].join("\n"),
    source: "cargo",
    related: spans.flatMap((span): FindingPlace[] => {
      const line = numberOf(span["line_start"]);
      if (span === primary || line === undefined) return [];
      return [{ path: textOf(span["file_name"]) ?? "", line: line - 1 }];
    }),
  });
}

const isSummary = (text: string): boolean =>
  /^(aborting due to|could not compile|\d+ warnings? emitted|`[^`]*` \([^()]*\) generated \d+ warning|build failed|For more information about|Some errors have detailed|\d+ tests? failed|test failed, to rerun)/.test(
    text,
  );

/** Reads lines of text output. */
class Terminal {
  readonly #reading: Reading;
  #part: "none" | "head" | "frame" = "none";
  #panic: { readonly test: string; readonly place: FindingPlace | undefined; readonly lines: string[] } | undefined;
  readonly #panics = new Map<string, { readonly place: FindingPlace | undefined; readonly lines: string[] }>();
  readonly #failed: string[] = [];

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  read(line: string): void {
    const head = /^(error|warning)(?:\[(\w+)\])?: (.*)$/.exec(line);
    const arrow = /^\s*(-->|:::) (\S.*?):(\d+):(\d+)$/.exec(line);
    const failed = tryFailedTest(line);
    const panic = tryPanic(line);
    if (failed !== undefined) this.#failed.push(failed);
    else if (panic !== undefined) this.#openPanic(panic);
    else if (head !== null) this.#head(head);
    else if (arrow !== null && this.#part !== "none") this.#arrow(arrow);
    else if (this.#panic !== undefined && line.trim() !== "") this.#panicLine(this.#panic, line);
    else if (/^\s*((?:\d+\s*)?\||\.\.\.$|\d+ [-+~] )/.test(line) && this.#part !== "none") this.#part = "frame";
    else if (/^\s+= (note|help|warning): /.test(line) && this.#part !== "none") {
      // A lint's name is in its note only.
      const lint = /`#\[(?:warn|deny|forbid)\(([\w:]+)\)\]`/.exec(line)?.[1];
      this.#reading.extendLast((last) => ({
        ...(last.code === undefined && lint !== undefined && { code: lint }),
        ...withLine(last, line.replace(/^\s+= /, "")),
      }));
    } else if (/^(note|help)(: |\[)/.test(line) && this.#part !== "none") {
      this.#reading.extendLast((last) => withLine(last, line));
    } else {
      if (line.trim() === "") this.#panic = undefined;
      if (!isChatter(line)) this.#reading.leave(line);
    }
  }

  end(): void {
    for (const test of new Set([...this.#failed, ...this.#panics.keys()])) {
      const panic = this.#panics.get(test);
      // A panic outside a test is reported with the name of its thread.
      this.#reading.add(
        finding({
          ...panic?.place,
          code: test,
          severity: "error",
          message: panic?.lines.join("\n") || "It failed.",
          source: "cargo",
        }),
      );
    }
  }

  #head([, severity, code, message = ""]: readonly (string | undefined)[]): void {
    this.#panic = undefined;
    this.#part = "none";
    if (isSummary(message)) return;
    this.#reading.add(finding({ code, severity: severityOf(severity), message, source: "cargo" }));
    this.#part = "head";
  }

  #arrow([, mark, path = "", row, column]: readonly (string | undefined)[]): void {
    const place = { path: path.replaceAll("\\", "/"), line: Number(row) - 1, column: Number(column) - 1 };
    this.#reading.extendLast((last) => {
      if (mark === "-->" && last.path === undefined) return { ...last, ...place };
      return { ...last, related: [...(last.related ?? []), place] };
    });
    this.#part = "frame";
  }

  /** Adds a line to the message of a panic, which ends where the stack begins. */
  #panicLine(panic: { readonly lines: string[]; isInStack?: boolean }, line: string): void {
    if (/^stack backtrace:|^note: /.test(line)) panic.isInStack = true;
    else if (panic.isInStack !== true) panic.lines.push(line);
  }

  #openPanic({ test, place, message }: Panic): void {
    this.#panic = { test, place, lines: message === undefined ? [] : [message] };
    if (!this.#panics.has(test)) this.#panics.set(test, this.#panic);
  }
}

/** The test's name in a line `test name - should panic ... FAILED`; `undefined` for other lines. */
function tryFailedTest(line: string): string | undefined {
  const end = " ... FAILED";
  if (!/^test \S/.test(line) || !line.endsWith(end)) return undefined;
  return line.slice("test ".length, -end.length).split(" - ", 1)[0];
}

interface Panic {
  readonly test: string;
  readonly place: FindingPlace;
  /** Before Rust 1.73 the message precedes the place; later it is on the following lines. */
  readonly message: string | undefined;
}

/**
 * Parses `thread 'name' panicked at path:line:column:`, and
 * `panicked at 'message', path:line:column` of older versions; `undefined` for other lines.
 */
function tryPanic(line: string): Panic | undefined {
  const opening = "thread '";
  const head = /'(?: \(\d+\))? panicked at /.exec(line);
  const tail = /:(\d+):(\d+):?$/.exec(line);
  if (!line.startsWith(opening) || head === null || tail === null) return undefined;
  const location = line.slice(head.index + head[0].length, tail.index);
  const quote = location.startsWith("'") ? location.lastIndexOf("', ") : -1;
  return {
    test: line.slice(opening.length, head.index),
    place: {
      path: (quote > 0 ? location.slice(quote + "', ".length) : location).replaceAll("\\", "/"),
      line: Number(tail[1]) - 1,
      column: Number(tail[2]) - 1,
    },
    message: quote > 0 ? location.slice(1, quote) : undefined,
  };
}

/** Whether a line is a progress message of cargo or about a test that did not fail. */
function isChatter(line: string): boolean {
  return (
    /^\s+(Compiling|Checking|Finished|Running|Doc-tests|Downloading|Downloaded|Updating|Locking|Blocking|Fresh|Dirty|Building|Documenting|Adding|Executable)\b/.test(
      line,
    ) ||
    /^test .* \.\.\. ignored/.test(line) ||
    /^(running \d+ tests?|test .* \.\.\. ok|test result: .*|failures:|---- .* stdout ----|note: run with .*|For more information about .*|Some errors have detailed .*|Caused by:.*)$/.test(
      line,
    ) ||
    /^ {4}\S+$/.test(line)
  );
}
