import type { BlockRow, BlockTable } from "../block-table.ts";

const declarator = ":variable_declarator";
const variable: BlockRow = {
  what: "variable",
  name: [`${declarator} name`],
  body: [`${declarator} value body`],
  whatIf: [
    [`${declarator} value:arrow_function`, "function"],
    [`${declarator} value:function_expression`, "function"],
    [`${declarator} value:class`, "class"],
  ],
};
const field: BlockRow = {
  what: "field",
  name: ["name", "property"],
  body: ["value:arrow_function body"],
  whatIf: [["value:arrow_function", "method"]],
};
const expression: BlockRow = {
  what: "expression",
  wraps: [":internal_module"],
  calls: {
    callee: [":call_expression function"],
    names: { describe: "test", suite: "test", it: "test", test: "test", beforeEach: "test", afterEach: "test" },
    name: [":call_expression arguments :string", ":call_expression arguments :template_string"],
    body: [":call_expression arguments :arrow_function body", ":call_expression arguments :function_expression body"],
  },
};

/** TypeScript, JavaScript and both with JSX. */
export const scriptBlocks: BlockTable = {
  anywhere: {
    import_statement: { what: "import", name: ["source"] },
    import_alias: { what: "import", name: [":identifier"] },
    export_statement: {
      what: "export",
      name: ["source"],
      wraps: ["declaration", "value:class", "value:function_expression", "value:arrow_function"],
    },
    ambient_declaration: { what: "namespace", wraps: ["*"] },
    function_declaration: "function",
    generator_function_declaration: "function",
    function_signature: "function",
    class_declaration: "class",
    abstract_class_declaration: "class",
    interface_declaration: "interface",
    enum_declaration: "enum",
    enum_assignment: "case",
    type_alias_declaration: { what: "type", body: ["value:object_type"] },
    internal_module: "namespace",
    module: "namespace",
    lexical_declaration: {
      ...variable,
      in: ["program", "statement_block", "export_statement", "switch_case", "switch_default"],
    },
    variable_declaration: {
      ...variable,
      in: ["program", "statement_block", "export_statement", "switch_case", "switch_default"],
    },
    method_definition: "method",
    method_signature: "method",
    abstract_method_signature: "method",
    call_signature: "method",
    construct_signature: "constructor",
    public_field_definition: field,
    field_definition: field,
    property_signature: "field",
    index_signature: "field",
    property_identifier: { what: "case", name: ["."], in: ["enum_body"] },
    pair: {
      what: "method",
      name: ["key"],
      body: ["value body"],
      when: ["value:arrow_function", "value:function_expression"],
    },
    class_static_block: "block",
    expression_statement: expression,
    if_statement: { what: "if", body: ["consequence"] },
    for_statement: "loop",
    for_in_statement: "loop",
    while_statement: "loop",
    do_statement: "loop",
    switch_statement: "switch",
    switch_case: { what: "case", name: ["value"] },
    switch_default: "case",
    try_statement: "try",
    with_statement: "block",
    labeled_statement: { what: "block", wraps: ["body"] },
    return_statement: "return",
    throw_statement: "throw",
    break_statement: "jump",
    continue_statement: "jump",
    debugger_statement: "other",
  },
  statements: {
    statement_block: { what: "block", body: ["."] },
    // These three only occur here after `export default`.
    class: "class",
    function_expression: "function",
    arrow_function: "function",
  },
  statementsIn: ["program", "statement_block", "switch_case", "switch_default"],
  leading: ["decorator"],
  constructors: ["constructor"],
};
