import type { EngineSupport } from "./language-support.ts";

/** What the engines know of HTML. */
export const html: EngineSupport = {
  charactersPerToken: 3,
  hasElements: true,
  endings: [],
};

/** What the engines know of Vue. */
export const vue: EngineSupport = { charactersPerToken: 2.9 };

/** What the engines know of Svelte. */
export const svelte: EngineSupport = { charactersPerToken: 3.2 };

/** What the engines know of CSS. */
export const css: EngineSupport = {
  charactersPerToken: 2.6,
  endings: [" x", ";", " x;", ": x;", " {}", "x {}"],
};

/** What the engines know of SCSS. */
export const scss: EngineSupport = { charactersPerToken: 2.6 };

/** What the engines know of Markdown. */
export const markdown: EngineSupport = { charactersPerToken: 3.2 };
