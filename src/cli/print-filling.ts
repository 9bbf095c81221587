import type { Lines } from "../text/index.ts";
import type { FilledHole } from "./fill-holes.ts";
import { printExpected } from "./print-expected.ts";
import { printable, styled } from "./terminal.ts";
import { placeAt } from "./text-with-hole.ts";

/** A text with its fillings: green in colours, between `«` and `»` without. */
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

/** How a hole was filled, in a sentence. */
export function printHoleEnd({ range, kind, ending, requests, refused, isMended }: FilledHole, lines: Lines): string {
  const { line, column } = placeAt(lines, range.start);
  const how = {
    whole: "as the model wrote it",
    closed: `ended for it with ${quoted(ending ?? "")}`,
    "cut-back": "cut back to where it can end",
    impossible: "empty",
  }[kind];
  const asked = `${requests} ${requests === 1 ? "request" : "requests"}`;
  const refusals = refused === 0 ? "nothing was refused" : `${refused} refused`;
  const mended = isMended === true ? ", where the language's parser agrees" : "";
  return `${line}:${column} ${how}${mended}; ${asked}, ${refusals}`;
}

/** What was refused and why, a row each, in the order in which it was. */
export function printRefusals({ refusals = [] }: FilledHole, colour: boolean): string {
  return refusals
    .map(({ request, behind: before, text: refused, cause, expected, of }) => {
      const behind = before === "" ? "at its start" : `behind ${quoted(before.slice(-30))}`;
      const why =
        cause === "budget"
          ? "too little room is left to end it"
          : cause === "members"
            ? `${of ?? "what stands before it"} has no such member${expected.length === 0 ? "" : `; it has ${printExpected(expected)}`}`
            : `nothing whole goes on so${expected.length === 0 ? "" : `; it could be ${printExpected(expected)}`}`;
      return `  ${styled(`request ${request}`, "dim", colour)} ${behind}: ${styled(quoted(refused), "red", colour)}: ${printable(why)}`;
    })
    .join("\n");
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
