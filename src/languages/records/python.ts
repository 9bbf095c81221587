import { inAsync, inFunction, inLoop } from "../jump-rule.ts";
import type { LanguageRow } from "../language.ts";
import { double, hash, single, statements, tripleDouble, tripleSingle } from "./spellings.ts";

const formatPrefix = /^([fFtT]|[rR][fFtT]|[fFtT][rR])$/;
const functions = ["function_definition"];
const scopes = ["function_definition", "class_definition"];
const loops = ["for_statement", "while_statement"];

/** Python. */
export const python: LanguageRow = {
  id: "python",
  name: "Python",
  extensions: [".py", ".pyi", ".pyw"],
  filenames: ["sconstruct", "sconscript"],
  firstLine: /^#!.*\b(python|uv)[\d.]*\b/,
  ...hash,
  strings: [tripleDouble, tripleSingle, double, single].flatMap((rule) => [
    { ...rule, after: formatPrefix, interpolation: [["{", "}"]] },
    rule,
  ]),
  indentationSensitive: true,
  checksLayout: true,
  grammar: "python",
  charactersPerToken: 3.6,
  endings: [" x", "\n    pass", ": pass", "\n    pass\nexcept x:\n    pass", " x: pass"],
  blocks: {
    anywhere: {
      ...statements,
      import_statement: { what: "import", name: ["name"] },
      import_from_statement: { what: "import", name: ["module_name"] },
      future_import_statement: { what: "import", name: ["name"] },
      decorated_definition: { what: "other", wraps: ["definition"] },
      class_definition: "class",
      function_definition: "function",
      type_alias_statement: { what: "type", name: ["left"] },
      expression_statement: {
        what: "expression",
        name: [":assignment left:identifier"],
        whatIf: [[":assignment left:identifier", "variable"]],
      },
      match_statement: "switch",
      case_clause: { what: "case", name: [":case_pattern"], body: ["consequence"] },
      with_statement: "block",
      raise_statement: "throw",
      pass_statement: "other",
      assert_statement: "other",
      delete_statement: "other",
      global_statement: "other",
      nonlocal_statement: "other",
    },
    statementsIn: ["module", "block"],
    constructors: ["__init__", "__new__"],
  },
  jumps: {
    return_statement: inFunction(functions, ["class_definition"]),
    yield: inFunction([...functions, "lambda"], ["class_definition"]),
    await: inAsync(functions, ["class_definition"], (path) => !/\.pyw?$/i.test(path)),
    break_statement: inLoop(loops, scopes),
    continue_statement: inLoop(loops, scopes),
  },
  // biome-ignore format: one list a line.
  treeNames: {
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
  binder: {
    reader: "python",
    hasModules: true,
    constructors: { name: "__init__", areInherited: true },
    // Source: the methods of the built-in types.
    commonMembers: new Set(
      (
        "append add clear close copy count decode discard encode endswith extend find flush format get index insert items join keys " +
        "lower lstrip open pop popitem read readline readlines remove replace reverse rstrip seek setdefault sort split splitlines " +
        "startswith strip title update upper values write name mean sum min max item shape size type data"
      ).split(" "),
    ),
  },
  traits: {
    server: "pyright",
    equalQuotes: true,
    tuples: true,
    idleSemicolons: true,
    implicitLocals: true,
    declaresByAssignment: true,
    fieldsInMethods: true,
    accessor: (before) => {
      if (!/^@(\w+\.)?(property|cached_property|setter|getter|deleter)\b/m.test(before)) return undefined;
      return /\.setter\b/.test(before) ? "set" : /\.deleter\b/.test(before) ? "delete" : "get";
    },
    importName: (source, parts) => /^from\s+([.\w]+)/.exec(source)?.[1] ?? parts[0]?.name ?? source,
    importList: /^(?:from\b[\s\S]*?\b)?import\b\s*\(?/,
    isTyped: /:/,
    testFile: /(^|\/)(test_[^/]*|[^/]*_test|tests?|conftest)\.py$/,
    testName: /^test/,
    testClass: /^class\s+Test|\bTestCase\b/m,
  },
  declarations: "indented",
  imports: "modules",
  fills: { name: "python", isImported: false, accepted: { files: 5987, of: 5989 } },
};
