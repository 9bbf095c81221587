import { type PieceKind, type PlacedPiece, printPieceOrigin, printShortfall } from "../../context/index.ts";
import type { ShownPart, ShownPromptInput } from "../../next/index.ts";
import type { ExplanationPiece } from "../protocol/explanation.ts";

/**
 * The pieces of a prompt, ready to be shown: those in the prompt in their order, then those left
 * out.
 */
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
  imports: "declarations of imports",
  symbols: "declarations of names nearby",
  similar: "similar code in open files",
  retrieved: "code found in the workspace",
  "recent-edits": "recent edits",
  diagnostics: "diagnostics",
  "git-diff": "uncommitted changes",
};

/** The parts of a next edit's prompt, ready to be shown, then what did not fit its budget. */
export function toNextEditPieces({ parts, leftOut }: ShownPromptInput): readonly ExplanationPiece[] {
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
  above: "the lines above the editable region",
  window: "the editable region",
  below: "the lines below the editable region",
  edit: "a recent edit",
  viewed: "a recently viewed snippet",
  diagnostic: "a diagnostic",
};

const leftOutTitles = {
  edits: "older edits",
  viewed: "snippets viewed earlier",
  diagnostics: "diagnostics further away",
} as const;

/** The longest text of a piece that is sent, in UTF-16 code units. */
const maxText = 20_000;

/** The text of a piece to send: of a long one the part next to the cursor. */
function shownPart({ kind, text }: PlacedPiece): string {
  if (text.length <= maxText) return text;
  return kind === "before-cursor" ? `…${text.slice(-maxText)}` : `${text.slice(0, maxText)}…`;
}
