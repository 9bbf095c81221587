import { childrenOf, nodesAround, type ScriptNode, type ScriptTree } from "../../../names/index.ts";
import type { AtomicChange } from "../../changes/atomic-change.ts";
import type { CodeBlock } from "../../graph/code-block.ts";

/** A property that the type of a parameter declares. */
export interface RequiredMember {
  readonly name: string;
  readonly isOptional: boolean;
}

export interface Parameter {
  /** Its name; empty for a destructured parameter. */
  readonly name: string;
  /**
   * The members of its type, where that is an inline type or is declared in the same file without
   * bases.
   */
  readonly members?: readonly RequiredMember[];
  /**
   * The properties that a destructured parameter takes from an object; absent for other parameters.
   */
  readonly taken?: readonly RequiredMember[];
  /** Its whole declaration, such as `size = 1`. */
  readonly text: string;
  /** Its declared type; empty where none is written. */
  readonly type: string;
  readonly isOptional: boolean;
  readonly isRest: boolean;
}

/** The parameters of a function before and after a change. Plain data. */
export interface CallChange {
  readonly before: readonly Parameter[];
  readonly after: readonly Parameter[];
  /**
   * Old parameters that the body now reads from a new one, as in `const { inner } = whole` and
   * `whole.inner`: the new parameter and the member.
   */
  readonly unwrapped: ReadonlyMap<string, { readonly from: string; readonly member: string }>;
}

/**
 * Reads the text and tree of a file before or after a change; `undefined` where the file is absent
 * or cannot be parsed.
 */
export type SideOf = (
  path: string,
  side: "before" | "after",
) => { readonly text: string; readonly tree: ScriptTree } | undefined;

/**
 * Derives from classified changes how the parameters of functions changed, by the called name; of a
 * constructor by the name of its class. Names with contradicting changes, functions with overloads,
 * and files without a tree are left out.
 */
export function callChanges(changes: readonly AtomicChange[], treeOf: SideOf): Map<string, CallChange> {
  const found = new Map<string, CallChange>();
  const doubtful = new Set<string>();
  const note = (names: readonly (string | undefined)[], old: FunctionInText, now: FunctionInText) => {
    const parameters = { before: parametersOf(old), after: parametersOf(now) };
    if (sameTexts(parameters.before, parameters.after)) return;
    for (const name of names) {
      if (name === undefined || name === "") continue;
      const known = found.get(name);
      if (known !== undefined && !sameTexts(known.after, parameters.after)) doubtful.add(name);
      found.set(name, { ...parameters, unwrapped: unwrappedIn(now, parameters) });
    }
  };
  for (const { label, before, after } of changes) {
    if (before === undefined || after === undefined) continue;
    const [oldFile, newFile] = [treeOf(before.path, "before"), treeOf(after.path, "after")];
    if (label === "MT") {
      const signatures = signaturesOf(after, newFile);
      for (const [name, old] of signaturesOf(before, oldFile)) {
        const now = signatures.get(name);
        if (now !== undefined) note([name], old, now);
      }
    }
    if (label !== "MMS" && label !== "MCC" && label !== "RENAME") continue;
    const [old, now] = [functionOf(before, oldFile), functionOf(after, newFile)];
    if (old === undefined || now === undefined) continue;
    const nameOf = ({ kind, owner, simpleName }: CodeBlock) =>
      kind === "constructor" ? owner?.slice(owner.lastIndexOf(".") + 1) : simpleName;
    note([...new Set([nameOf(before), nameOf(after)])], old, now);
  }
  for (const name of doubtful) found.delete(name);
  return found;
}

/** The members of changed types that return a promise now and did not before, by name. */
export function promisedMembers(changes: readonly AtomicChange[], treeOf: SideOf): Set<string> {
  const found = new Set<string>();
  for (const { label, before, after } of changes) {
    if (label !== "MT" || before === undefined || after === undefined) continue;
    const signatures = signaturesOf(after, treeOf(after.path, "after"));
    for (const [name, old] of signaturesOf(before, treeOf(before.path, "before"))) {
      const now = signatures.get(name);
      if (now !== undefined && givesPromise(now) && !givesPromise(old)) found.add(name);
    }
  }
  return found;
}

function givesPromise({ node, text }: FunctionInText): boolean {
  const type = node["returnType"] as ScriptNode | null | undefined;
  return type ? /^:?\s*(?:=>\s*)?Promise</.test(text.slice(type.start, type.end)) : false;
}

/**
 * The methods that a type declares, by name, and its members of a function type. Overloaded names
 * are left out.
 */
