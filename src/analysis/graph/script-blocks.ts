import type {
  BindingPattern,
  CallExpression,
  Class,
  ClassElement,
  Directive,
  Expression,
  Function as FunctionNode,
  ModuleDeclaration,
  Statement,
  TSEnumMember,
  TSGlobalDeclaration,
  TSModuleDeclaration,
  VariableDeclaration,
} from "oxc-parser";
import type { ScriptTree } from "../../names/index.ts";
import type { TextRange } from "../../text/index.ts";
import { BlockNames, type BlockPart, type CodeBlock, type CodeBlockKind, statementName } from "./code-block.ts";
import {
  bareExpression,
  exportName,
  exportParts,
  importParts,
  keyRange,
  keyText,
  objectParts,
  parameterParts,
  part,
  type ScriptExports,
  scriptExports,
  signatureParts,
  typeParts,
} from "./script-parts.ts";

/**
 * Reads the blocks of JavaScript, TypeScript, JSX or TSX in text order, a class before its members.
 *
 * - An import, and an export from a module, is named by its specifier; an export list is `{}`; an
 *   exported expression is `default`.
 * - A constant that holds a function is a function; one that holds a class is that class.
 * - The own range of a class, a namespace or a test group is its header, up to the opening brace.
 *   The members of an interface, an enum or an object type, and the parameter properties of a
 *   constructor, belong to the block.
 * - Consecutive overloads form one block with several signatures.
 * - `describe(…)` and similar calls are test groups, named by the source text of their title;
 *   `it(…)` and `test(…)` are tests. The names of blocks in a group are qualified:
 *   `describe("sums") > it("adds")`.
 * - Anything else at a place where declarations are allowed is a statement, named by the first 48
 *   characters of its text.
 *
 * `text` is the parsed text. Law: the own ranges are disjoint and ascending.
 */
export function scriptBlocks(path: string, text: string, { program, comments }: ScriptTree): CodeBlock[] {
  const walk = new ScriptWalk({ path, text, comments, exports: scriptExports(text, program) });
  walk.statements(program.body, { prefix: "", isExported: false, isAmbient: /\.d\.([^.]+\.)?[mc]?ts$/.test(path) });
  return walk.blocks;
}

type AnyStatement = Directive | Statement | ModuleDeclaration;
type FunctionValue = Pick<FunctionNode, "params" | "returnType"> & { readonly body: TextRange | null };

/** What encloses a list of statements. */
interface Scope {
  readonly prefix: string;
  readonly owner?: string;
  /**
   * Whether other files can refer to the declarations of the list. Ignored at the top level of a
   * file.
   */
  readonly isExported: boolean;
  /** Whether declarations are exported without the keyword, as in `declare module`. */
  readonly isAmbient: boolean;
}

interface FoundBlock {
  readonly kind: CodeBlockKind;
  readonly name: string;
  readonly simpleName: string;
  readonly nameNode?: TextRange | undefined;
  readonly own: TextRange;
  /** The end of the enclosing declaration, members included. */
  readonly end?: number;
  readonly signature?: TextRange;
  readonly parts?: readonly BlockPart[];
  readonly infersType?: boolean;
  readonly isExported: boolean;
  readonly owner?: string | undefined;
}

type OpenBlock = { -readonly [Key in keyof CodeBlock]: CodeBlock[Key] };

class ScriptWalk {
  readonly blocks: OpenBlock[] = [];
  readonly #path: string;
  readonly #text: string;
  readonly #comments: readonly TextRange[];
  readonly #exports: ScriptExports;
  readonly #names = new BlockNames();

  constructor(file: {
    readonly path: string;
    readonly text: string;
    readonly comments: readonly TextRange[];
    readonly exports: ScriptExports;
  }) {
    this.#path = file.path;
    this.#text = file.text;
    this.#comments = file.comments;
    this.#exports = file.exports;
  }

  statements(list: readonly AnyStatement[], scope: Scope): void {
    for (const statement of list) {
      if (statement.type === "ExportNamedDeclaration" && statement.declaration !== null) {
        this.#declaration(statement.declaration, { ...scope, start: statement.start, exported: true });
      } else if (statement.type === "ExportDefaultDeclaration" && isNamedDeclaration(statement.declaration)) {
        this.#declaration(statement.declaration, { ...scope, start: statement.start, exported: true });
      } else this.#declaration(statement, { ...scope, start: statement.start, exported: scope.isAmbient });
    }
  }

