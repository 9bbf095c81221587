import type { StepView, StepViewStatus } from "./plan-view.ts";

/**
 * A short label of a step: the name of its block, with the kind for imports and statements.
 */
export function stepLabelOf({ block, name }: Pick<StepView, "block" | "name">): string {
  const kind = block.slice(0, block.indexOf(" "));
  return kind === "import" || kind === "statement" ? `${kind} ${name}` : name;
}

/** How a status is shown: by a symbol and words, not only by colour. */
export interface StatusLabel {
  readonly mark: string;
  readonly words: string;
}

/** How each status is shown, on every page with a plan. */
export const statusLabels: Readonly<Record<StepViewStatus, StatusLabel>> = {
  changed: { mark: "●", words: "your change" },
  pending: { mark: "○", words: "to do" },
  requested: { mark: "◌", words: "waiting for the model" },
  done: { mark: "✓", words: "done" },
  unchanged: { mark: "=", words: "unchanged" },
  obligation: { mark: "!", words: "left to you" },
  rejected: { mark: "✗", words: "rejected" },
  dropped: { mark: "·", words: "no longer needed" },
};
