import { type PieceKind, type PlacedPiece, printPieceOrigin, printShortfall } from "../context/index.ts";
import type { ShownPart, ShownScene } from "../next/index.ts";
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

/** What a model was shown to predict the next edit, then what there was no room for. */
export function toScenePieces({ parts, leftOut }: ShownScene): readonly ExplanationPiece[] {
  const shown = parts.map(
    (part): ExplanationPiece => ({
      ...{ title: partTitles[part.kind], origin: printPieceOrigin(part) },
      ...{ tokens: part.tokens, fate: "whole", text: part.text },
    }),
  );
  const missing = (["edits", "viewed", "diagnostics"] as const).flatMap((kind): readonly ExplanationPiece[] => {
    const count = leftOut[kind];
    if (count === 0) return [];
    const origin = `${count} more`;
    return [{ title: leftOutTitles[kind], origin, tokens: 0, fate: "left out", why: "over the budget", text: "" }];
  });
  return [...shown, ...missing];
}

const partTitles: Readonly<Record<ShownPart["kind"], string>> = {
  above: "the lines above those",
  window: "the lines that may be written anew",
  below: "the lines below those",
  edit: "a recent edit",
  viewed: "looked at lately",
  diagnostic: "what a tool complains of",
};

const leftOutTitles = {
  edits: "older edits",
  viewed: "looked at before",
  diagnostics: "complaints further away",
} as const;

/** The most UTF-16 units of a piece that are told. */
const maxText = 20_000;

/** A text as far as it is told: of a long one the part that is next to the cursor. */
function shownPart({ kind, text }: PlacedPiece): string {
  if (text.length <= maxText) return text;
  return kind === "before-cursor" ? `…${text.slice(-maxText)}` : `${text.slice(0, maxText)}…`;
}
