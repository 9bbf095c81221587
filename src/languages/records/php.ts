import { inFunction, inLoop, loopOrSwitch } from "../jump-rule.ts";
import type { LanguageRow } from "../language.ts";
import { backticks, double, single, slashes, statements } from "./spellings.ts";

const functions = ["function_definition", "method_declaration", "anonymous_function", "arrow_function"];
const loops = ["for_statement", "foreach_statement", "while_statement", "do_statement", "switch_statement"];

/** PHP. */
export const php: LanguageRow = {
  id: "php",
  name: "PHP",
  extensions: [".php", ".phtml", ".php8"],
  firstLine: /^<\?php|^#!.*\bphp\b/,
  lineComments: ["//", "#"],
  blockComments: slashes.blockComments,
  strings: [
    {
      ...double,
      multiline: true,
      interpolation: [
        ["{$", "}"],
        ["${", "}"],
      ],
    },
    { ...single, multiline: true },
    { ...backticks, escape: "backslash" },
  ],
  quirks: { heredoc: /<<<[ \t]*(["']?)([A-Za-z_]\w*)\1/, island: ["<?", "?>"] },
  grammar: "php",
  charactersPerToken: 3.9,
  endings: [" x", ";", " x;", "x;", " $x;", " {}", "x() {}"],
  blocks: {
    anywhere: {
      ...statements,
      namespace_definition: "namespace",
      namespace_use_declaration: { what: "import", name: [":namespace_use_clause *"] },
      use_declaration: { what: "import", name: ["*"] },
      const_declaration: { what: "variable", name: [":const_element :name"] },
      class_declaration: "class",
      trait_declaration: "class",
      interface_declaration: "interface",
      enum_declaration: "enum",
      enum_case: "case",
      function_definition: "function",
      method_declaration: "method",
      property_declaration: { what: "field", name: [":property_element name"] },
      expression_statement: {
        what: "expression",
        name: [":assignment_expression left:variable_name"],
        whatIf: [[":assignment_expression left:variable_name", "variable"]],
      },
      echo_statement: "expression",
      unset_statement: "expression",
      if_statement: "if",
      foreach_statement: "loop",
      case_statement: { what: "case", name: ["value"] },
      default_statement: "case",
      exit_statement: "jump",
      goto_statement: "jump",
      declare_statement: "other",
      global_declaration: "other",
      function_static_declaration: "other",
    },
    statements: { compound_statement: { what: "block", body: ["."] } },
    statementsIn: ["program", "compound_statement", "colon_block", "case_statement", "default_statement"],
    constructors: ["__construct"],
  },
  // None for `return`, which is allowed at the top.
  jumps: {
    yield_expression: inFunction(functions),
    break_statement: inLoop(loops, functions, loopOrSwitch),
    continue_statement: inLoop(loops, functions, loopOrSwitch),
  },
  // biome-ignore format: one list a line.
  treeNames: {
    functions: "function_definition method_declaration anonymous_function arrow_function",
    owners: "class_declaration interface_declaration trait_declaration enum_declaration",
    declares: "simple_parameter.name variadic_parameter.name assignment_expression.left catch_clause.name static_variable_declaration.name",
    declaresAround: "function_definition.name class_declaration.name interface_declaration.name trait_declaration.name enum_declaration.name",
    memberDeclares: "method_declaration.name property_element.name const_element",
    members: "member_access_expression.name member_call_expression.name scoped_call_expression.name class_constant_access_expression scoped_property_access_expression.name", keys: "argument.name",
    imports: "namespace_use_clause", ignored: "namespace_definition",
    receivers: "object", self: "this",
  },
  binder: {},
  traits: {
    implicitLocals: true,
    namespacesName: false,
    isPrivate: /\bprivate\b/,
    testFile: /Test\.php$/,
    testName: /^test/,
  },
};
