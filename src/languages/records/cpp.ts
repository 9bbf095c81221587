import type { LanguageRow } from "../language.ts";
import { c } from "./c.ts";
import { double, prefixedSingle, slashes } from "./spellings.ts";

/** C++. */
export const cpp: LanguageRow = {
  id: "cpp",
  name: "C++",
  extensions: [".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".inl"],
  ...slashes,
  strings: [double, prefixedSingle],
  quirks: { literals: [["uULR", /(?:u8|[uUL])?R"([^()\\\s]{0,16})\([\s\S]*?(?:\)\1"|(?<open>$))/]] },
  grammar: "cpp",
  hasAmbiguousBrackets: true,
  charactersPerToken: 2.8,
  family: "c",
  endings: c.endings,
  blocks: c.blocks,
  jumps: c.jumps,
  // biome-ignore format: one list a line.
  treeNames: {
    ...c.treeNames,
    functions: "function_definition lambda_expression",
    scopes: "compound_statement for_statement for_range_loop class_specifier struct_specifier namespace_definition",
    owners: "class_specifier struct_specifier union_specifier",
    declares: `${c.treeNames.declares} for_range_loop.declarator optional_parameter_declaration.declarator type_parameter_declaration reference_declarator`,
    declaresAround: `${c.treeNames.declaresAround} class_specifier.name alias_declaration.name`,
    memberDeclares: "field_declaration.declarator function_declarator.declarator",
    bindsMembers: true,
    members: "field_expression.field qualified_identifier.name",
    self: "this",
  },
  binder: {},
  traits: c.traits,
  declarations: {
    ...c.declarations,
    shapeOf: (word) => (word === "namespace" ? "namespace" : /^(?:class|struct)/.test(word) ? "container" : "data"),
  },
  imports: "includes",
};
