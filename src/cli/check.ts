import { openHole, recognise, tryFindDeadPlace } from "../grammar/index.ts";
import { Lines } from "../text/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { parseHole, rangesOfHoles } from "./hole-range.ts";
import { printExpected } from "./print-expected.ts";
import { printPlaceMark } from "./print-grammar-problem.ts";
import { printable, styled, type Terminal } from "./terminal.ts";
import { openText, placeAt, type ReadText, type TextPlace, unitsOf } from "./text-with-hole.ts";

/** What may be said on the command line of `emend check`. */
export interface CheckOptions {
  /** The hole as typed; all of the file is judged without. */
  readonly at: string | undefined;
  /** A grammar's file, or the name of one that ships; that of the file's language unless told. */
  readonly grammar: string | undefined;
  readonly json: boolean;
}

/**
 * What became of a check. Of a whole file: `whole`, `unfinished`, `refused`. Of a middle: `complete`, `completable`, `dead`,
 * or what is wrong around it: `dead-prefix`, `dead-suffix`, `no-filling`.
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

/** What `--json` prints. Fields may be added; none changes its meaning. */
export interface CheckReport {
  readonly kind: CheckKind;
  /** From the workspace's root. */
  readonly file: string;
  readonly language: string;
  readonly grammar: string;
  /** Where the first thing stands that cannot, from 1, and whether in the file or in the middle that was given. */
  readonly place?: TextPlace & { readonly in: "file" | "middle" };
  /** The terminals that could stand there instead. */
  readonly expected?: readonly string[];
  /** A shortest text after which it is whole; only where it can be completed. */
  readonly ending?: string;
}

/** What was found, before it is told. */
interface Finding extends Pick<CheckReport, "kind" | "expected" | "ending"> {
  /** The text with the place and its offset in UTF-16 units. */
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

/** Runs `emend check FILE`: says whether a file, or a middle between two places of it, is whole, can be completed, or is dead. */
export async function check(
  file: string,
  middle: string | undefined,
  options: CheckOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const hole = options.at === undefined ? undefined : parseHole(options.at);
  if (middle !== undefined && middle !== "-") throw usage(`Give - for a middle from standard input, not ${middle}.`);
  if (middle !== undefined && hole === undefined) throw usage("Say with --at where the middle goes.");
  const given = middle === undefined ? undefined : decodeMiddle(await terminal.readInput());
  const text = await openText(file, options.grammar, terminal);
  const finding =
    hole === undefined
      ? checkWhole(text)
      : checkMiddle(text, { range: rangesOfHoles(text.lines, file, [hole])[0]!, given });
  const report = toReport(text, finding);
  if (options.json) terminal.out(`${JSON.stringify(report)}\n`);
  else print(report, finding, file, terminal);
  return exitCodeOf[report.kind];
}

function checkWhole({ text, start, grammar, lines }: ReadText): Finding {
  const content = text.slice(start);
  const verdict = recognise(grammar, encoder.encode(content));
  if (verdict.kind === "whole") return verdict;
  if (verdict.kind === "unfinished") {
    const opening = openHole(grammar, { before: content, behind: "" });
    const ending = opening.kind === "open" ? opening.hole.shortestEnding(opening.hole.empty) : undefined;
    const where = { in: "file" as const, lines, offset: text.length };
    return { kind: "unfinished", where, ...(ending && { ending: decoder.decode(ending) }) };
  }
  return { kind: "refused", ...placeOfRefusal({ text, start, grammar, lines }, content) };
}

/** Where a beginning of the file is refused: all of it goes into a hole that nothing stands behind. */
function placeOfRefusal(
  { start, grammar, lines }: Pick<ReadText, "text" | "start" | "grammar" | "lines">,
  content: string,
): Pick<Finding, "where" | "expected"> {
  const opening = openHole(grammar, { before: "", behind: "" });
  if (opening.kind !== "open") return {};
  const dead = tryFindDeadPlace(opening.hole, encoder.encode(content));
  if (dead === undefined) return {};
  const where = { in: "file" as const, lines, offset: start + unitsOf(content, dead.offset) };
  return { where, expected: dead.expected };
}

function checkMiddle(
  read: ReadText,
  { range, given }: { readonly range: { start: number; end: number }; readonly given: string | undefined },
): Finding {
  const { text, start, grammar, lines } = read;
  const before = text.slice(start, range.start);
  const behind = text.slice(range.end);
  const middle = given ?? text.slice(range.start, range.end);
  const opening = openHole(grammar, { before, behind });
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
      if (hole.isAlive(filling)) {
        const ending = hole.shortestEnding(filling);
        return { kind: "completable", ...(ending && { ending: decoder.decode(ending) }) };
      }
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

function toReport({ path, language, grammar }: ReadText, { where, ...finding }: Finding): CheckReport {
  const place = where && { in: where.in, ...placeAt(where.lines, where.offset) };
  return { ...finding, file: path, language, grammar: grammar.name, ...(place && { place }) };
}

const sentences: Readonly<Record<CheckKind, string>> = {
  whole: "The file is whole.",
  unfinished: "The file ends too early.",
  refused: "No text begins like this.",
  complete: "With this middle the file is whole.",
  completable: "The middle can be completed.",
  dead: "However the middle goes on, the file does not become whole.",
  "dead-prefix": "No text begins like what stands before the hole.",
  "dead-suffix": "No text ends like what stands behind the hole; this was not reached.",
  "no-filling": "Each side of the hole can stand in a text, but no text holds both.",
};

function print(report: CheckReport, { where }: Finding, file: string, { out, colour }: Terminal): void {
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
  if (expected !== undefined) rows.push(`Here could stand: ${printable(expected)}`);
  if (ending !== undefined) rows.push(`Shortest way to end it: «${printable(ending).replaceAll("\n", "⏎")}»`);
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

function usage(message: string): CommandFailure {
  return new CommandFailure("usage", message, { exitCode: exitCodes.usage });
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
