import type { EngineSupport } from "./language-support.ts";

/** What the engines know of Java. */
export const java: EngineSupport = {
  charactersPerToken: 3.7,
  endings: [" x", ";", " x;", " {}", " x() {}", " x = x;"],
};
