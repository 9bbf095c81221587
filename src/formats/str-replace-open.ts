import { parse } from "jsonc-parser";
import type { Ask } from "./ask.ts";
import { JsonScanner } from "./json-scanner.ts";
import { readToolCalls } from "./tool-calls.ts";

/**
 * The edits of a JSON text that may still be written, for a preview: all that are there, and of the one that is open, the
 * whole lines of its new text. An edit whose old text or path is being written is not there yet.
 */
export function openEdits(
  text: string,
  request: { readonly row: number; readonly paths: readonly string[] },
): readonly Ask[] {
  const scanner = new JsonScanner();
  const isWhole = scanner.scan(text) !== undefined;
  // The parser takes what is open for closed.
  const value: unknown = parse(withPlainBreaks(text), [], { allowTrailingComma: true });
  const asks = readToolCalls(value, request).flatMap((call) => (call.kind === "ask" ? [call.ask] : []));
  const last = asks.at(-1);
  if (isWhole || !scanner.isInString || last === undefined) return asks;
  const open = lastString(value);
  const known = asks.slice(0, -1);
  const rest = open === undefined ? undefined : tryKeepLines(last, open);
  return rest === undefined ? known : [...known, rest];
}

/** Line breaks in strings as JSON writes them, so that a string does not end there. */
function withPlainBreaks(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[\s\S])*"?/g, (string) => string.replace(/\r?\n/g, "\\n"));
}

/** The string at the very end of a value. */
function lastString(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return undefined;
  return lastString(Object.values(value).at(-1));
}

/** An edit with the whole lines of its new text, where that is what is `open`; `undefined` while it has none. */
function tryKeepLines(ask: Ask, open: string): Ask | undefined {
  const end = open.lastIndexOf("\n");
  if (ask.kind === "whole" || ask.kind === "create") {
    const { finalNewline, ...whole } = ask;
    // The line behind the last break has only begun.
    return finalNewline === true ? whole : { ...whole, lines: ask.lines.slice(0, -1) };
  }
  if (ask.kind !== "string" || ask.replace !== open || end < 0) return undefined;
  return { ...ask, replace: open.slice(0, ask.search.endsWith("\n") ? end + 1 : end) };
}
