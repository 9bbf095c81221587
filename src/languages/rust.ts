import type { EngineSupport } from "./language-support.ts";

/** What the engines know of Rust. */
// biome-ignore format: one list a line.
export const rust: EngineSupport = {
  charactersPerToken: 3.4,
  endings: [" x", ";", " {}", " x;", " x {}"],
  names: {
    functions: "function_item closure_expression function_signature_item",
    scopes: "block match_arm for_expression if_expression while_expression mod_item",
    owners: "impl_item trait_item struct_item enum_item union_item",
    declares: "let_declaration.pattern parameter.pattern closure_parameters for_expression.pattern match_pattern let_condition.pattern type_parameter.name use_as_clause.alias",
    declaresAround: "function_item.name struct_item.name enum_item.name trait_item.name type_item.name const_item.name static_item.name mod_item.name union_item.name macro_definition.name",
    memberDeclares: "function_item.name function_signature_item.name field_declaration.name enum_variant.name const_item.name associated_type.name",
    members: "field_expression.field scoped_identifier.name scoped_type_identifier.name", keys: "field_initializer.field shorthand_field_initializer",
    imports: "use_list scoped_use_list.list use_as_clause.path use_declaration.argument",
    ignored: "lifetime label",
    receiver: "value", self: "self Self", comparesCapitals: true,
  },
};
