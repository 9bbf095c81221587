import type { BlockRow } from "../block-table.ts";
import type { LanguageRow } from "../language.ts";
import { double, single, slashes } from "./spellings.ts";

const url = ["u", /url\(\s*[^"'\s)][^)]*(?:\)|(?<open>$))/] as const;
const rule: BlockRow = { what: "rule", name: ["^"], body: [":block", ":keyframe_block_list"] };

/** CSS. */
export const css: LanguageRow = {
  id: "css",
  name: "CSS",
  extensions: [".css"],
  blockComments: slashes.blockComments,
  strings: [double, single],
  quirks: { literals: [url] },
  grammar: "css",
  charactersPerToken: 2.6,
  endings: [" x", ";", " x;", ": x;", " {}", "x {}"],
  blocks: {
    anywhere: {
      rule_set: rule,
      media_statement: rule,
      supports_statement: rule,
      keyframes_statement: rule,
      keyframe_block: rule,
      scope_statement: rule,
      at_rule: rule,
      declaration: { what: "field", name: [":property_name"] },
      import_statement: { what: "import", name: ["*"] },
      charset_statement: "other",
      namespace_statement: "other",
    },
  },
  traits: { isData: true },
};

/** SCSS. */
export const scss: LanguageRow = {
  id: "scss",
  name: "SCSS",
  extensions: [".scss"],
  ...slashes,
  quirks: { literals: [url] },
  charactersPerToken: 2.6,
};

/** Less. */
export const less: LanguageRow = {
  id: "less",
  name: "Less",
  extensions: [".less"],
  ...slashes,
  quirks: { literals: [url] },
};
