/**
 * Where the trees of a language have names. Positions are written `node.field`, or `node` for all
 * children of such a node that have no field of their own.
 *
 * Names are those of the official tree-sitter grammars.
 */
export interface TreeNameRules {
  /** Nodes that are scopes of their declarations. */
  readonly scopes: ReadonlySet<string>;
  /**
   * The scopes that are functions: members of owners end with them, and parameters belong to them.
   */
  readonly functions: ReadonlySet<string>;
  /** Nodes that have members: classes and the like. */
  readonly owners: ReadonlySet<string>;
  /** Declarations in the innermost scope: an identifier, or all identifiers of a pattern. */
  readonly declares: ReadonlySet<string>;
  /** Declarations in the scope around the node that they name. */
  readonly declaresAround: ReadonlySet<string>;
  /** Declarations of members, directly inside an owner. */
  readonly memberDeclares: ReadonlySet<string>;
  /** Whether members can be used by their bare names inside their owner. */
  readonly bindsMembers: boolean;
  readonly members: ReadonlySet<string>;
  readonly keys: ReadonlySet<string>;
  readonly imports: ReadonlySet<string>;
  /** Identifiers without a meaning for renames: labels, and the parts of a package's path. */
  readonly ignored: ReadonlySet<string>;
  /** The fields of a member access that have the object, or the package. */
  readonly receivers: ReadonlySet<string>;
  /** The names of the current object. */
  readonly self: ReadonlySet<string>;
  /** The variable whose strings list a module's exports; empty where the language has none. */
  readonly exportList: string;
  /** Whether a capitalized name in a pattern is compared with and not declared. */
  readonly comparesCapitals: boolean;
}

type Row = {
  readonly [K in keyof TreeNameRules]?: TreeNameRules[K] extends ReadonlySet<string> ? string : TreeNameRules[K];
};

