import type { BlockRow, BlockTable } from "../block-table.ts";
import type { DeclarationShape } from "../declaration-style.ts";
import type { LanguageRow } from "../language.ts";
import { double, single, slashes, statements, template } from "./spellings.ts";

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

const blocks: BlockTable = {
  anywhere: {
    ...statements,
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
    for_in_statement: "loop",
    switch_case: { what: "case", name: ["value"] },
    switch_default: "case",
    with_statement: "block",
    labeled_statement: { what: "block", wraps: ["body"] },
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

const declared: Readonly<Record<string, DeclarationShape>> = {
  class: "container",
  interface: "data",
  type: "data",
  enum: "data",
  namespace: "namespace",
  module: "namespace",
  global: "namespace",
  const: "value",
  let: "value",
  var: "value",
};

/** What TypeScript, JavaScript and both with JSX share. */
export const script = {
  ...slashes,
  strings: [double, single, template],
  quirks: { regex: true, jsx: true },
  blocks,
  declarations: {
    head: /(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const\s+(?=enum\b))?(?<word>function|class|interface|type|enum|namespace|module|global|const|let|var)\b\s*\*?\s*(?<name>[\w$]*)/y,
    shapeOf: (word) => declared[word] ?? "function",
  },
} satisfies Partial<LanguageRow>;
