import type { DeclarationShape } from "../declaration-style.ts";
import { inAsync, inFunction, inLoop } from "../jump-rule.ts";
import type { LanguageRow } from "../language.ts";
import { double, quotedCharacter, slashes } from "./spellings.ts";

const functions = ["function_item", "closure_expression", "async_block"];
const loops = ["loop_expression", "while_expression", "for_expression"];
const declared: Readonly<Record<string, DeclarationShape>> = {
  ...{ fn: "function", struct: "data", enum: "data", union: "data", trait: "container", impl: "container" },
  ...{ type: "data", const: "value", static: "value", mod: "namespace", "macro_rules!": "function" },
};

/** Rust. */
export const rust: LanguageRow = {
  id: "rust",
  name: "Rust",
  extensions: [".rs"],
  ...slashes,
  nestedComments: true,
  strings: [{ ...double, multiline: true }],
  quirks: { literals: [quotedCharacter, ["rbc", /(?:br|cr|r)(#*)"[\s\S]*?(?:"\1|(?<open>$))/]] },
  grammar: "rust",
  charactersPerToken: 3.4,
  endings: [" x", ";", " {}", " x;", " x {}"],
  blocks: {
    anywhere: {
      use_declaration: { what: "import", name: ["argument"] },
      extern_crate_declaration: "import",
      mod_item: "namespace",
      foreign_mod_item: "namespace",
      function_item: "function",
      function_signature_item: "function",
      struct_item: "class",
      union_item: "class",
      enum_item: "enum",
      enum_variant: "case",
      trait_item: "interface",
      impl_item: { what: "implementation", name: ["type"] },
      type_item: "type",
      associated_type: "type",
      const_item: "variable",
      static_item: "variable",
      field_declaration: "field",
      macro_definition: "macro",
      let_declaration: { what: "variable", name: ["pattern"] },
      match_arm: { what: "case", name: ["pattern"], body: ["value:block"] },
    },
    statements: {
      expression_statement: { what: "expression", wraps: ["*"] },
      if_expression: { what: "if", body: ["consequence"] },
      match_expression: "switch",
      for_expression: "loop",
      while_expression: "loop",
      loop_expression: "loop",
      return_expression: "return",
      break_expression: "jump",
      continue_expression: "jump",
      block: { what: "block", body: ["."] },
      unsafe_block: { what: "block", body: [":block"] },
    },
    statementsIn: ["source_file", "declaration_list", "block"],
    fallback: "expression",
    leading: ["attribute_item"],
  },
  jumps: {
    return_expression: inFunction(functions),
    break_expression: inLoop(loops, functions),
    continue_expression: inLoop(loops, functions),
    await_expression: inAsync(functions),
  },
  // biome-ignore format: one list a line.
  treeNames: {
    functions: "function_item closure_expression function_signature_item",
    scopes: "block match_arm for_expression if_expression while_expression mod_item",
    owners: "impl_item trait_item struct_item enum_item union_item",
    declares: "let_declaration.pattern parameter.pattern closure_parameters for_expression.pattern match_pattern let_condition.pattern type_parameter.name use_as_clause.alias",
    declaresAround: "function_item.name struct_item.name enum_item.name trait_item.name type_item.name const_item.name static_item.name mod_item.name union_item.name macro_definition.name",
    memberDeclares: "function_item.name function_signature_item.name field_declaration.name enum_variant.name const_item.name associated_type.name",
    members: "field_expression.field scoped_identifier.name scoped_type_identifier.name", keys: "field_initializer.field shorthand_field_initializer",
    imports: "use_list scoped_use_list.list use_as_clause.path use_declaration.argument",
    ignored: "lifetime label",
    receivers: "value", self: "self Self", comparesCapitals: true,
  },
  binder: {},
  traits: {
    tuples: true,
    lastIsValue: true,
    importList: /^(?:pub\S*\s+)?use\s[\s\S]*?\{/,
    angles: true,
    quotes: '"',
    namespacesName: true,
    isTyped: /:/,
    testMark: /#\[\s*([\w:]+::)?(test|rstest|bench)\b/,
  },
  declarations: {
    head: /(?:pub(?:\s*\([^()]{0,60}\))?\s+)?(?:(?:default|async|unsafe|const(?=\s+(?:fn|unsafe|async|extern))|extern(?:\s+\S+)?(?=\s+fn))\s+)*(?<word>fn|struct|enum|union|trait|type|const|static|mod|macro_rules!)\s+(?:mut\s+)?(?<name>\w+)|(?:unsafe\s+)?impl\b\s*(?:<[^{;]{0,300}?>\s*)?(?:[\w:<>,'&\s]{1,300}?\sfor\s+)?(?:\w+::)*(?<impl>\w+)[^{;]{0,500}(?=\{)/y,
    shapeOf: (word) => declared[word]!,
  },
  imports: "paths",
  fills: { name: "rust", isImported: true, accepted: { files: 1033, of: 1033 } },
};
