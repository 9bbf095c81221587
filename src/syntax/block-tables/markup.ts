import type { BlockRow, BlockTable } from "../block-table.ts";

const none = { statements: {}, statementsIn: [], leading: [], constructors: [] } as const;

const element: BlockRow = {
  what: "element",
  name: [":start_tag :tag_name", ":self_closing_tag :tag_name"],
  between: [":start_tag", ":end_tag"],
};

/** HTML. */
export const htmlBlocks: BlockTable = {
  ...none,
  anywhere: { doctype: "other", element, script_element: element, style_element: element },
};

const rule: BlockRow = { what: "rule", name: ["^"], body: [":block", ":keyframe_block_list"] };

/** CSS. */
export const cssBlocks: BlockTable = {
  ...none,
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
};

/** JSON, with or without comments. */
export const jsonBlocks: BlockTable = {
  ...none,
  anywhere: { pair: { what: "property", name: ["key"], body: ["value:object", "value:array"] } },
};
