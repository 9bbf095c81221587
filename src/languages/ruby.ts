import type { EngineSupport } from "./language-support.ts";

/** What the engines know of Ruby. */
export const ruby: EngineSupport = {
  charactersPerToken: 3.2,
  endings: [" x", "\nend", " x\nend", "\nend\nend", "\nwhen x\nend"],
};
