import type { EngineSupport } from "./language-support.ts";

/** What the engines know of PHP. */
// biome-ignore format: one list a line.
export const php: EngineSupport = {
  charactersPerToken: 3.9,
  endings: [" x", ";", " x;", "x;", " $x;", " {}", "x() {}"],
  names: {
    functions: "function_definition method_declaration anonymous_function arrow_function",
    owners: "class_declaration interface_declaration trait_declaration enum_declaration",
    declares: "simple_parameter.name variadic_parameter.name assignment_expression.left catch_clause.name static_variable_declaration.name",
    declaresAround: "function_definition.name class_declaration.name interface_declaration.name trait_declaration.name enum_declaration.name",
    memberDeclares: "method_declaration.name property_element.name const_element",
    members: "member_access_expression.name member_call_expression.name scoped_call_expression.name class_constant_access_expression scoped_property_access_expression.name", keys: "argument.name",
    imports: "namespace_use_clause", ignored: "namespace_definition",
    receiver: "object", self: "this",
  },
};
