import type { EngineSupport } from "./language-support.ts";

/** What the engines know of PHP. */
export const php: EngineSupport = {
  charactersPerToken: 3.9,
  endings: [" x", ";", " x;", "x;", " $x;", " {}", "x() {}"],
};