function signaturesOf(
  { ownRange }: CodeBlock,
  file: { readonly text: string; readonly tree: ScriptTree } | undefined,
): Map<string, FunctionInText> {
  const found = new Map<string, FunctionInText>();
  if (file === undefined) return found;
  const several = new Set<string>();
  const walk = (node: ScriptNode): void => {
    const name = (node["key"] as ScriptNode | undefined)?.["name"];
    const annotation = node["typeAnnotation"] as ScriptNode | null | undefined;
    const type = annotation?.["typeAnnotation"] as ScriptNode | undefined;
    const signature =
      node.type === "TSMethodSignature"
        ? node
        : node.type === "TSPropertySignature" && type?.type === "TSFunctionType"
          ? type
          : undefined;
    if (signature === undefined) {
      if (/^TS(InterfaceDeclaration|InterfaceBody|TypeAliasDeclaration|TypeLiteral|IntersectionType)$/.test(node.type))
        for (const child of childrenOf(node)) walk(child);
    } else if (typeof name === "string" && node["computed"] !== true) {
      if (found.has(name)) several.add(name);
      found.set(name, { node: signature, text: file.text, program: programOf(file.tree) });
    }
  };
  const around = nodesAround(file.tree.program, ownRange.start, ownRange.end).at(-1)!;
  walk((around["declaration"] ?? around) as ScriptNode);
  for (const name of several) found.delete(name);
  return found;
}

function sameTexts(a: readonly Parameter[], b: readonly Parameter[]): boolean {
  return a.length === b.length && a.every(({ text }, index) => text === b[index]!.text);
}

interface FunctionInText {
  readonly node: ScriptNode;
  readonly text: string;
  /** The whole script, to look up types that it declares. */
  readonly program?: ScriptNode;
}

const functionType =
  /^(Function(Declaration|Expression)|ArrowFunctionExpression|TSDeclareFunction|TSEmptyBodyFunction\w+)$/;

/**
 * The function that a block is, with its file; `undefined` where it is none, has overloads, or the
 * file is absent.
 */
export function functionOf(
  { ownRange }: CodeBlock,
  file: { readonly text: string; readonly tree: ScriptTree } | undefined,
): FunctionInText | undefined {
  if (file === undefined) return undefined;
  const around = nodesAround(file.tree.program, ownRange.start, ownRange.end).at(-1)!;
  const overloads = [...childrenOf(around)].filter((one) => one.start >= ownRange.start && one.end <= ownRange.end);
  const isOverloaded = /^(Program|ClassBody|BlockStatement|TSModuleBlock)$/.test(around.type) && overloads.length > 1;
  const node = isOverloaded ? undefined : firstFunction(around, ownRange);
  return node === undefined ? undefined : { node, text: file.text, program: programOf(file.tree) };
}

function programOf({ program }: ScriptTree): ScriptNode {
  return program as unknown as ScriptNode;
}

