import type { EngineSupport } from "./language-support.ts";

/** What the engines know of C. */
// biome-ignore format: one list a line.
export const c: EngineSupport = {
  charactersPerToken: 3.1,
  endings: [" x", ";", " x;", " {}", " x = x;"],
  names: {
    functions: "function_definition",
    scopes: "compound_statement for_statement",
    owners: "struct_specifier union_specifier",
    declares: "init_declarator.declarator declaration.declarator parameter_declaration.declarator enumerator.name",
    declaresAround: "function_declarator.declarator struct_specifier.name union_specifier.name enum_specifier.name type_definition.declarator preproc_def.name preproc_function_def.name",
    memberDeclares: "field_declaration.declarator",
    members: "field_expression.field field_designator", keys: "field_identifier",
    ignored: "goto_statement labeled_statement preproc_params",
    receiver: "argument",
  },
};

/** What the engines know of C++. */
// biome-ignore format: one list a line.
export const cpp: EngineSupport = {
  charactersPerToken: 2.8,
  family: "c",
  endings: [" x", ";", " x;", " {}", " x = x;"],
  names: {
    ...c.names,
    functions: "function_definition lambda_expression",
    scopes: "compound_statement for_statement for_range_loop class_specifier struct_specifier namespace_definition",
    owners: "class_specifier struct_specifier union_specifier",
    declares: `${c.names?.declares} for_range_loop.declarator optional_parameter_declaration.declarator type_parameter_declaration reference_declarator`,
    declaresAround: `${c.names?.declaresAround} class_specifier.name alias_declaration.name`,
    memberDeclares: "field_declaration.declarator function_declarator.declarator",
    bindsMembers: true,
    members: "field_expression.field qualified_identifier.name",
    self: "this",
  },
};
