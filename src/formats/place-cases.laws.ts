/** What the tests of placing share: files and asks in a short notation. */
import { applyWorkspaceEdit } from "../text/index.ts";
import type { Ask } from "./ask.ts";
import { type PlaceOptions, placeAsks } from "./place-asks.ts";

/** Lines written with `|` between them. */
export function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.split("|");
}

/** A block ask from its two sides; an empty side has no lines. */
export function block(search: string, replace: string, more: object = {}): Ask {
  return { kind: "block", row: 0, path: undefined, search: linesOf(search), replace: linesOf(replace), ...more };
}

/** A lines ask, from 0. Witnesses are written `line:opening`. */
export function lines(start: number, end: number, put: string, witnesses: readonly string[] = [], more = {}): Ask {
  return {
    ...{ kind: "lines", row: 0, path: undefined, start, end, lines: linesOf(put) },
    witnesses: witnesses.map((witness) => {
      const [, line, opening] = /^(-?\d+):(.*)$/.exec(witness)!;
      return { line: Number(line), opening: opening! };
    }),
    ...more,
  };
}

/** A string ask, text as it is. */
export function string(search: string, replace: string, more: object = {}): Ask {
  return { kind: "string", row: 0, path: undefined, search, replace, ...more };
}

/**
 * What asks make of one file, on one line: its text with `|` for `\n`, and then the kinds of what was given or refused,
 * such as `a|B| (indentation)` or `a|b| !not-found`.
 */
export function shown(before: string, asks: Ask | readonly Ask[], options: PlaceOptions = {}): string {
  const files = new Map([["a.ts", before.replaceAll("|", "\n")]]);
  const { edit, leniences, refusals } = placeAsks([asks].flat(), files, options);
  const outcome = applyWorkspaceEdit(files, edit);
  if (outcome.kind !== "applied") return JSON.stringify(outcome);
  const text = (outcome.files.get("a.ts") ?? "").replaceAll("\n", "|");
  const given = leniences.length === 0 ? "" : ` (${leniences.map(({ kind }) => kind).join(" ")})`;
  return `${text}${given}${refusals.map(({ kind }) => ` !${kind}`).join("")}`;
}
