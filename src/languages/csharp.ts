import type { EngineSupport } from "./language-support.ts";

/** What the engines know of C#. */
// biome-ignore format: one list a line.
export const csharp: EngineSupport = {
  charactersPerToken: 4.5,
  endings: [" x", ";", " x;", " {}", " x() {}", " x = x;"],
  names: {
    functions: "method_declaration constructor_declaration lambda_expression local_function_statement anonymous_method_expression operator_declaration accessor_declaration",
    scopes: "class_declaration interface_declaration struct_declaration record_declaration enum_declaration block for_statement foreach_statement using_statement catch_clause switch_section namespace_declaration",
    owners: "class_declaration interface_declaration struct_declaration record_declaration enum_declaration",
    declares: "variable_declarator.name parameter.name implicit_parameter foreach_statement.left catch_declaration.name type_parameter.name declaration_pattern.name declaration_expression.name",
    declaresAround: "class_declaration.name interface_declaration.name struct_declaration.name record_declaration.name enum_declaration.name delegate_declaration.name local_function_statement.name",
    memberDeclares: "method_declaration.name property_declaration.name event_declaration.name variable_declarator.name enum_member_declaration.name", bindsMembers: true,
    members: "member_access_expression.name member_binding_expression.name qualified_name.name", keys: "argument.name name_colon",
    ignored: "namespace_declaration.name file_scoped_namespace_declaration.name using_directive labeled_statement goto_statement",
    receiver: "expression", self: "this",
  },
};
