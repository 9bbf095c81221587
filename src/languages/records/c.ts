import type { BlockRow } from "../block-table.ts";
import { inFunction } from "../jump-rule.ts";
import type { LanguageRow } from "../language.ts";
import { typeFirstTraits } from "../language-traits.ts";
import { double, prefixedSingle, slashes, statements } from "./spellings.ts";

const declared: BlockRow = {
  what: "variable",
  name: ["declarator*"],
  whatIf: [["declarator*:function_declarator", "function"]],
};
const withBody = { when: ["body"] } as const;

/** C. */
export const c = {
  id: "c",
  name: "C",
  extensions: [".c", ".h"],
  ...slashes,
  strings: [double, prefixedSingle],
  grammar: "c",
  hasAmbiguousBrackets: true,
  charactersPerToken: 3.1,
  endings: [" x", ";", " x;", " {}", " x = x;"],
  blocks: {
    anywhere: {
      ...statements,
      preproc_include: { what: "import", name: ["path"] },
      preproc_def: "macro",
      preproc_function_def: "macro",
      using_declaration: { what: "import", name: ["*"] },
      namespace_definition: "namespace",
      namespace_alias_definition: "namespace",
      linkage_specification: { what: "namespace", name: ["value"] },
      template_declaration: {
        what: "other",
        wraps: [
          ...[":function_definition", ":class_specifier", ":struct_specifier", ":union_specifier", ":declaration"],
          ...[":alias_declaration", ":concept_definition"],
        ],
      },
      function_definition: { what: "function", name: ["declarator*"] },
      class_specifier: { what: "class", ...withBody },
      struct_specifier: { what: "class", ...withBody },
      union_specifier: { what: "class", ...withBody },
      enum_specifier: { what: "enum", ...withBody },
      enumerator: "case",
      type_definition: {
        what: "type",
        name: ["declarator*"],
        wraps: ["type:struct_specifier", "type:union_specifier", "type:enum_specifier"],
      },
      alias_declaration: "type",
      concept_definition: "type",
      field_declaration: { ...declared, what: "field", whatIf: [["declarator*:function_declarator", "method"]] },
      friend_declaration: "other",
      static_assert_declaration: "other",
      expression_statement: "expression",
      for_range_loop: "loop",
      case_statement: { what: "case", name: ["value"] },
      labeled_statement: { what: "block", name: ["label"] },
      co_return_statement: "return",
      co_yield_statement: "other",
      goto_statement: "jump",
    },
    statements: {
      declaration: declared,
      compound_statement: { what: "block", body: ["."] },
    },
    statementsIn: [
      ...["translation_unit", "compound_statement", "declaration_list", "field_declaration_list", "case_statement"],
      ...["linkage_specification", "preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif"],
    ],
  },
  // None for `break` and `continue`, since a macro may be a loop.
  jumps: { return_statement: inFunction(["function_definition", "lambda_expression", "compound_statement"]) },
  // biome-ignore format: one list a line.
  treeNames: {
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
  binder: {},
  traits: { ...typeFirstTraits, isFileLocal: /\bstatic\b/ },
  declarations: {
    head: /(?:template\s*<[^;{]{0,500}?>\s*)?(?:(?<word>namespace)\s*(?<space>[\w:]*)|(?:typedef\s+)?(?<data>struct|union|enum(?:\s+(?:class|struct))?|class)\s+(?:\[\[.*?\]\]\s*|[A-Z_]+\s+(?=\w))?(?<name>\w+)(?=[^;{()]{0,300}[{;])|typedef\s[^;{]{0,500}?(?<alias>\w+)\s*(?:\[[^\]]*\]\s*)?;|using\s+(?<using>\w+)\s*=|extern\s+'+\s*(?<extern>)\{|(?:[\w:<>,~[\]]+[\s*&]+){1,12}?(?<function>[\w:~]+)\s*\((?!\*))/y,
    shapeOf: (word: string) => (word === "namespace" ? "namespace" : "data"),
    hasMacros: true,
  },
  imports: "includes",
  fills: { name: "c", isImported: true, accepted: { files: 501, of: 501 } },
} satisfies LanguageRow;
