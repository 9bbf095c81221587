import type { EngineSupport } from "./language-support.ts";

/** What the engines know of the shell. */
export const shellscript: EngineSupport = {
  charactersPerToken: 2.9,
  endings: [
    " x",
    "\nfi",
    "\ndone",
    "\nesac",
    "; then\n  x\nfi",
    "; do\n  x\ndone",
    "\n  x\nfi",
    "\n  x\ndone",
    "\n  x) x ;;\nesac",
  ],
};
