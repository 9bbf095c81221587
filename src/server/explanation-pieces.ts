import { type PieceKind, type PlacedPiece, printPieceOrigin, printShortfall } from "../context/index.ts";
import type { ExplanationPiece } from "./protocol/explanation.ts";

/** The pieces of a prompt, ready to be shown: those that were written in their order, then those that were left out. */
export function toExplanationPieces(pieces: readonly PlacedPiece[]): readonly ExplanationPiece[] {
  return pieces.map((piece) => {
    const why = printShortfall(piece);
    const { kind, fate, hidden = 0 } = piece;
    const shown = hidden === 0 ? "" : `, ${hidden} ${hidden === 1 ? "secret" : "secrets"} hidden`;
    return {
      title: titles[kind] + shown,
      origin: printPieceOrigin(piece),
      tokens: piece.tokens,
      fate: fates[fate.kind],
      ...(why !== undefined && { why }),
      text: fate.kind === "left-out" ? "" : shownPart(piece),
    };
  });
}

const fates = { written: "whole", clipped: "cut", "left-out": "left out" } as const;

const titles: Readonly<Record<PieceKind, string>> = {
  "before-cursor": "the text before the cursor",
  "after-cursor": "the text after the cursor",
  marker: "the file's path",
  imports: "declarations of what is imported",
  symbols: "declarations of names nearby",
  similar: "code like this in open files",
  retrieved: "code found in the workspace",
  "recent-edits": "recent edits",
  diagnostics: "what tools complain of",
  "git-diff": "changes not committed yet",
};

/** The most UTF-16 units of a piece that are told. */
const maxText = 20_000;

/** A text as far as it is told: of a long one the part that is next to the cursor. */
function shownPart({ kind, text }: PlacedPiece): string {
  if (text.length <= maxText) return text;
  return kind === "before-cursor" ? `…${text.slice(-maxText)}` : `${text.slice(0, maxText)}…`;
}
