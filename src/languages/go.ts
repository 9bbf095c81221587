import type { EngineSupport } from "./language-support.ts";

/** What the engines know of Go. */
// biome-ignore format: one list a line.
export const go: EngineSupport = {
  charactersPerToken: 3.2,
  endings: [" x", " {}", " x {}", " x }"],
  names: {
    functions: "function_declaration method_declaration func_literal",
    scopes: "block if_statement for_statement expression_switch_statement type_switch_statement expression_case type_case default_case communication_case",
    owners: "struct_type interface_type",
    declares: "parameter_declaration.name variadic_parameter_declaration.name short_var_declaration.left var_spec.name const_spec.name range_clause.left type_switch_statement.alias type_parameter_declaration.name import_spec.name",
    declaresAround: "function_declaration.name type_spec.name type_alias.name",
    memberDeclares: "method_declaration.name field_declaration.name method_elem.name method_spec.name",
    members: "selector_expression.field qualified_type.name", keys: "keyed_element.key",
    ignored: "package_clause label_name",
    receiver: "operand",
  },
};