// biome-ignore format: one list a line.
const rows: Readonly<Record<string, Row>> = {
  python: {
    functions: "function_definition lambda",
    scopes: "list_comprehension set_comprehension dictionary_comprehension generator_expression",
    owners: "class_definition",
    declares: "parameters lambda_parameters typed_parameter default_parameter.name typed_default_parameter.name list_splat_pattern dictionary_splat_pattern assignment.left for_statement.left for_in_clause.left as_pattern_target named_expression.name aliased_import.alias",
    declaresAround: "function_definition.name class_definition.name",
    memberDeclares: "function_definition.name assignment.left",
    members: "attribute.attribute", keys: "keyword_argument.name",
    imports: "import_from_statement.name",
    ignored: "import_from_statement.module_name import_statement.name global_statement nonlocal_statement",
    receivers: "object", self: "self cls", exportList: "__all__",
  },
  go: {
    functions: "function_declaration method_declaration func_literal",
    scopes: "block if_statement for_statement expression_switch_statement type_switch_statement expression_case type_case default_case communication_case",
    owners: "struct_type interface_type",
    declares: "parameter_declaration.name variadic_parameter_declaration.name short_var_declaration.left var_spec.name const_spec.name range_clause.left type_switch_statement.alias type_parameter_declaration.name import_spec.name",
    declaresAround: "function_declaration.name type_spec.name type_alias.name",
    memberDeclares: "method_declaration.name field_declaration.name method_elem.name method_spec.name",
    members: "selector_expression.field qualified_type.name", keys: "keyed_element.key",
    ignored: "package_clause label_name",
    receivers: "operand package",
  },
  rust: {
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
  java: {
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
  csharp: {
    functions: "method_declaration constructor_declaration lambda_expression local_function_statement anonymous_method_expression operator_declaration accessor_declaration",
    scopes: "class_declaration interface_declaration struct_declaration record_declaration enum_declaration block for_statement foreach_statement using_statement catch_clause switch_section namespace_declaration",
    owners: "class_declaration interface_declaration struct_declaration record_declaration enum_declaration",
    declares: "variable_declarator.name parameter.name implicit_parameter foreach_statement.left catch_declaration.name type_parameter.name declaration_pattern.name declaration_expression.name",
    declaresAround: "class_declaration.name interface_declaration.name struct_declaration.name record_declaration.name enum_declaration.name delegate_declaration.name local_function_statement.name",
    memberDeclares: "method_declaration.name property_declaration.name event_declaration.name variable_declarator.name enum_member_declaration.name", bindsMembers: true,
    members: "member_access_expression.name member_binding_expression.name qualified_name.name", keys: "argument.name name_colon",
    ignored: "namespace_declaration.name file_scoped_namespace_declaration.name using_directive labeled_statement goto_statement",
    receivers: "expression", self: "this",
  },
  c: {
    functions: "function_definition",
    scopes: "compound_statement for_statement",
    owners: "struct_specifier union_specifier",
    declares: "init_declarator.declarator declaration.declarator parameter_declaration.declarator enumerator.name",
    declaresAround: "function_declarator.declarator struct_specifier.name union_specifier.name enum_specifier.name type_definition.declarator preproc_def.name preproc_function_def.name",
    memberDeclares: "field_declaration.declarator",
    members: "field_expression.field field_designator", keys: "field_identifier",
    ignored: "goto_statement labeled_statement preproc_params",
    receivers: "argument",
  },
  ruby: {
    functions: "method singleton_method", scopes: "block do_block lambda class module",
    owners: "class module",
    declares: "assignment.left method_parameters block_parameters lambda_parameters optional_parameter.name splat_parameter.name keyword_parameter.name hash_splat_parameter.name block_parameter.name left_assignment_list exception_variable",
    declaresAround: "class.name module.name",
    memberDeclares: "method.name singleton_method.name",
    members: "call.method scope_resolution.name", receivers: "receiver", self: "self",
  },
  php: {
    functions: "function_definition method_declaration anonymous_function arrow_function",
    owners: "class_declaration interface_declaration trait_declaration enum_declaration",
    declares: "simple_parameter.name variadic_parameter.name assignment_expression.left catch_clause.name static_variable_declaration.name",
    declaresAround: "function_definition.name class_declaration.name interface_declaration.name trait_declaration.name enum_declaration.name",
    memberDeclares: "method_declaration.name property_element.name const_element",
    members: "member_access_expression.name member_call_expression.name scoped_call_expression.name class_constant_access_expression scoped_property_access_expression.name", keys: "argument.name",
    imports: "namespace_use_clause", ignored: "namespace_definition",
    receivers: "object", self: "this",
  },
};

const cpp: Row = {
  ...rows["c"],
  functions: "function_definition lambda_expression",
  scopes: "compound_statement for_statement for_range_loop class_specifier struct_specifier namespace_definition",
  owners: "class_specifier struct_specifier union_specifier",
  declares: `${rows["c"]!.declares as string} for_range_loop.declarator optional_parameter_declaration.declarator type_parameter_declaration reference_declarator`,
  declaresAround: `${rows["c"]!.declaresAround as string} class_specifier.name alias_declaration.name`,
  memberDeclares: "field_declaration.declarator function_declarator.declarator",
  bindsMembers: true,
  members: "field_expression.field qualified_identifier.name",
  self: "this",
};

/** The rules by language id. */
export const treeNameRules: ReadonlyMap<string, TreeNameRules> = new Map(
  Object.entries({ ...rows, cpp }).map(([language, row]) => [language, rulesOf(row)]),
);

/** Whether the names of a language are read from its trees, so that a rename follows them. */
export function hasTreeNames(languageId: string): boolean {
  return treeNameRules.has(languageId);
}

function rulesOf(row: Row): TreeNameRules {
  const set = (list: string | undefined): ReadonlySet<string> => new Set(list?.split(" ") ?? []);
  return {
    scopes: set(`${row.scopes ?? ""} ${row.functions ?? ""}`),
    functions: set(row.functions),
    owners: set(row.owners),
    declares: set(row.declares),
    declaresAround: set(row.declaresAround),
    memberDeclares: set(row.memberDeclares),
    bindsMembers: row.bindsMembers ?? false,
    members: set(row.members),
    keys: set(row.keys),
    imports: set(row.imports),
    ignored: set(row.ignored),
    receivers: set(row.receivers),
    self: set(row.self),
    exportList: row.exportList ?? "",
    comparesCapitals: row.comparesCapitals ?? false,
  };
}
