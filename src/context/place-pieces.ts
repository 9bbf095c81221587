import { beginningOf } from "./hide-secrets.ts";
import type { PlacedPiece, RedactedPiece } from "./prompt.ts";
import type { TextCosts } from "./text-costs.ts";

/** Pieces that were chosen, and what they cost together. */
export interface PlacedPieces {
  /** Every piece, in the order in which they came. */
  readonly pieces: readonly PlacedRedactedPiece[];
  /** The tokens of those that are written. */
  readonly tokens: number;
}

/** A piece that may be shown to a model, and what became of it. */
export type PlacedRedactedPiece = PlacedPiece & RedactedPiece;

/**
 * Chooses the pieces that are written within `room` tokens: by falling priority, of equal ones the
 * first. A piece that does not fit whole is cut at the end of a line, if at least a third of its
 * tokens can stay; otherwise it is left out as `over-budget`. All pieces are returned, in the order
 * given, each with its status.
 */
export function placePieces(pieces: readonly RedactedPiece[], costs: TextCosts, room: number): PlacedPieces {
  const placed = new Map<RedactedPiece, PlacedRedactedPiece>();
  let tokens = 0;
  for (const piece of pieces.toSorted((one, other) => other.priority - one.priority)) {
    const one = placePiece(piece, costs, room - tokens);
    if (one.status.kind !== "left-out") tokens += one.tokens;
    placed.set(piece, one);
  }
  return { pieces: pieces.map((piece) => placed.get(piece)!), tokens };
}

function placePiece(piece: RedactedPiece, costs: TextCosts, room: number): PlacedRedactedPiece {
  const tokens = costs.count(piece.text);
  if (tokens <= room) return { ...piece, tokens, status: { kind: "written" } };
  const part = costs.forward(piece.text, 0, room);
  if (part.tokens < tokens / 3) return { ...piece, tokens, status: { kind: "left-out", reason: "over-budget" } };
  const text = beginningOf(piece.text, part.offset);
  const { lines } = piece;
  const count = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  const kept = lines && { lines: { start: lines.start, end: Math.min(lines.end, lines.start + count) } };
  return { ...piece, ...kept, text, tokens: part.tokens, status: { kind: "clipped" } };
}

/** Whether a piece is in the prompt, at least in part. */
export function isWritten({ status }: PlacedPiece): boolean {
  return status.kind !== "left-out";
}
