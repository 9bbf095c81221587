import type { EngineSupport } from "./language-support.ts";

/** What the engines know of Java. */
// biome-ignore format: one list a line.
export const java: EngineSupport = {
  charactersPerToken: 3.7,
  endings: [" x", ";", " x;", " {}", " x() {}", " x = x;"],
  names: {
    functions: "method_declaration constructor_declaration lambda_expression compact_constructor_declaration",
    scopes: "class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration block for_statement enhanced_for_statement try_with_resources_statement catch_clause switch_block_statement_group switch_rule",
    owners: "class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration",
    declares: "variable_declarator.name formal_parameter.name catch_formal_parameter.name enhanced_for_statement.name resource.name inferred_parameters lambda_expression.parameters type_parameter",
    declaresAround: "class_declaration.name interface_declaration.name enum_declaration.name record_declaration.name annotation_type_declaration.name",
    memberDeclares: "method_declaration.name variable_declarator.name enum_constant.name", bindsMembers: true,
    members: "field_access.field method_invocation.name scoped_type_identifier", keys: "element_value_pair.key",
    imports: "import_declaration", ignored: "package_declaration labeled_statement break_statement continue_statement",
    receiver: "object", self: "this",
  },
};
