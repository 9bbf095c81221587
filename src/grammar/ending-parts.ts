import type { BehindHole } from "./behind-hole.ts";
import type { HoleQuestions } from "./filling.ts";

/** What an ending is looked for with. */
export interface EndingParts {
  readonly hole: HoleQuestions;
  readonly behind: BehindHole;
}
