import type { EngineSupport } from "./language-support.ts";

/** What the engines know of JSON. */
export const json: EngineSupport = {
  charactersPerToken: 3,
  endings: [" 0", ": 0", " {}", '"x": 0'],
};

/** What the engines know of JSON with comments. */
export const jsonc: EngineSupport = json;

/** What the engines know of YAML. */
export const yaml: EngineSupport = { charactersPerToken: 3.3 };

/** What the engines know of TOML. */
export const toml: EngineSupport = { charactersPerToken: 2.9 };

/** What the engines know of SQL. */
export const sql: EngineSupport = { charactersPerToken: 3.3 };
