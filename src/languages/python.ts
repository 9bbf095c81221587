import type { EngineSupport } from "./language-support.ts";

/** What the engines know of Python. */
// biome-ignore format: one list a line.
export const python: EngineSupport = {
  charactersPerToken: 3.6,
  endings: [" x", "\n    pass", ": pass", "\n    pass\nexcept x:\n    pass", " x: pass"],
  names: {
    functions: "function_definition lambda",
    scopes: "list_comprehension set_comprehension dictionary_comprehension generator_expression",
    owners: "class_definition",
    declares: "parameters lambda_parameters typed_parameter default_parameter.name typed_default_parameter.name list_splat_pattern dictionary_splat_pattern assignment.left for_statement.left for_in_clause.left as_pattern_target named_expression.name aliased_import.alias",
    declaresAround: "function_definition.name class_definition.name",
    memberDeclares: "function_definition.name assignment.left",
    members: "attribute.attribute", keys: "keyword_argument.name",
    imports: "import_from_statement.name",
    ignored: "import_from_statement.module_name import_statement.name global_statement nonlocal_statement",
    receiver: "object", self: "self cls", exportList: "__all__",
  },
};
