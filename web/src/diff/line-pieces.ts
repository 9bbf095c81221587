import type { TextRange } from "../../../src/text/index.ts";

/** A token of a line: from `start` up to the next one. */
export interface LineToken {
  readonly start: number;
  readonly kind: TokenKind;
}

/** The kinds of tokens with different colours. */
export type TokenKind = "plain" | "keyword" | "string" | "number" | "comment" | "type";

/** A part of a line with one style. */
export interface LinePiece {
  readonly text: string;
  readonly kind: TokenKind;
  readonly isChanged: boolean;
}

/**
 * Splits a line at the boundaries of tokens and changed words. Both are in ascending order.
 *
 * Law: the pieces' texts, joined, are the line.
 */
export function piecesOf(
  text: string,
  tokens: readonly LineToken[],
  changed: readonly TextRange[],
): readonly LinePiece[] {
  const cuts = new Set([0, text.length]);
  for (const { start } of tokens) if (start < text.length) cuts.add(start);
  for (const { start, end } of changed) cuts.add(Math.min(start, text.length)).add(Math.min(end, text.length));
  const places = [...cuts].sort((a, b) => a - b);
  const pieces: LinePiece[] = [];
  let token = -1;
  for (const [at, start] of places.slice(0, -1).entries()) {
    while (token + 1 < tokens.length && tokens[token + 1]!.start <= start) token++;
    const kind = tokens[token]?.kind ?? "plain";
    const isChanged = changed.some((range) => range.start <= start && start < range.end);
    pieces.push({ text: text.slice(start, places[at + 1]), kind, isChanged });
  }
  return pieces;
}
