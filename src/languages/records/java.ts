import { shapeOfType } from "../declaration-style.ts";
import { inFunction, inLoop, loopOrSwitch } from "../jump-rule.ts";
import type { LanguageRow } from "../language.ts";
import { typeFirstTraits } from "../language-traits.ts";
import { double, single, slashes, statements, tripleDouble } from "./spellings.ts";

const constructors = ["constructor_declaration", "compact_constructor_declaration"];
const functions = ["method_declaration", ...constructors, "lambda_expression"];
const loops = ["for_statement", "enhanced_for_statement", "while_statement", "do_statement"];

/** Java. */
export const java: LanguageRow = {
  id: "java",
  name: "Java",
  extensions: [".java"],
  ...slashes,
  strings: [tripleDouble, double, single],
  grammar: "java",
  hasAmbiguousBrackets: true,
  charactersPerToken: 3.7,
  endings: [" x", ";", " x;", " {}", " x() {}", " x = x;"],
  blocks: {
    anywhere: {
      ...statements,
      package_declaration: { what: "namespace", name: ["*"] },
      module_declaration: "namespace",
      import_declaration: { what: "import", name: ["*"] },
      class_declaration: "class",
      record_declaration: "class",
      interface_declaration: "interface",
      annotation_type_declaration: "interface",
      enum_declaration: "enum",
      enum_constant: "case",
      method_declaration: "method",
      annotation_type_element_declaration: "method",
      constructor_declaration: "constructor",
      compact_constructor_declaration: "constructor",
      field_declaration: { what: "field", name: ["declarator name"] },
      constant_declaration: { what: "field", name: ["declarator name"] },
      static_initializer: { what: "block", body: [":block"] },
      expression_statement: { what: "expression", wraps: [":switch_expression"] },
      enhanced_for_statement: { what: "loop", name: [] },
      switch_block_statement_group: { what: "case", name: [":switch_label *"] },
      switch_rule: { what: "case", name: [":switch_label *"] },
      try_with_resources_statement: "try",
      synchronized_statement: "block",
      labeled_statement: { what: "block", name: [":identifier"] },
      yield_statement: "return",
      assert_statement: "other",
    },
    statements: {
      local_variable_declaration: { what: "variable", name: ["declarator name"] },
      switch_expression: "switch",
      block: { what: "block", body: ["."] },
    },
    statementsIn: ["program", "block", "constructor_body", "switch_block_statement_group"],
  },
  jumps: {
    return_statement: inFunction(functions, ["class_body"]),
    break_statement: inLoop([...loops, "switch_expression"], functions, loopOrSwitch),
    continue_statement: inLoop(loops, functions),
  },
  // biome-ignore format: one list a line.
  treeNames: {
    functions: "method_declaration constructor_declaration lambda_expression compact_constructor_declaration",
    scopes: "class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration block for_statement enhanced_for_statement try_with_resources_statement catch_clause switch_block_statement_group switch_rule",
    owners: "class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration",
    declares: "variable_declarator.name formal_parameter.name catch_formal_parameter.name enhanced_for_statement.name resource.name inferred_parameters lambda_expression.parameters type_parameter",
    declaresAround: "class_declaration.name interface_declaration.name enum_declaration.name record_declaration.name annotation_type_declaration.name",
    memberDeclares: "method_declaration.name variable_declarator.name enum_constant.name", bindsMembers: true,
    members: "field_access.field method_invocation.name scoped_type_identifier", keys: "element_value_pair.key",
    imports: "import_declaration", ignored: "package_declaration labeled_statement break_statement continue_statement",
    receivers: "object", self: "this",
  },
  binder: {},
  traits: {
    ...typeFirstTraits,
    classParameters: true,
    isPrivate: /\bprivate\b/,
    importName: (source) => source.replace(/^import\s+(static\s+)?|(?<!\s)\s*;$/g, ""),
    testMark: /@(Test|ParameterizedTest|RepeatedTest|TestFactory)\b/,
  },
  declarations: {
    head: /(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed|strictfp)\s+)*(?<word>class|interface|enum|record|@interface)\s+(?<name>\w+)/y,
    shapeOf: shapeOfType,
  },
  imports: "classes",
  fills: { name: "java", isImported: true, accepted: { files: 335, of: 335 } },
};
