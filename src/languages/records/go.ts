import type { DeclarationShape } from "../declaration-style.ts";
import { inFunction, inLoop, loopOrSwitch } from "../jump-rule.ts";
import type { LanguageRow } from "../language.ts";
import { backticks, double, single, slashes, statements } from "./spellings.ts";

const functions = ["function_declaration", "method_declaration", "func_literal"];
const declared: Readonly<Record<string, DeclarationShape>> = {
  func: "function",
  type: "data",
  const: "value",
  var: "value",
};

/** Go. */
export const go: LanguageRow = {
  id: "go",
  name: "Go",
  extensions: [".go"],
  ...slashes,
  strings: [double, single, backticks],
  grammar: "go",
  charactersPerToken: 3.2,
  endings: [" x", " {}", " x {}", " x }"],
  blocks: {
    anywhere: {
      ...statements,
      package_clause: { what: "namespace", name: [":package_identifier"] },
      import_declaration: { what: "import", name: [":import_spec path"] },
      const_declaration: { what: "variable", wraps: [":const_spec"] },
      const_spec: "variable",
      var_declaration: { what: "variable", wraps: [":var_spec"] },
      var_spec: "variable",
      type_declaration: { what: "type", wraps: [":type_spec", ":type_alias"] },
      type_spec: {
        what: "type",
        body: ["type:struct_type :field_declaration_list", "type:interface_type"],
        whatIf: [
          ["type:struct_type", "class"],
          ["type:interface_type", "interface"],
        ],
      },
      type_alias: "type",
      field_declaration: "field",
      method_elem: "method",
      function_declaration: "function",
      method_declaration: "method",
      expression_switch_statement: "switch",
      type_switch_statement: "switch",
      select_statement: "switch",
      expression_case: { what: "case", name: ["value"] },
      type_case: { what: "case", name: ["type"] },
      communication_case: { what: "case", name: ["communication"] },
      default_case: "case",
      labeled_statement: { what: "block", name: ["label"] },
      goto_statement: "jump",
      fallthrough_statement: "jump",
    },
    statements: {
      short_var_declaration: { what: "variable", name: ["left"] },
      block: { what: "block", body: ["."] },
      go_statement: "other",
      defer_statement: "other",
      empty_statement: "other",
    },
    statementsIn: ["statement_list"],
    fallback: "expression",
  },
  jumps: {
    return_statement: inFunction(functions),
    break_statement: inLoop(
      ["for_statement", "expression_switch_statement", "type_switch_statement", "select_statement"],
      functions,
      loopOrSwitch,
    ),
    continue_statement: inLoop(["for_statement"], functions),
  },
  // biome-ignore format: one list a line.
  treeNames: {
    functions: "function_declaration method_declaration func_literal",
    scopes: "block if_statement for_statement expression_switch_statement type_switch_statement expression_case type_case default_case communication_case",
    owners: "struct_type interface_type",
    declares: "parameter_declaration.name variadic_parameter_declaration.name short_var_declaration.left var_spec.name const_spec.name range_clause.left type_switch_statement.alias type_parameter_declaration.name import_spec.name",
    declaresAround: "function_declaration.name type_spec.name type_alias.name",
    memberDeclares: "method_declaration.name field_declaration.name method_elem.name method_spec.name",
    members: "selector_expression.field qualified_type.name", keys: "keyed_element.key",
    ignored: "package_clause label_name",
    receivers: "operand package",
  },
  binder: {},
  traits: {
    receiver: /^func\s*\(\s*(?:\w+\s+)?(?:\*\s*)?(\w+)/,
    importName: (_, parts) => (parts.length === 1 ? parts[0]!.name : "()"),
    importPath: /(?:(?<![\w.])[\w.]+[^\S\n]+)?"([^"\n]+)"/g,
    testFile: /_test\.go$/,
    testName: /^(Test|Benchmark|Example|Fuzz)/,
  },
  declarations: {
    head: /(?:(?<word>func)\s*(?:\([^()]{0,200}\)\s*)?|(?<keyword>type|const|var)\s+)(?<name>\w+)|(?:const|var|type)\s*(?<group>\()/y,
    shapeOf: (word) => declared[word]!,
  },
  imports: "packages",
  fills: { name: "go", isImported: true, accepted: { files: 1042, of: 1042 } },
};
