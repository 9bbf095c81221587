import {
  type Filling,
  FillSession,
  type Hole,
  type HoleOpening,
  openHole,
  type TextAround,
  tryFindDeadPlace,
} from "../../grammar/index.ts";
import { threadSlices } from "../../grammar/node/index.ts";
import { Lines } from "../../text/index.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { badUsage, CommandFailure } from "../terminal/failure.ts";
import { jsonLine } from "../terminal/masked-terminal.ts";
import { printable, styled, type Terminal } from "../terminal/terminal.ts";
import { printExpected } from "./print-filling.ts";
import { printPlaceMark } from "./read-grammar-file.ts";
import {
  openText,
  parseHole,
  placeAt,
  type ReadText,
  rangesOfHoles,
  type TextPlace,
  unitsOf,
} from "./text-with-hole.ts";

/** The options of `emend check`. */
export interface CheckOptions {
  /** The hole as typed; without it the whole file is checked. */
  readonly at: string | undefined;
  /**
   * The path of a grammar, or the name of a built-in one; that of the file's language by default.
   */
  readonly grammar: string | undefined;
  readonly json: boolean;
}

/**
 * The result of a check. Of a whole file: `whole`, `unfinished`, `refused`. Of a middle:
 * `complete`, `completable`, `dead`, or an error around it: `dead-prefix`, `dead-suffix`,
 * `no-filling`.
 */
export type CheckKind =
  | "whole"
  | "unfinished"
  | "refused"
  | "complete"
  | "completable"
  | "dead"
  | "dead-prefix"
  | "dead-suffix"
  | "no-filling";

/** The output of `--json`. Fields may be added; none changes its meaning. */
export interface CheckReport {
  readonly kind: CheckKind;
  /** Relative to the workspace's root. */
  readonly file: string;
  readonly language: string;
  readonly grammar: string;
  /** The place of the first error, from 1, in the file or in the given middle. */
  readonly place?: TextPlace & { readonly in: "file" | "middle" };
  /** The terminals that are possible there. */
  readonly expected?: readonly string[];
  /** A shortest text that completes it; only where it can be completed. */
  readonly ending?: string;
  /** Set where no ending was found within the time limit. */
  readonly noEnding?: "too-slow";
}

/** The result of a check before it is reported. */
interface CheckResult extends Pick<CheckReport, "kind" | "expected" | "ending" | "noEnding"> {
  /** The text with the place, and its offset in UTF-16 code units. */
  readonly where?: { readonly in: "file" | "middle"; readonly lines: Lines; readonly offset: number };
}

const exitCodeOf: Readonly<Record<CheckKind, ExitCode>> = {
  whole: exitCodes.done,
  complete: exitCodes.done,
  unfinished: exitCodes.unfinished,
  completable: exitCodes.unfinished,
  refused: exitCodes.refused,
  dead: exitCodes.refused,
  "dead-prefix": exitCodes.refused,
  "dead-suffix": exitCodes.refused,
  "no-filling": exitCodes.refused,
};

/**
 * Runs `emend check FILE`: prints whether a file, or a middle between two places of it, is
 * complete, can be completed, or is refused. A refusal is a result with an exit code, not a
 * failure.
 *
 * Throws a {@link CommandFailure} where an option or a place is invalid, the middle is not UTF-8,
 * the file may not be read, it has no grammar, or parsing it takes more than {@link maxReadMs}
 * milliseconds. Rejects with the signal's reason on abort.
 */
export async function check(
  file: string,
  middle: string | undefined,
  options: CheckOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const hole = options.at === undefined ? undefined : parseHole(options.at);
  if (middle !== undefined && middle !== "-") throw badUsage(`Give - for a middle from standard input, not ${middle}.`);
  if (middle !== undefined && hole === undefined) throw badUsage("Give the place of the middle with --at.");
  const given = middle === undefined ? undefined : decodeMiddle(await terminal.readInput());
  const text = await openText(file, { grammar: options.grammar, isForModel: false }, terminal);
  const result =
    hole === undefined
      ? await checkWhole(text, terminal.signal)
      : await checkMiddle(text, terminal.signal, { range: rangesOfHoles(text.lines, file, [hole])[0]!, given });
  const report = toReport(text, result);
  if (options.json) terminal.out(jsonLine(report, terminal));
  else print(report, result, file, terminal);
  return exitCodeOf[report.kind];
}

/** The most milliseconds for parsing the text, and for finding an ending. */
const maxReadMs = 1_500;
const maxEndingMs = 500;

/** Opens a hole in slices, so that signals are handled meanwhile. */
async function open(read: ReadText, text: TextAround, signal: AbortSignal): Promise<HoleOpening> {
  const opening = await new FillSession(read.grammar).openInSlices(text, { ...threadSlices, maxMs: maxReadMs, signal });
  if (opening.kind !== "too-slow") return opening;
  const message = `${read.file} is too long or nested too deeply to be parsed with its grammar in ${maxReadMs} ms.`;
  throw new CommandFailure("too-slow", message, { exitCode: exitCodes.notSource });
}

