import type { EngineSupport } from "./language-support.ts";

/** What the engines know of Java. */
// biome-ignore format: one list a line.
export const java: EngineSupport = {
  charactersPerToken: 3.7,
  endings: [" x", ";", " x;", " {}", " x() {}", " x = x;"],
};
