import type { Program, Statement } from "oxc-parser";

/** What a script exports other than by an `export` modifier. */
export interface ScriptExports {
  /** Local names that are exported by an export list, `export default`, `export =` or CommonJS. */
  readonly localNames: ReadonlySet<string>;
  /** Whether its top-level declarations are global: it has no import, export or `require`. */
  readonly isGlobal: boolean;
}

/** Reads what a script exports by export lists and by CommonJS's `module.exports` and `exports`. */
export function scriptExports(text: string, program: Program): ScriptExports {
  const localNames = new Set<string>();
  let isModule = false;
  for (const statement of program.body) {
    isModule ||= /^(Import|Export)|^TSExportAssignment/.test(statement.type);
    for (const name of givenOn(statement)) localNames.add(name);
  }
  return { localNames, isGlobal: !isModule && !/\b(?:require\s*\(|module\.exports|exports\.)/.test(text) };
}

function givenOn(statement: Program["body"][number]): readonly string[] {
  switch (statement.type) {
    case "ExportNamedDeclaration":
      if (statement.source !== null) return [];
      return statement.specifiers.map(({ local }) => (local.type === "Literal" ? local.value : local.name));
    case "ExportDefaultDeclaration":
      return statement.declaration.type === "Identifier" ? [statement.declaration.name] : [];
    case "TSExportAssignment":
      return statement.expression.type === "Identifier" ? [statement.expression.name] : [];
    case "ExpressionStatement":
      return commonJsNames(statement);
    default:
      return [];
  }
}

/**
 * `module.exports = a`, `module.exports = { a, b: c }`, `module.exports.a = a`, `exports.a = a`.
 */
function commonJsNames(statement: Extract<Statement, { type: "ExpressionStatement" }>): readonly string[] {
  const { expression } = statement;
  if (expression.type !== "AssignmentExpression" || expression.left.type !== "MemberExpression") return [];
  const { object, property } = expression.left;
  const isModuleExports =
    object.type === "Identifier" &&
    object.name === "module" &&
    property.type === "Identifier" &&
    property.name === "exports";
  const isOneOfThem =
    (object.type === "Identifier" && object.name === "exports") ||
    (object.type === "MemberExpression" &&
      object.object.type === "Identifier" &&
      object.object.name === "module" &&
      object.property.type === "Identifier" &&
      object.property.name === "exports");
  if (!isModuleExports && !isOneOfThem) return [];
  const { right } = expression;
  if (right.type === "Identifier") return [right.name];
  if (right.type !== "ObjectExpression") return [];
  return right.properties.flatMap((one) =>
    one.type === "Property" && one.value.type === "Identifier" ? [one.value.name] : [],
  );
}