async function checkWhole(read: ReadText, signal: AbortSignal): Promise<CheckResult> {
  const { text, start, lines } = read;
  const content = text.slice(start);
  const opening = await open(read, { before: content, behind: "" }, signal);
  if (opening.kind !== "open") return { kind: "refused", ...placeOfRefusal(read, content) };
  const { hole } = opening;
  if (hole.canStop(hole.empty)) return { kind: "whole" };
  const where = { in: "file" as const, lines, offset: text.length };
  return { kind: "unfinished", where, ...endingOf(hole, hole.empty) };
}

function endingOf(hole: Hole, filling: Filling): Pick<CheckResult, "ending" | "noEnding"> {
  const until = threadSlices.now() + maxEndingMs;
  let isOver = false;
  const goesOn = () => {
    isOver = isOver || threadSlices.now() > until;
    return !isOver;
  };
  const ending = hole.shortestEnding(filling, { goesOn });
  if (ending !== undefined) return { ending: decoder.decode(ending) };
  return isOver ? { noEnding: "too-slow" } : {};
}

/**
 * Where the grammar refuses the beginning of the file: the file is read as the filling of an
 * otherwise empty text.
 */
function placeOfRefusal(
  { start, grammar, lines }: Pick<ReadText, "text" | "start" | "grammar" | "lines">,
  content: string,
): Pick<CheckResult, "where" | "expected"> {
  const opening = openHole(grammar, { before: "", behind: "" });
  if (opening.kind !== "open") return {};
  const dead = tryFindDeadPlace(opening.hole, encoder.encode(content));
  if (dead === undefined) return {};
  const where = { in: "file" as const, lines, offset: start + unitsOf(content, dead.offset) };
  return { where, expected: dead.expected };
}

async function checkMiddle(
  read: ReadText,
  signal: AbortSignal,
  { range, given }: { readonly range: { start: number; end: number }; readonly given: string | undefined },
): Promise<CheckResult> {
  const { text, start, lines } = read;
  const before = text.slice(start, range.start);
  const behind = text.slice(range.end);
  const middle = given ?? text.slice(range.start, range.end);
  const opening = await open(read, { before, behind }, signal);
  switch (opening.kind) {
    case "dead-prefix":
      return { kind: "dead-prefix", ...placeOfRefusal(read, before) };
    case "dead-suffix":
      return {
        kind: "dead-suffix",
        where: { in: "file", lines, offset: range.end + unitsOf(behind, opening.offset) },
      };
    case "no-filling":
      return { kind: "no-filling", where: { in: "file", lines, offset: range.start } };
    case "open": {
      const { hole } = opening;
      const bytes = encoder.encode(middle);
      const filling = hole.add(hole.empty, bytes);
      if (hole.canStop(filling)) return { kind: "complete" };
      if (hole.isAlive(filling)) return { kind: "completable", ...endingOf(hole, filling) };
      const dead = tryFindDeadPlace(hole, bytes)!;
      const offset = unitsOf(middle, dead.offset);
      const where =
        given === undefined
          ? { in: "file" as const, lines, offset: range.start + offset }
          : { in: "middle" as const, lines: Lines.of(given), offset };
      return { kind: "dead", where, expected: dead.expected };
    }
  }
}

function toReport({ path, language, grammar }: ReadText, { where, ...result }: CheckResult): CheckReport {
  const place = where && { in: where.in, ...placeAt(where.lines, where.offset) };
  return { ...result, file: path, language, grammar: grammar.name, ...(place && { place }) };
}

const sentences: Readonly<Record<CheckKind, string>> = {
  whole: "The file is complete.",
  unfinished: "The file ends too early.",
  refused: "No text of the language begins like this.",
  complete: "With this middle the file is complete.",
  completable: "The middle can be completed.",
  dead: "No continuation of the middle completes the file.",
  "dead-prefix": "No text of the language begins with the text before the hole.",
  "dead-suffix": "No text of the language ends with the text after the hole; this place was not reached.",
  "no-filling": "Each side of the hole can occur in a text, but not both in the same one.",
};

function print(report: CheckReport, { where }: CheckResult, file: string, { out, colour }: Terminal): void {
  const { kind, grammar, place, ending } = report;
  const named = place?.in === "middle" ? "middle" : file;
  const at = place === undefined ? printable(named) : `${printable(named)}:${place.line}:${place.column}`;
  const colourOf = { 0: "green", 9: "yellow", 10: "red" } as const;
  const word = styled(kind, colourOf[exitCodeOf[kind] as 0 | 9 | 10], colour);
  const rows = [`${at}: ${word} (${printable(grammar)}): ${sentences[kind]}`];
  if (place !== undefined && where !== undefined) {
    const column = place.column - 1;
    rows.push(printPlaceMark(where.lines.source, { line: place.line - 1, column }, colour));
  }
  const expected = printExpected(report.expected ?? []);
  if (expected !== undefined) rows.push(`Expected here: ${printable(expected)}`);
  if (ending !== undefined) rows.push(`Shortest ending: «${printable(ending).replaceAll("\n", "⏎")}»`);
  if (report.noEnding !== undefined) rows.push("No ending was found in time.");
  out(`${rows.join("\n")}\n`);
}

function decodeMiddle(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const message = "The middle on standard input is not UTF-8. Give it as UTF-8.";
    throw new CommandFailure("not-utf-8", message, { exitCode: exitCodes.notSource });
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
