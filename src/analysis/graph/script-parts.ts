import type {
  ClassElement,
  ExportSpecifier,
  Expression,
  FormalParameterRest,
  ImportDeclarationSpecifier,
  ModuleExportName,
  ParamPattern,
  Program,
  PropertyKey,
  Statement,
  TSSignature,
  TSType,
} from "oxc-parser";
import type { BlockPart } from "./code-block.ts";

/** The parameters of a function; a destructured parameter has one part for each name. */
export function parameterParts(text: string, params: readonly (ParamPattern | FormalParameterRest)[]): BlockPart[] {
  return params.flatMap((param) => {
    const bare = param.type === "TSParameterProperty" ? param.parameter : param;
    const pattern = bare.type === "AssignmentPattern" ? bare.left : bare;
    if (pattern.type === "ObjectPattern") {
      return pattern.properties.map((property) =>
        part("parameter", property.type === "Property" ? keyName(text, property) : slice(text, property), property),
      );
    }
    const name = pattern.type === "RestElement" ? pattern.argument : pattern;
    return [part("parameter", name.type === "Identifier" ? name.name : slice(text, name), param)];
  });
}

/**
 * The members of an interface or an object type. Unnamed members are `()`, `new()` and `[index]`.
 */
export function signatureParts(text: string, members: readonly TSSignature[]): BlockPart[] {
  return members.map((member) => part("member", signatureName(text, member), member));
}

function signatureName(text: string, member: TSSignature): string {
  if (member.type === "TSCallSignatureDeclaration") return "()";
  if (member.type === "TSConstructSignatureDeclaration") return "new()";
  return member.type === "TSIndexSignature" ? "[index]" : keyName(text, member);
}

/**
 * The members of a type: those of an object type, those of the members of a union or intersection,
 * and string literals. Empty for other types.
 */
export function typeParts(text: string, type: TSType): BlockPart[] {
  switch (type.type) {
    case "TSTypeLiteral":
      return signatureParts(text, type.members);
    case "TSUnionType":
    case "TSIntersectionType":
      return type.types.flatMap((one) => typeParts(text, one));
    case "TSParenthesizedType":
      return typeParts(text, type.typeAnnotation);
    case "TSLiteralType":
      return type.literal.type === "Literal" && typeof type.literal.value === "string"
        ? [part("member", type.literal.value, type)]
        : [];
    default:
      return [];
  }
}

/** The keys of an object that a constant holds; empty if the value is not an object literal. */
export function objectParts(text: string, value: Expression | null): BlockPart[] {
  const object = value === null ? undefined : bareExpression(value);
  if (object?.type !== "ObjectExpression") return [];
  return object.properties.map((property) =>
    part("member", property.type === "Property" ? keyName(text, property) : slice(text, property), property),
  );
}

/** The names that an import takes from its module, `default` and `*` included. */
export function importParts(specifiers: readonly ImportDeclarationSpecifier[]): BlockPart[] {
  return specifiers.map((specifier) => {
    if (specifier.type === "ImportDefaultSpecifier") return part("imported", "default", specifier);
    if (specifier.type === "ImportNamespaceSpecifier") return part("imported", "*", specifier);
    return part("imported", exportName(specifier.imported), specifier);
  });
}

/** The names under which an export list exports. */
export function exportParts(specifiers: readonly ExportSpecifier[]): BlockPart[] {
  return specifiers.map((specifier) => part("imported", exportName(specifier.exported), specifier));
}

/** The name of a module's export without quotes. */
export function exportName(name: ModuleExportName): string {
  return name.type === "Literal" ? name.value : name.name;
}

/** The text of a member's key, including the brackets of a computed key. */
export function keyText(
  text: string,
  member: Pick<ClassElement & { key: PropertyKey; computed: boolean }, "key" | "computed">,
): string {
  const { start, end } = keyRange(text, member);
  return text.slice(start, end);
}

/** The range of a member's key, including the brackets of a computed key. */
export function keyRange(
  text: string,
  { key, computed }: { readonly key: PropertyKey; readonly computed: boolean },
): { readonly start: number; readonly end: number } {
  if (!computed) return { start: key.start, end: key.end };
  return { start: text.lastIndexOf("[", key.start - 1), end: text.indexOf("]", key.end) + 1 };
}

/** Removes parentheses, `as` and `satisfies` around an expression. */
export function bareExpression(expression: Expression): Expression {
  let bare = expression;
  while (
    bare.type === "ParenthesizedExpression" ||
    bare.type === "TSAsExpression" ||
    bare.type === "TSSatisfiesExpression"
  ) {
    bare = bare.expression;
  }
  return bare;
}

function keyName(text: string, member: { readonly key: PropertyKey; readonly computed: boolean }): string {
  const { key, computed } = member;
  return !computed && key.type === "Literal" ? String(key.value) : slice(text, keyRange(text, member));
}

function slice(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  return text.slice(start, end);
}

/** A part of a signature, at the offsets of `node`. */
export function part(
  kind: BlockPart["kind"],
  name: string,
  node: { readonly start: number; readonly end: number },
): BlockPart {
  return { kind, name, range: { start: node.start, end: node.end } };
}

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
    for (const name of exportedLocals(statement)) localNames.add(name);
  }
  return { localNames, isGlobal: !isModule && !/\b(?:require\s*\(|module\.exports|exports\.)/.test(text) };
}

function exportedLocals(statement: Program["body"][number]): readonly string[] {
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
