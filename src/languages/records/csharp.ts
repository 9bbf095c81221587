import { shapeOfType } from "../declaration-style.ts";
import { inAsync, inFunction, inLoop, loopOrSwitch } from "../jump-rule.ts";
import type { LanguageRow } from "../language.ts";
import { typeFirstTraits } from "../language-traits.ts";
import { double, doubledDouble, single, slashes, statements } from "./spellings.ts";

const variable = ":variable_declaration :variable_declarator name";
const functions = [
  ...["method_declaration", "local_function_statement", "lambda_expression", "anonymous_method_expression"],
  ...["accessor_declaration", "property_declaration", "operator_declaration", "indexer_declaration"],
];
const loops = ["for_statement", "foreach_statement", "while_statement", "do_statement"];

/** C#. */
export const csharp: LanguageRow = {
  id: "csharp",
  name: "C#",
  extensions: [".cs", ".csx", ".cake"],
  ...slashes,
  strings: [
    { ...doubledDouble, open: '$@"', interpolation: [["{", "}"]] },
    { ...doubledDouble, open: '@$"', interpolation: [["{", "}"]] },
    { ...doubledDouble, open: '@"' },
    { ...double, open: '$"', interpolation: [["{", "}"]] },
    double,
    single,
  ],
  quirks: { quoteRuns: true },
  grammar: "c_sharp",
  hasAmbiguousBrackets: true,
  charactersPerToken: 4.5,
  endings: [" x", ";", " x;", " {}", " x() {}", " x = x;"],
  blocks: {
    anywhere: {
      ...statements,
      using_directive: { what: "import", name: ["*"] },
      extern_alias_directive: "import",
      namespace_declaration: "namespace",
      file_scoped_namespace_declaration: "namespace",
      class_declaration: "class",
      struct_declaration: "class",
      record_declaration: "class",
      interface_declaration: "interface",
      enum_declaration: "enum",
      enum_member_declaration: "case",
      delegate_declaration: "type",
      method_declaration: "method",
      operator_declaration: { what: "method", name: ["operator"] },
      conversion_operator_declaration: { what: "method", name: ["type"] },
      constructor_declaration: "constructor",
      destructor_declaration: "method",
      property_declaration: { what: "property", body: ["accessors", "value"] },
      indexer_declaration: { what: "property", body: ["accessors", "value"] },
      event_declaration: { what: "property", body: ["accessors"] },
      accessor_declaration: { what: "method", when: ["body"] },
      field_declaration: { what: "field", name: [variable] },
      event_field_declaration: { what: "field", name: [variable] },
      global_statement: { what: "other", wraps: ["*"] },
      local_declaration_statement: { what: "variable", name: [variable] },
      local_function_statement: "function",
      expression_statement: "expression",
      foreach_statement: "loop",
      switch_section: {
        what: "case",
        name: ["constant", "declaration", "relational", "type", "recursive"].map((kind) => `:${kind}_pattern`),
      },
      using_statement: "block",
      lock_statement: { what: "block", body: [":block"] },
      fixed_statement: { what: "block", body: [":block"] },
      checked_statement: { what: "block", body: [":block"] },
      unsafe_statement: { what: "block", body: [":block"] },
      labeled_statement: { what: "block", name: ["*"] },
      yield_statement: "return",
      goto_statement: "jump",
    },
    statements: { block: { what: "block", body: ["."] } },
    statementsIn: ["block", "switch_section"],
  },
  // None for `return`, which is allowed at the top.
  jumps: {
    yield_statement: inFunction(functions),
    break_statement: inLoop([...loops, "switch_statement"], functions, loopOrSwitch),
    continue_statement: inLoop(loops, functions),
    await_expression: inAsync(functions, ["class_declaration", "struct_declaration", "record_declaration"], () => true),
  },
  // biome-ignore format: one list a line.
  treeNames: {
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
  binder: {
    reader: "csharp",
    hasTopLevelTypesOnly: true,
    hasExtensions: true,
    constructors: { name: ".ctor", areInherited: false },
    // Source: the methods of `object`, `string`, collections, tasks and LINQ.
    commonMembers: new Set(
      (
        "Add AddRange All Any Append Clear Close Contains ContainsKey Copy Count Dispose Equals Find First FirstOrDefault Format GetHashCode " +
        "GetType IndexOf Insert Invoke Join Key Keys Last Length Max Message Min Name Remove Replace Result Select Single " +
        "SingleOrDefault Sort Split Start Stop Substring Sum ToArray ToList ToString Trim TryGetValue Value Values Where Id Type"
      ).split(" "),
    ),
  },
  traits: {
    ...typeFirstTraits,
    classParameters: true,
    // A class member without a modifier is private.
    isFileLocal: /\bfile\b/,
    isPrivate: /\bprivate\b|^(?![\s\S]*\b(public|protected|internal)\b)/,
    testMark: /\[\s*(Fact|Theory|Test|TestCase\w*|TestMethod|DataTestMethod|Benchmark)\b/,
  },
  declarations: {
    head: /(?:(?:public|protected|private|internal|static|sealed|abstract|partial|readonly|ref|file|unsafe|new)\s+)*(?:(?<word>class|interface|enum|struct|record(?:\s+(?:class|struct))?|namespace)\s+(?<name>[\w.]+)|delegate\s+[\w<>[\],.?\s]{1,200}?(?<!\w)(?<delegate>\w+)\s*(?:<[^>]*>\s*)?\()/y,
    shapeOf: (word) => (word === "namespace" ? "namespace" : shapeOfType(word)),
  },
  imports: "namespaces",
  fills: { name: "csharp", isImported: true, accepted: { files: 1036, of: 1036 } },
};
