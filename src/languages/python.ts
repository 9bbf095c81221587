import type { EngineSupport } from "./language-support.ts";

/** What the engines know of Python. */
export const python: EngineSupport = {
  charactersPerToken: 3.6,
  endings: [" x", "\n    pass", ": pass", "\n    pass\nexcept x:\n    pass", " x: pass"],
};
