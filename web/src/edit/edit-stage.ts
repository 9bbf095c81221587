import type { EditAnswer } from "../../../src/server/edit/edit-command.ts";
import type { EditPreviewParams } from "../../../src/server/protocol/edit-preview.ts";
import type { ProposedFile } from "./proposed-files.ts";

/** Names a hunk of an answer: the number of its file and its own, as `0:2`. */
export type HunkName = `${number}:${number}`;

/** How an edit stands. Plain data. */
export type EditStage =
  /** Nothing was asked yet, or all of it is settled. */
  | { readonly kind: "resting" }
  | {
      readonly kind: "asking";
      /** Names the work to the server. */
      readonly work: string;
      /** Whether a chat's words are being read instead of a model being asked. */
      readonly isPasted: boolean;
      readonly preview?: EditPreviewParams;
    }
  | {
      readonly kind: "judged";
      readonly answer: EditAnswer;
      /** What `answer.edit` does; none where it is absent. */
      readonly files: readonly ProposedFile[];
      readonly leftOut: ReadonlySet<HunkName>;
      /** Why it could not be applied. */
      readonly problem?: string;
    }
  | {
      readonly kind: "applied";
      readonly files: readonly ProposedFile[];
      readonly isUndone: boolean;
      readonly problem?: string;
    }
  | { readonly kind: "failed"; readonly message: string };

/** What happens to an edit. */
export type EditHappening =
  | { readonly kind: "asked"; readonly work: string; readonly isPasted: boolean }
  | { readonly kind: "previewed"; readonly preview: EditPreviewParams }
  | {
      readonly kind: "answered";
      readonly work: string;
      readonly answer: EditAnswer;
      readonly files: readonly ProposedFile[];
    }
  | { readonly kind: "failed"; readonly work: string; readonly message: string }
  | { readonly kind: "stopped"; readonly work: string }
  /** Hunks are left out of what is applied, or taken again. */
  | { readonly kind: "chosen"; readonly hunks: readonly HunkName[]; readonly isTaken: boolean }
  | { readonly kind: "applied"; readonly files: readonly ProposedFile[] }
  | { readonly kind: "undone" }
  /** It could not be applied or undone. */
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "dismissed" };

/** Nothing was asked. */
export const resting: EditStage = { kind: "resting" };

/**
 * How an edit is after something has happened. What belongs to other work than the one at hand
 * changes nothing.
 */
export function afterHappening(stage: EditStage, happening: EditHappening): EditStage {
  const isOwn = stage.kind === "asking" && "work" in happening && happening.work === stage.work;
  switch (happening.kind) {
    case "asked":
      return { kind: "asking", work: happening.work, isPasted: happening.isPasted };
    case "previewed":
      return stage.kind === "asking" && happening.preview.preview === stage.work
        ? { ...stage, preview: happening.preview }
        : stage;
    case "answered":
      return isOwn ? { kind: "judged", answer: happening.answer, files: happening.files, leftOut: new Set() } : stage;
    case "failed":
      return isOwn ? { kind: "failed", message: happening.message } : stage;
    case "stopped":
      return isOwn ? resting : stage;
    case "chosen": {
      if (stage.kind !== "judged") return stage;
      const leftOut = new Set(stage.leftOut);
      for (const hunk of happening.hunks) happening.isTaken ? leftOut.delete(hunk) : leftOut.add(hunk);
      return { ...stage, leftOut };
    }
    case "applied":
      return { kind: "applied", files: happening.files, isUndone: false };
    case "undone":
      return stage.kind === "applied" ? { kind: "applied", files: stage.files, isUndone: true } : stage;
    case "refused":
      return stage.kind === "judged" || stage.kind === "applied" ? { ...stage, problem: happening.reason } : stage;
    case "dismissed":
      return resting;
  }
}

/** Whether an answer's hunk is to be applied. */
export function isTaken({ leftOut }: { readonly leftOut: ReadonlySet<HunkName> }, file: number, hunk: number): boolean {
  return !leftOut.has(`${file}:${hunk}`);
}
