export type { ContextPiece, PieceKind, PlacedPiece, Prompt, PromptBudget } from "./prompt.ts";
