import type { LanguageRow } from "../language.ts";
import { double, slashes } from "./spellings.ts";

const shared = {
  ...slashes,
  strings: [double],
  hasBareValues: true,
  grammar: "json",
  charactersPerToken: 3,
  endings: [" 0", ": 0", " {}", '"x": 0'],
  blocks: {
    anywhere: { pair: { what: "property", name: ["key"], body: ["value:object", "value:array"] } },
  },
  traits: { isData: true },
} satisfies Partial<LanguageRow>;

/** JSON. */
export const json: LanguageRow = {
  id: "json",
  name: "JSON",
  extensions: [".json", ".webmanifest", ".geojson", ".har", ".ipynb", ".map"],
  filenames: [".prettierrc", "composer.lock"],
  ...shared,
  json: "strict",
  fills: { name: "json", isImported: false, accepted: { files: 5935, of: 5935 } },
};

/** JSON with comments. */
export const jsonc: LanguageRow = {
  id: "jsonc",
  name: "JSON with comments",
  extensions: [".jsonc", ".code-workspace", ".code-snippets"],
  filenames: [
    "tsconfig.json",
    "jsconfig.json",
    ".eslintrc",
    ".eslintrc.json",
    ".babelrc",
    ".swcrc",
    "settings.json",
    "launch.json",
    "tasks.json",
    "keybindings.json",
    "devcontainer.json",
  ],
  ...shared,
  json: "with-comments",
};