  #declaration(
    node: AnyStatement | Extract<Expression, { type: "ClassExpression" }>,
    scope: Scope & { readonly start: number; readonly exported: boolean },
  ): void {
    const { owner, exported } = scope;
    const own = { start: scope.start, end: node.end };
    switch (node.type) {
      case "ImportDeclaration":
        this.#add({
          kind: "import",
          name: node.source.value,
          simpleName: "",
          own,
          parts: importParts(node.specifiers),
          isExported: false,
          owner,
        });
        return;
      case "TSImportEqualsDeclaration":
        this.#add({
          kind: "import",
          name: node.id.name,
          simpleName: node.id.name,
          nameNode: node.id,
          own,
          isExported: exported,
          owner,
        });
        return;
      case "ExportNamedDeclaration":
        this.#add({
          kind: "export",
          name: node.source?.value ?? "{}",
          simpleName: "",
          own,
          parts: exportParts(node.specifiers),
          isExported: true,
          owner,
        });
        return;
      case "ExportAllDeclaration":
        this.#add({
          kind: "export",
          name: node.source.value,
          simpleName: "",
          own,
          parts: [part("imported", node.exported === null ? "*" : exportName(node.exported), node)],
          isExported: true,
          owner,
        });
        return;
      case "ExportDefaultDeclaration":
      case "TSExportAssignment": {
        const value = node.type === "TSExportAssignment" ? node.expression : (node.declaration as Expression);
        this.#add({
          kind: "export",
          name: "default",
          simpleName: "default",
          own,
          parts: objectParts(this.#text, value),
          isExported: true,
          owner,
        });
        return;
      }
      case "FunctionDeclaration":
      case "TSDeclareFunction":
        this.#function(node, scope);
        return;
      case "ClassDeclaration":
        this.#class(node, node.id?.name ?? "default", scope);
        return;
      case "TSInterfaceDeclaration":
        this.#named("interface", node.id, own, signatureParts(this.#text, node.body.body), scope);
        return;
      case "TSTypeAliasDeclaration":
        this.#named("type", node.id, own, typeParts(this.#text, node.typeAnnotation), scope);
        return;
      case "TSEnumDeclaration":
        this.#named(
          "enum",
          node.id,
          own,
          node.body.members.map((member) => this.#enumPart(member)),
          scope,
        );
        return;
      case "TSModuleDeclaration":
        this.#namespace(node, scope);
        return;
      case "VariableDeclaration":
        this.#variable(node, scope);
        return;
      case "EmptyStatement":
        return;
      default:
        this.#other(node as Statement, scope);
    }
  }

  #named(
    kind: CodeBlockKind,
    id: TextRange & { readonly name: string },
    own: TextRange,
    parts: readonly BlockPart[],
    scope: Scope & { readonly exported: boolean },
  ): void {
    this.#add({
      kind,
      name: scope.prefix + id.name,
      simpleName: id.name,
      nameNode: id,
      own,
      parts,
      isExported: this.#isExported(id.name, scope),
      owner: scope.owner,
    });
  }

  #function(node: FunctionNode, scope: Scope & { readonly start: number; readonly exported: boolean }): void {
    const simpleName = node.id?.name ?? "default";
    this.#overload({
      kind: "function",
      name: scope.prefix + simpleName,
      simpleName,
      nameNode: node.id ?? undefined,
      own: { start: scope.start, end: node.end },
      signature: { start: scope.start, end: node.body?.start ?? node.end },
      parts: parameterParts(this.#text, node.params),
      infersType: infersReturnType(node),
      isExported: this.#isExported(simpleName, scope),
      owner: scope.owner,
    });
  }

  #class(node: Class, simpleName: string, scope: Scope & { readonly start: number; readonly exported: boolean }): void {
    const name = scope.prefix + simpleName;
    const isExported = this.#isExported(simpleName, scope);
    this.#add({
      kind: "class",
      name,
      simpleName,
      nameNode: node.id ?? undefined,
      own: { start: Math.min(scope.start, node.decorators[0]?.start ?? scope.start), end: node.body.start + 1 },
      end: node.end,
      isExported,
      owner: scope.owner,
    });
    const hasOpenField = node.body.body.some(
      (one) => one.type === "PropertyDefinition" && !one.typeAnnotation && one.value === null,
    );
    for (const member of node.body.body) this.#member(member, { name, simpleName, isExported, hasOpenField });
  }

  #member(
    member: ClassElement,
    owner: {
      readonly name: string;
      readonly simpleName: string;
      readonly isExported: boolean;
      /** Whether it has a field whose type is inferred from the constructor. */
      readonly hasOpenField: boolean;
    },
  ): void {
    if (member.type === "StaticBlock") {
      const name = `${owner.name}.static{}`;
      this.#add({ kind: "statement", name, simpleName: "", own: member, isExported: false, owner: owner.name });
      return;
    }
    const isExported = owner.isExported && member.accessibility !== "private";
    if (member.type === "TSIndexSignature") {
      const simpleName = "[index]";
      const name = `${owner.name}.${simpleName}`;
      this.#add({ kind: "field", name, simpleName, own: member, isExported, owner: owner.name });
      return;
    }
    const key = keyText(this.#text, member);
    const own = { start: Math.min(member.start, member.decorators[0]?.start ?? member.start), end: member.end };
    const found = {
      simpleName: key,
      nameNode: keyRange(this.#text, member),
      own,
      isExported: isExported && !key.startsWith("#"),
      owner: owner.name,
    };
    if (!("kind" in member)) {
      this.#add({
        ...found,
        kind: "field",
        name: `${owner.name}.${key}`,
        signature: { start: own.start, end: this.#signatureEnd(member, member.typeAnnotation, member.value) },
        parts: this.#valueParts(member.value),
        infersType: !member.typeAnnotation && infersReturnType(member.value),
      });
      return;
    }
    const signature = { start: own.start, end: member.value.body?.start ?? member.end };
    const parts = parameterParts(this.#text, member.value.params);
    if (member.kind === "constructor") {
      const name = `${owner.name}.constructor`;
      const infersType = owner.hasOpenField;
      this.#overload({
        ...{ ...found, kind: "constructor", name, simpleName: owner.simpleName, signature, parts, infersType },
      });
    } else if (member.kind === "method") {
      const infersType = infersReturnType(member.value);
      this.#overload({ ...found, kind: "method", name: `${owner.name}.${key}`, signature, parts, infersType });
    } else {
      const infersType = member.kind === "get" && infersReturnType(member.value);
      const name = `${owner.name}.${member.kind} ${key}`;
      this.#add({ ...found, kind: "accessor", name, signature, parts, infersType });
    }
  }

  #namespace(
    node: TSModuleDeclaration | TSGlobalDeclaration,
    scope: Scope & { readonly start: number; readonly exported: boolean },
  ): void {
    // `namespace A.B` is named `A`, like its outermost declaration.
    let id = node.id;
    while (id.type === "TSQualifiedName") id = id.left as typeof id;
    const simpleName = this.#slice(id);
    const name = scope.prefix + simpleName;
    const isExported = node.id.type === "Literal" || node.global || this.#isExported(simpleName, scope);
    const { body } = node as TSModuleDeclaration;
    this.#add({
      kind: "namespace",
      name,
      simpleName,
      nameNode: id,
      own: { start: scope.start, end: body ? body.start + 1 : node.end },
      end: node.end,
      isExported,
      owner: scope.owner,
    });
    if (!body) return;
    const isAmbient = isExported && (node.declare || scope.isAmbient);
    this.statements(body.body, { prefix: `${name}.`, owner: name, isExported, isAmbient });
  }

  #variable(node: VariableDeclaration, scope: Scope & { readonly start: number; readonly exported: boolean }): void {
    const [first, ...others] = node.declarations;
    if (first === undefined) return;
    const names = node.declarations.map(({ id }) => this.#patternText(id));
    const simpleName = names.join(",").slice(0, 80);
    const bound = node.declarations.flatMap(({ id }) => boundNames(id));
    const isSingle = others.length === 0;
    if (isSingle && first.init?.type === "ClassExpression") {
      this.#class(first.init, simpleName, scope);
      return;
    }
    const isFunction = isSingle && isFunctionValue(first.init);
    this.#add({
      kind: isFunction ? "function" : "variable",
      name: scope.prefix + simpleName,
      simpleName,
      nameNode: bound[0],
      own: { start: scope.start, end: node.end },
      signature: {
        start: scope.start,
        end: isSingle ? this.#signatureEnd(first, first.id.typeAnnotation, first.init, node.end) : node.end,
      },
      parts:
        isSingle && first.id.type === "Identifier"
          ? this.#valueParts(first.init)
          : bound.map((id) => part("member", id.name, id)),
      infersType: isSingle && !first.id.typeAnnotation && infersReturnType(first.init),
      isExported: bound.some(({ name }) => this.#isExported(name, scope)),
      owner: scope.owner,
    });
  }

  #other(node: Statement | Directive, scope: Scope): void {
    const call = testCall(this.#text, node);
    if (call === undefined) {
      const name = scope.prefix + statementName(this.#slice(node));
      this.#add({ kind: "statement", name, simpleName: "", own: node, isExported: false, owner: scope.owner });
      return;
    }
    const name = scope.prefix + call.name;
    const { group } = call;
    const own = { start: node.start, end: group ? group.start + 1 : node.end };
    this.#add({ kind: "test", name, simpleName: "", own, end: node.end, isExported: false, owner: scope.owner });
    if (group) {
      this.statements(group.body, { prefix: `${name} > `, owner: name, isExported: false, isAmbient: false });
    }
  }

  /**
   * The end of the visible part of a variable or field: before the body of a function, or after the
   * type.
   */
  #signatureEnd(
    node: TextRange,
    type: TextRange | null | undefined,
    value: Expression | null,
    end: number = node.end,
  ): number {
    if (value === null) return end;
    const bare = bareExpression(value);
    if (isFunctionValue(bare) && bare.body) return bare.body.start;
    return type?.end ?? end;
  }

  #valueParts(value: Expression | null): BlockPart[] {
    if (value === null) return [];
    const bare = bareExpression(value);
    return isFunctionValue(bare) ? parameterParts(this.#text, bare.params) : objectParts(this.#text, bare);
  }

  #enumPart({ id, start, end }: TSEnumMember): BlockPart {
    const name = id.type === "Identifier" ? id.name : id.type === "Literal" ? id.value : this.#slice(id);
    return part("member", name, { start, end });
  }

  #isExported(name: string, scope: Scope & { readonly exported: boolean }): boolean {
    if (scope.owner !== undefined) return scope.isExported && scope.exported;
    return scope.exported || this.#exports.isGlobal || this.#exports.localNames.has(name);
  }

  /** Adds a block, or adds a signature to the previous block if it has the same name. */
  #overload(found: FoundBlock & { readonly signature: TextRange }): void {
    const last = this.blocks.at(-1);
    if (last === undefined || last.kind !== found.kind || last.name !== found.name) {
      this.#add(found);
      return;
    }
    last.ownRange = { start: last.ownRange.start, end: found.own.end };
    last.range = { start: last.range.start, end: found.own.end };
    last.signature = [...last.signature, found.signature];
    const parts = [...(last.parts ?? []), ...(found.parts ?? [])];
    if (parts.length > 0) last.parts = parts;
    if (found.infersType) last.infersType = true;
    last.isExported ||= found.isExported;
  }

  #add({
    kind,
    name,
    simpleName,
    nameNode,
    own,
    end = own.end,
    signature = own,
    parts,
    infersType = false,
    isExported,
    owner,
  }: FoundBlock) {
    this.blocks.push({
      path: this.#path,
      kind,
      name: this.#names.next(kind, name),
      simpleName,
      ...(nameNode && { nameRange: toRange(nameNode.start, nameNode.start + this.#nameLength(nameNode)) }),
      range: toRange(leadingCommentsStart(this.#text, this.#comments, own.start), end),
      ownRange: toRange(own.start, own.end),
      signature: [toRange(signature.start, signature.end)],
      ...(parts && parts.length > 0 && { parts }),
      ...(infersType && { infersType }),
      isExported,
      ...(owner !== undefined && { owner }),
    });
  }

  /** The length of a name without the type annotation, which the parser includes. */
  #nameLength(node: TextRange & { readonly name?: string }): number {
    return node.name?.length ?? node.end - node.start;
  }

  #patternText(pattern: BindingPattern): string {
    if (pattern.type === "Identifier") return pattern.name;
    const end = ("typeAnnotation" in pattern && pattern.typeAnnotation?.start) || pattern.end;
    return this.#text.slice(pattern.start, end).trimEnd();
  }

  #slice({ start, end }: TextRange): string {
    return this.#text.slice(start, end);
  }
}

const groupCallee = /^(describe|context|suite|test\.describe|describe\.(skip|only|each))$/;
const testCallee = /^(it|test|bench|specify)(\.(skip|only|each|fails|concurrent|todo))?$/;

/** Recognizes the call of a test runner: its name, and the body of a test group. */
function testCall(
  text: string,
  node: Statement | Directive,
): { readonly name: string; readonly group?: Extract<Statement, { type: "BlockStatement" }> } | undefined {
  if (node.type !== "ExpressionStatement" || node.expression.type !== "CallExpression") return undefined;
  const call: CallExpression = node.expression;
  // The callee of `describe.each(table)("title", …)` is itself a call.
  let callee: Expression = call.callee;
  while (callee.type === "CallExpression") callee = callee.callee;
  if (callee.type !== "Identifier" && callee.type !== "MemberExpression") return undefined;
  // Callees of test runners are short; this skips long call chains.
  if (callee.end - callee.start > 16) return undefined;
  const calleeText = text.slice(callee.start, callee.end);
  const isGroup = groupCallee.test(calleeText);
  if (!isGroup && !testCallee.test(calleeText)) return undefined;
  const [first] = call.arguments;
  const title =
    first && first.type !== "ArrowFunctionExpression" ? text.slice(first.start, first.end).slice(0, 80) : "";
  const name = `${calleeText.split(".")[0]}(${title})`;
  const callback = isGroup ? call.arguments.findLast((one) => isFunctionValue(one)) : undefined;
  const body = callback?.body;
  return body?.type === "BlockStatement"
    ? { name, group: body as Extract<Statement, { type: "BlockStatement" }> }
    : { name };
}

function isNamedDeclaration(node: { readonly type: string }): node is AnyStatement {
  return /^(FunctionDeclaration|TSDeclareFunction|ClassDeclaration|TSInterfaceDeclaration)$/.test(node.type);
}

function isFunctionValue<T extends { readonly type: string }>(
  node: T | null,
): node is Extract<T, { type: "ArrowFunctionExpression" | "FunctionExpression" }> &
  FunctionValue & { body: { type: string } | null } {
  return node?.type === "ArrowFunctionExpression" || node?.type === "FunctionExpression";
}

/** Whether a value is a function whose return type is inferred from its body. */
function infersReturnType(value: Expression | FunctionNode | null): boolean {
  if (value === null) return false;
  const bare = bareExpression(value as Expression) as { readonly type: string } & Partial<FunctionValue>;
  return /Function/.test(bare.type) && bare.body !== null && !bare.returnType;
}

/** The identifiers that a pattern binds. */
function boundNames(pattern: BindingPattern): (TextRange & { readonly name: string })[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern];
    case "ObjectPattern":
      return pattern.properties.flatMap((one) => boundNames(one.type === "Property" ? one.value : one.argument));
    case "ArrayPattern":
      return pattern.elements.flatMap((one) =>
        one === null ? [] : boundNames(one.type === "RestElement" ? one.argument : one),
      );
    default:
      return boundNames(pattern.left);
  }
}

function toRange(start: number, end: number): TextRange {
  return { start, end };
}

/**
 * The start of the comments on the lines directly above `start`, or `start` if there are none.
 *
 * A comment counts if no empty line and no code is between it and `start`, and no code comes before
 * it on its line. `comments` must be in ascending order.
 */
function leadingCommentsStart(text: string, comments: readonly TextRange[], start: number): number {
  let first = start;
  for (let index = lastEndingBy(comments, start); index >= 0; index--) {
    const comment = comments[index]!;
    const gap = text.slice(comment.end, first);
    if (!/^[^\S\n]*(?:\n[^\S\n]*)?$/.test(gap)) break;
    const lineStart = text.lastIndexOf("\n", comment.start - 1) + 1;
    if (text.slice(lineStart, comment.start).trim() !== "") break;
    first = comment.start;
  }
  return first;
}

function lastEndingBy(ranges: readonly TextRange[], offset: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.end <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
