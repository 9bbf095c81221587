import { Parser } from "../reading/parser.ts";
import { Reader } from "../reading/reader.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { tryFindDeadPlace } from "./expected-terminals.ts";
import { openHole } from "./fill-session.ts";

/** Whether a text belongs to a language: `whole`, it does. */
export type Verdict =
  | { readonly kind: "whole" }
  /** The text is a proper prefix of texts of the language. */
  | { readonly kind: "unfinished" }
  /** No text of the language begins with the first `offset` bytes and the lexeme after them. */
  | { readonly kind: "refused"; readonly offset: number };

/**
 * Decides whether a text, given as bytes of UTF-8, belongs to the language of `grammar` (`whole`),
 * is only the beginning of such texts (`unfinished`), or neither (`refused`, with the offset in
 * bytes of the lexeme that is not allowed). Does not throw.
 */
export function recognise(grammar: CompiledGrammar, bytes: Uint8Array): Verdict {
  const reader = new Reader(new Parser(grammar));
  const { readings, failure } = reader.read(reader.start, bytes, 0, bytes.length);
  if (reader.acceptsEnd(readings, bytes, bytes.length)) return { kind: "whole" };
  if (readings.length === 0) return { kind: "refused", offset: failure?.offset ?? 0 };
  // The last lexeme may be one that is not allowed there, however it is extended.
  if (openHole(grammar, { before: bytes, behind: "" }).kind === "open") return { kind: "unfinished" };
  const start = openHole(grammar, { before: "", behind: "" });
  const dead = start.kind === "open" ? tryFindDeadPlace(start.hole, bytes) : undefined;
  return { kind: "refused", offset: dead?.offset ?? failure?.offset ?? 0 };
}
