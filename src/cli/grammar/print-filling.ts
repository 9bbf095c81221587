import type { Lines } from "../../text/index.ts";
import { printable, styled } from "../terminal/terminal.ts";
import type { ExplainedRefusal, FilledHole } from "./fill-holes.ts";
import { placeAt } from "./text-with-hole.ts";

/**
 * A text with its fillings: green with colours, otherwise between `«` and `»`. The holes are in the
 * order of the text; a byte order mark is left out.
 */
export function printFilled(text: string, holes: readonly FilledHole[], colour: boolean): string {
  let printed = "";
  let end = 0;
  for (const { range, text: filling } of holes) {
    printed += shown(text.slice(end, range.start));
    printed += colour ? colouredLines(shown(filling)) : `«${shown(filling)}»`;
    end = range.end;
  }
  return (printed + shown(text.slice(end))).replace(/^\uFEFF/, "");
}

/**
 * How a hole was filled, in one row: its place, counted from 1, what was written and why, and the
 * numbers of requests and refusals.
 */
export function printHoleEnd(hole: FilledHole, lines: Lines): string {
  const { range, kind, ending, requests, refused, isMended, emptySince, isComment, isLikeliest, searchLimit } = hole;
  const { line, column } = placeAt(lines, range.start);
  const how = {
    whole: isLikeliest ? "the likeliest text of the model that fits" : "as the model wrote it",
    closed: `closed with ${quoted(ending ?? "")}`,
    "cut-back": "cut back to where it may end",
    impossible: "empty",
  }[kind];
  const what = emptySince === undefined ? (isComment ? "a comment, " : "") : "empty: ";
  const why =
    emptySince === "nothing-else"
      ? "nothing else is possible there"
      : emptySince === "model-ended"
        ? "the model wrote nothing, and nothing is missing"
        : how;
  const requestCount = `${requests} ${requests === 1 ? "request" : "requests"}`;
  const refusals = refused === 0 ? "nothing was refused" : `${refused} refused`;
  const acceptance = isMended === true ? ", with an ending that the language's parser accepts" : "";
  const limits = {
    requests: "; the search for a likelier text ended at its limit of requests",
    time: "; the search for a likelier text ended when its time was up, which --search-timeout sets",
  };
  const limit = searchLimit === undefined ? "" : limits[searchLimit];
  return `${line}:${column} ${what}${why}${acceptance}; ${requestCount}, ${refusals}${limit}`;
}

/**
 * Why a text of the model was refused: after which text it continues wrongly, and what was expected
 * there. A clause without a full stop.
 */
export function printRefusal({ behind, text, expected }: ExplainedRefusal): string {
  const instead = expected.length === 0 ? "" : `; expected: ${printExpected(expected)}`;
  return printable(`${placeBehind(behind)} it continues with ${quoted(text)}, which no complete text does${instead}`);
}

/**
 * The refused texts with the reason of each, a row each, in their order. Empty where there are
 * none.
 */
export function printRefusals({ refusals = [] }: FilledHole, colour: boolean): string {
  return refusals
    .map(({ request, behind, text: refused, cause, expected, of }) => {
      const why =
        cause === "budget"
          ? "too few tokens are left to end it"
          : cause === "members"
            ? `${of ?? "what stands before it"} has no such member${expected.length === 0 ? "" : `; it has ${printExpected(expected)}`}`
            : `no complete text continues so${expected.length === 0 ? "" : `; expected: ${printExpected(expected)}`}`;
      return `  ${styled(`request ${request}`, "dim", colour)} ${placeBehind(behind)}: ${styled(quoted(refused), "red", colour)}: ${printable(why)}`;
    })
    .join("\n");
}

function placeBehind(text: string): string {
  return text === "" ? "at its start" : `after ${quoted(text.slice(-30))}`;
}

function quoted(text: string): string {
  const line = printable(oneLineOf(text));
  return `«${line.length > 40 ? `${line.slice(0, 39)}…` : line}»`;
}

function oneLineOf(text: string): string {
  return text.replace(/\r\n|\r|\n/g, "⏎");
}

function colouredLines(text: string): string {
  return text
    .split("\n")
    .map((line) => styled(line, "green", true))
    .join("\n");
}

function shown(text: string): string {
  return text
    .split("\n")
    .map((line) => printable(line.replace(/\r$/, "")))
    .join("\n");
}

/** The most terminals that are named. */
const most = 12;

/**
 * The terminals that are possible at a place, for a person: named tokens first, then literals;
 * `undefined` where none is known.
 */
export function printExpected(expected: readonly string[]): string | undefined {
  if (expected.length === 0) return undefined;
  const isLiteral = (name: string) => name.startsWith('"');
  const sorted = [...expected.filter((name) => !isLiteral(name)), ...expected.filter(isLiteral)];
  const rest = sorted.length - most;
  return sorted.slice(0, most).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
