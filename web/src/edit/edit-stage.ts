import type { EditAnswer } from "../../../src/server/edit/edit-command.ts";
import type { EditPreviewParams } from "../../../src/server/protocol/edit-preview.ts";
import type { ProposedFile } from "./proposed-files.ts";

/** Names a hunk of an answer: the number of its file and its own, as `0:2`. */
export type HunkName = `${number}:${number}`;

/** The state of an edit. Plain data. */
export type EditStage =
  /** No request yet, or the last edit was dismissed. */
  | { readonly kind: "resting" }
  | {
      readonly kind: "requesting";
      /** The name of the request for the server's previews. */
      readonly work: string;
      /** Whether a pasted answer is read, without a model request. */
      readonly isPasted: boolean;
      readonly preview?: EditPreviewParams;
    }
  | {
      readonly kind: "reviewing";
      readonly answer: EditAnswer;
      /** The changed files of `answer.edit`; empty if that is absent. */
      readonly files: readonly ProposedFile[];
      readonly leftOut: ReadonlySet<HunkName>;
      /** Why the edit could not be applied. */
      readonly problem?: string;
    }
  | {
      readonly kind: "applied";
      readonly files: readonly ProposedFile[];
      readonly isUndone: boolean;
      readonly problem?: string;
    }
  | { readonly kind: "failed"; readonly message: string };

/** An event of an edit. */
export type EditEvent =
  | { readonly kind: "requested"; readonly work: string; readonly isPasted: boolean }
  | { readonly kind: "previewed"; readonly preview: EditPreviewParams }
  | {
      readonly kind: "answered";
      readonly work: string;
      readonly answer: EditAnswer;
      readonly files: readonly ProposedFile[];
    }
  | { readonly kind: "failed"; readonly work: string; readonly message: string }
  | { readonly kind: "stopped"; readonly work: string }
  /** Hunks were selected or deselected. */
  | { readonly kind: "chosen"; readonly hunks: readonly HunkName[]; readonly isTaken: boolean }
  | { readonly kind: "applied"; readonly files: readonly ProposedFile[] }
  /** The change was undone, but for `left`, the files that have changed since. */
  | { readonly kind: "undone"; readonly left: readonly ProposedFile[]; readonly problem: string }
  /** The edit could not be applied or undone. */
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "dismissed" };

/** The initial state. */
export const resting: EditStage = { kind: "resting" };

/**
 * The state of an edit after an event. Events of other requests than the current one are ignored.
 */
export function afterEvent(stage: EditStage, event: EditEvent): EditStage {
  const isOwn = stage.kind === "requesting" && "work" in event && event.work === stage.work;
  switch (event.kind) {
    case "requested":
      return { kind: "requesting", work: event.work, isPasted: event.isPasted };
    case "previewed":
      return stage.kind === "requesting" && event.preview.preview === stage.work
        ? { ...stage, preview: event.preview }
        : stage;
    case "answered":
      return isOwn ? { kind: "reviewing", answer: event.answer, files: event.files, leftOut: new Set() } : stage;
    case "failed":
      return isOwn ? { kind: "failed", message: event.message } : stage;
    case "stopped":
      return isOwn ? resting : stage;
    case "chosen": {
      if (stage.kind !== "reviewing") return stage;
      const leftOut = new Set(stage.leftOut);
      for (const hunk of event.hunks) event.isTaken ? leftOut.delete(hunk) : leftOut.add(hunk);
      return { ...stage, leftOut };
    }
    case "applied":
      return { kind: "applied", files: event.files, isUndone: false };
    case "undone":
      if (stage.kind !== "applied") return stage;
      return event.left.length === 0
        ? { kind: "applied", files: stage.files, isUndone: true }
        : { kind: "applied", files: event.left, isUndone: false, problem: event.problem };
    case "refused":
      return stage.kind === "reviewing" || stage.kind === "applied" ? { ...stage, problem: event.reason } : stage;
    case "dismissed":
      return resting;
  }
}

/** Whether a hunk of an answer is selected. */
export function isTaken({ leftOut }: { readonly leftOut: ReadonlySet<HunkName> }, file: number, hunk: number): boolean {
  return !leftOut.has(`${file}:${hunk}`);
}
