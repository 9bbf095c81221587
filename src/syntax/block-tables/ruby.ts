import type { BlockRow, BlockTable } from "../block-table.ts";

const call: BlockRow = {
  what: "expression",
  calls: {
    callee: ["method"],
    names: {
      require: "import",
      require_relative: "import",
      include: "import",
      extend: "import",
      attr_reader: "field",
      attr_writer: "field",
      attr_accessor: "field",
      describe: "test",
      context: "test",
      it: "test",
      test: "test",
    },
    name: ["arguments *"],
    body: ["block body"],
  },
};

/** Ruby. */
export const rubyBlocks: BlockTable = {
  anywhere: {
    module: "namespace",
    class: "class",
    singleton_class: { what: "class", name: ["value"] },
    method: "function",
    singleton_method: "function",
    when: { what: "case", name: ["pattern"] },
    in_clause: { what: "case", name: ["pattern"] },
  },
  statements: {
    call,
    assignment: {
      what: "expression",
      name: ["left:constant", "left:identifier"],
      whatIf: [
        ["left:constant", "variable"],
        ["left:identifier", "variable"],
      ],
    },
    if: { what: "if", body: ["consequence"] },
    unless: { what: "if", body: ["consequence"] },
    if_modifier: { what: "if", name: [] },
    unless_modifier: { what: "if", name: [] },
    while: "loop",
    until: "loop",
    for: "loop",
    while_modifier: "loop",
    until_modifier: "loop",
    case: "switch",
    case_match: "switch",
    begin: { what: "try", body: ["."] },
    rescue_modifier: "try",
    return: "return",
    break: "jump",
    next: "jump",
    redo: "jump",
    retry: "jump",
    alias: "other",
    undef: "other",
  },
  statementsIn: ["program", "body_statement", "block_body", "then", "else", "ensure", "do", "begin"],
  fallback: "expression",
  leading: [],
  constructors: ["initialize"],
};
