import type { BlockTable } from "../block-table.ts";

/** Python. */
export const pythonBlocks: BlockTable = {
  anywhere: {
    import_statement: { what: "import", name: ["name"] },
    import_from_statement: { what: "import", name: ["module_name"] },
    future_import_statement: { what: "import", name: ["name"] },
    decorated_definition: { what: "other", wraps: ["definition"] },
    class_definition: "class",
    function_definition: "function",
    type_alias_statement: { what: "type", name: ["left"] },
    expression_statement: {
      what: "expression",
      name: [":assignment left:identifier"],
      whatIf: [[":assignment left:identifier", "variable"]],
    },
    if_statement: { what: "if", body: ["consequence"] },
    for_statement: "loop",
    while_statement: "loop",
    match_statement: "switch",
    case_clause: { what: "case", name: [":case_pattern"], body: ["consequence"] },
    try_statement: "try",
    with_statement: "block",
    return_statement: "return",
    raise_statement: "throw",
    break_statement: "jump",
    continue_statement: "jump",
    pass_statement: "other",
    assert_statement: "other",
    delete_statement: "other",
    global_statement: "other",
    nonlocal_statement: "other",
  },
  statements: {},
  statementsIn: ["module", "block"],
  leading: [],
  constructors: ["__init__", "__new__"],
};
