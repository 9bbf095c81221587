import type { GhostTextRequest } from "../../complete/index.ts";
import type { PlacedPiece, Prompt } from "../../context/index.ts";

/** About how many UTF-16 code units a token has. */
const charactersPerToken = 4;

/**
 * The prompt of a model that has learnt its workspace: the whole text on both sides of the cursor,
 * with the selected completion item in its place, and no context.
 */
export function wholeTextPrompt({ document: { text }, path, offset, picked }: GhostTextRequest): Prompt {
  const start = picked?.start ?? offset;
  const prefix = text.slice(0, start) + (picked?.text ?? "");
  const suffix = text.slice(picked?.end ?? offset);
  const piece = (kind: "before-cursor" | "after-cursor", side: string): PlacedPiece => ({
    ...{ kind, path, text: side, priority: 1, fate: { kind: "written" } },
    tokens: Math.ceil(side.length / charactersPerToken),
  });
  const pieces = [piece("before-cursor", prefix), piece("after-cursor", suffix)];
  const tokens = pieces.reduce((sum, each) => sum + each.tokens, 0);
  return {
    ...{ prefix, suffix, context: [], pieces, tokens },
    budget: { maxTokens: tokens, suffixShare: 0.5 },
    counter: { name: "estimate", isExact: false },
  };
}
