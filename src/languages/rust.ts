import type { EngineSupport } from "./language-support.ts";

/** What the engines know of Rust. */
export const rust: EngineSupport = {
  charactersPerToken: 3.4,
  endings: [" x", ";", " {}", " x;", " x {}"],
};