/** The outermost function that begins in the range. */
function firstFunction(node: ScriptNode, own: CodeBlock["ownRange"]): ScriptNode | undefined {
  if (functionType.test(node.type)) return node.start >= own.start && node.end <= own.end ? node : undefined;
  for (const child of childrenOf(node)) {
    if (child.end <= own.start || child.start >= own.end || /^(Decorator|TSTypeAnnotation)$/.test(child.type)) continue;
    const found = firstFunction(child, own);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The parameters of a function as declared, in order, without `this`, which calls do not pass. The
 * name of a destructured one is `""`.
 */
export function parametersOf({ node, text, program }: FunctionInText): Parameter[] {
  return parameterNodes(node).map((param) => {
    const bare = param.type === "TSParameterProperty" ? (param["parameter"] as ScriptNode) : param;
    const isRest = bare.type === "RestElement";
    const hasDefault = bare.type === "AssignmentPattern";
    const pattern = (hasDefault ? bare["left"] : isRest ? bare["argument"] : bare) as ScriptNode;
    const annotation = ((bare["typeAnnotation"] ?? pattern["typeAnnotation"]) as ScriptNode | null | undefined)?.[
      "typeAnnotation"
    ] as ScriptNode | undefined;
    const members = annotation && membersIn(annotation, program);
    const taken = pattern.type === "ObjectPattern" ? takenBy(pattern, members ?? []) : undefined;
    return {
      name: pattern.type === "Identifier" ? (pattern["name"] as string) : "",
      ...(members && { members }),
      ...(taken && { taken }),
      text: text.slice(param.start, param.end),
      type: annotation === undefined ? "" : text.slice(annotation.start, annotation.end),
      isOptional: hasDefault || isRest || pattern["optional"] === true,
      isRest,
    };
  });
}

/** The nodes of the parameters that calls pass; without that of `this`. */
export function parameterNodes(node: ScriptNode): readonly ScriptNode[] {
  const isThis = (param: ScriptNode) => param.type === "Identifier" && param["name"] === "this";
  return ((node["params"] ?? []) as readonly ScriptNode[]).filter((param) => !isThis(param));
}

/**
 * The members of an inline type, or of a type that the script declares; `undefined` where it has
 * other kinds of members, or members without a plain name.
 */
function membersIn(type: ScriptNode, program: ScriptNode | undefined): readonly RequiredMember[] | undefined {
  const name = type.type === "TSTypeReference" && !type["typeArguments"] && (type["typeName"] as ScriptNode)["name"];
  const declared = typeof name === "string" && program !== undefined ? declaredType(name, program) : type;
  const list = declared?.["members"] ?? (declared?.type === "TSInterfaceBody" ? declared["body"] : undefined);
  if (!Array.isArray(list)) return undefined;
  const members = (list as readonly ScriptNode[]).map((one) => ({
    name: one["computed"] === true ? undefined : (one["key"] as ScriptNode | undefined)?.["name"],
    isOptional: one["optional"] === true,
  }));
  return members.every(({ name }) => typeof name === "string") ? (members as RequiredMember[]) : undefined;
}

/**
 * The declaration of a type in a script, if there is exactly one, without bases and type
 * parameters.
 */
function declaredType(name: string, program: ScriptNode): ScriptNode | undefined {
  const found = (program["body"] as readonly ScriptNode[])
    .map((statement) => (statement["declaration"] ?? statement) as ScriptNode)
    .filter((one) => (one["id"] as ScriptNode | null | undefined)?.["name"] === name && !one["typeParameters"]);
  const [only] = found;
  if (found.length !== 1 || only === undefined) return undefined;
  if (only.type === "TSTypeAliasDeclaration") return only["typeAnnotation"] as ScriptNode;
  const isBare = only.type === "TSInterfaceDeclaration" && (only["extends"] as readonly unknown[]).length === 0;
  return isBare ? (only["body"] as ScriptNode) : undefined;
}

function takenBy(pattern: ScriptNode, members: readonly RequiredMember[]): Parameter["taken"] {
  const optional = new Set(members.filter(({ isOptional }) => isOptional).map(({ name }) => name));
  const taken: { name: string; isOptional: boolean }[] = [];
  for (const one of pattern["properties"] as readonly ScriptNode[]) {
    const name = (one["key"] as ScriptNode | undefined)?.["name"];
    // A rest element takes unknown properties.
    if (one.type !== "Property" || typeof name !== "string" || one["computed"] === true) return undefined;
    const hasDefault = (one["value"] as ScriptNode).type === "AssignmentPattern";
    taken.push({ name, isOptional: hasDefault || optional.has(name) });
  }
  return taken;
}

/**
 * The properties that a body reads from new parameters: in its first statements, as `const { inner
 * } = whole` or `const inner = whole.inner`, or anywhere as `whole.inner`, where `inner` was a
 * parameter before and `whole` was none.
 */
function unwrappedIn(
  { node }: FunctionInText,
  { before, after }: Pick<CallChange, "before" | "after">,
): CallChange["unwrapped"] {
  const found = new Map<string, { from: string; member: string }>();
  const isNew = (name: string) => after.some((one) => one.name === name) && !before.some((one) => one.name === name);
  const isGone = (name: string) => before.some((one) => one.name === name) && !after.some((one) => one.name === name);
  for (const { object, member } of membersOfNames(node["body"] as ScriptNode | null | undefined))
    if (isNew(object) && isGone(member)) found.set(member, { from: object, member });
  const statements = ((node["body"] as ScriptNode | null)?.["body"] ?? []) as unknown;
  for (const statement of Array.isArray(statements) ? (statements as readonly ScriptNode[]) : []) {
    if (statement.type !== "VariableDeclaration") break;
    for (const one of statement["declarations"] as readonly ScriptNode[]) {
      const id = one["id"] as ScriptNode;
      const init = one["init"] as ScriptNode | null;
      if (init?.type === "Identifier" && id.type === "ObjectPattern") {
        for (const property of id["properties"] as readonly ScriptNode[]) {
          const member = (property["key"] as ScriptNode | undefined)?.["name"];
          const local = (property["value"] as ScriptNode | undefined)?.["name"];
          if (typeof member === "string" && typeof local === "string")
            found.set(local, { from: init["name"] as string, member });
        }
      } else if (init?.type === "MemberExpression" && id.type === "Identifier" && init["computed"] !== true) {
        const object = init["object"] as ScriptNode;
        if (object.type === "Identifier")
          found.set(id["name"] as string, {
            from: object["name"] as string,
            member: (init["property"] as ScriptNode)["name"] as string,
          });
      }
    }
  }
  return found;
}

/** All `object.member` below a node where the object is an identifier. */
function* membersOfNames(
  node: ScriptNode | null | undefined,
): Generator<{ readonly object: string; readonly member: string }> {
  if (!node) return;
  if (node.type === "MemberExpression" && node["computed"] !== true) {
    const object = (node["object"] as ScriptNode)["name"];
    const member = (node["property"] as ScriptNode)["name"];
    if (typeof object === "string" && typeof member === "string") yield { object, member };
  }
  for (const child of childrenOf(node)) yield* membersOfNames(child);
}
