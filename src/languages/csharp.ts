import type { EngineSupport } from "./language-support.ts";

/** What the engines know of C#. */
export const csharp: EngineSupport = {
  charactersPerToken: 4.5,
  endings: [" x", ";", " x;", " {}", " x() {}", " x = x;"],
};
