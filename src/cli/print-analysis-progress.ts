import type { AnalysisProgress } from "../analysis/node/index.ts";
import { countText } from "./terminal/print-amount.ts";

/** What an analysis is doing, such as `Reading: 3 of 10 files`. */
export function printAnalysisProgress({ phase, done, of }: AnalysisProgress): string {
  const files = of === 0 ? "" : `: ${done.toLocaleString("en")} of ${countText(of, "file")}`;
  switch (phase) {
    case "reading":
      return `Reading${files}`;
    case "types":
      return "Opening the type checker";
    case "references":
      return `Finding dependencies${files}`;
    case "impact":
      return "Propagating the change";
  }
}
