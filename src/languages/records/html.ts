import type { BlockRow } from "../block-table.ts";
import type { LanguageRow } from "../language.ts";
import { angles } from "./spellings.ts";

const element: BlockRow = {
  what: "element",
  name: [":start_tag :tag_name", ":self_closing_tag :tag_name"],
  between: [":start_tag", ":end_tag"],
};

/** HTML. */
export const html: LanguageRow = {
  id: "html",
  name: "HTML",
  extensions: [".html", ".htm", ".xhtml", ".shtml"],
  firstLine: /^\s*<!doctype html/i,
  ...angles,
  strings: [],
  brackets: [["<", ">"]],
  quirks: { markup: true },
  grammar: "html",
  charactersPerToken: 3,
  hasElements: true,
  endings: [],
  blocks: { anywhere: { doctype: "other", element, script_element: element, style_element: element } },
  traits: { isData: true },
};
