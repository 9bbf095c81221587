import type { EngineSupport } from "./language-support.ts";

/** What the engines know of C. */
// biome-ignore format: one list a line.
export const c: EngineSupport = {
  charactersPerToken: 3.1,
  endings: [" x", ";", " x;", " {}", " x = x;"],
};

/** What the engines know of C++. */
// biome-ignore format: one list a line.
export const cpp: EngineSupport = {
  charactersPerToken: 2.8,
  family: "c",
  endings: [" x", ";", " x;", " {}", " x = x;"],
};
