import type { HoleQuestions } from "./filling.ts";
import type { SuffixAnalysis } from "./suffix-analysis.ts";

/** What an ending is looked for with. */
export interface EndingParts {
  readonly hole: HoleQuestions;
  readonly behind: SuffixAnalysis;
  /** Whether there is time to look further; always unless set. */
  readonly goesOn?: (() => boolean) | undefined;
}
