import type { EngineSupport } from "./language-support.ts";

/** What the engines know of Go. */
export const go: EngineSupport = {
  charactersPerToken: 3.2,
  endings: [" x", " {}", " x {}", " x }"],
};
