import type { EngineSupport } from "./language-support.ts";

/** What the engines know of C. */
export const c: EngineSupport = {
  charactersPerToken: 3.1,
  endings: [" x", ";", " x;", " {}", " x = x;"],
};

/** What the engines know of C++. */
export const cpp: EngineSupport = { ...c, charactersPerToken: 2.8, family: "c" };
