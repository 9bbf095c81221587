import { getOrInsert, isIdentifier } from "../text/index.ts";
import { type NameRole, type NameTable, NameTableDraft, type SharedForm } from "./name-table.ts";
import { childrenOf, type ScriptNode, type ScriptTree } from "./script-node.ts";

/** The tables of trees that are in use. */
const known = new WeakMap<ScriptTree["program"], NameTable>();

/**
 * Reads the names of a script from its tree and its comments, with the scopes of ECMAScript and
 * TypeScript. Types and values share one namespace here, and the names in a function's body are in
 * scope in its parameters. A tree is read once.
 */
export function scriptNames({ program, comments }: ScriptTree): NameTable {
  return getOrInsert(known, program, () => {
    const reader = new ScriptReader();
    reader.read(program as unknown as ScriptNode);
    return reader.draft.toTable(comments);
  });
}

/** The position of the walk. */
interface Place {
  readonly scope: number;
  /** The scope that `var` declares in. */
  readonly functionScope: number;
  /** The owner that `this` refers to, where it is in this file. */
  readonly self?: number;
  /** Whether declarations here are exported. */
  readonly isExported?: boolean;
}

/** What a pattern declares, and in which scope. */
interface Binds {
  readonly kind: string;
  readonly scope: number;
  readonly isExported?: boolean;
}

class ScriptReader {
  readonly draft = new NameTableDraft();
  /** The names in export lists, which may precede their declarations. */
  readonly #exported = new Set<string>();
  /** The owners of object literals that are assigned to variables. */
  readonly #named = new Map<ScriptNode, number>();
  /** The modules that functions receive as their first argument. */
  readonly #loads = new Map<ScriptNode, string>();
  /** The names of functions that have none of their own. */
  readonly #hosts = new Map<ScriptNode, string>();

  read(program: ScriptNode): void {
    const scope = this.draft.scope(-1, program);
    this.#all(program, { scope, functionScope: scope });
    for (const name of this.#exported) this.draft.export(scope, name);
  }

  #all(node: ScriptNode, place: Place): void {
    // Written as loops for speed: every node of a text passes through here.
    for (const key in node) {
      const value = node[key];
      if (typeof value !== "object" || value === null || key === "parent") continue;
      if (!Array.isArray(value)) {
        if (typeof (value as ScriptNode).type === "string") this.#walk(value as ScriptNode, place);
      } else
        for (const one of value as readonly (ScriptNode | null)[])
          if (typeof one?.type === "string") this.#walk(one, place);
    }
  }

  #walk(node: ScriptNode, place: Place): void {
    switch (node.type) {
      case "Identifier":
      case "JSXIdentifier":
        this.#use(node, "uses", place);
        if (node["typeAnnotation"]) this.#walk(node["typeAnnotation"] as ScriptNode, place);
        return;
      case "ImportDeclaration":
        this.#imports(node, place);
        return;
      case "ExportNamedDeclaration":
        this.#exports(node, place);
        return;
      case "ExportDefaultDeclaration":
        this.#walk(node["declaration"] as ScriptNode, place);
        return;
      case "ExportAllDeclaration":
        this.#addModuleName(node["source"] as ScriptNode, ["*"]);
        if (!node["exported"]) this.draft.passOn(sourceOf(node));
        else
          this.#name(node["exported"] as ScriptNode, "exports", place.scope, { source: sourceOf(node), isWhole: true });
        return;
      case "TSImportEqualsDeclaration":
        this.#importEquals(node, place);
        return;
      case "AssignmentExpression":
        this.#assignment(node, place);
        return;
      case "VariableDeclaration":
        this.#variables(node, place);
        return;
      case "FunctionDeclaration":
      case "TSDeclareFunction":
        if (node["id"]) this.#declare(node["id"] as ScriptNode, { kind: "function", ...place });
        this.#function(node, place);
        return;
      case "FunctionExpression":
      case "ArrowFunctionExpression":
      case "TSEmptyBodyFunctionExpression":
      case "TSFunctionType":
      case "TSConstructorType":
      case "TSCallSignatureDeclaration":
      case "TSConstructSignatureDeclaration":
        this.#function(node, place);
        return;
      case "ClassDeclaration":
      case "ClassExpression":
        this.#class(node, place);
        return;
      case "TSInterfaceDeclaration":
      case "TSTypeAliasDeclaration":
        this.#type(node, place);
        return;
      case "TSEnumDeclaration":
        this.#enum(node, place);
        return;
      case "TSModuleDeclaration":
        if (nodeIn(node, "id")?.type === "Identifier") {
          this.#declare(node["id"] as ScriptNode, { kind: "namespace", ...place });
        }
        if (node["body"]) this.#walk(node["body"] as ScriptNode, without(place, "isExported"));
        return;
      case "BlockStatement":
      case "StaticBlock":
      case "TSModuleBlock":
      case "SwitchStatement":
      case "ForStatement":
      case "ForInStatement":
      case "ForOfStatement":
      case "TSMappedType":
      case "TSConditionalType":
        this.#block(node, place);
        return;
      case "CatchClause":
        this.#catch(node, place);
        return;
      case "TSTypeParameter":
        this.#declare(node["name"] as ScriptNode, { kind: "type parameter", scope: place.scope });
        for (const key of ["constraint", "default"]) if (node[key]) this.#walk(node[key] as ScriptNode, place);
        return;
      case "MemberExpression":
      case "TSQualifiedName":
      case "JSXMemberExpression":
      case "TSImportType":
        this.#member(node, place);
        return;
      case "ImportExpression":
        this.#addModuleName(node["source"] as ScriptNode, ["*"]);
        this.#all(node, place);
        return;
      case "CallExpression":
        if (namesModule(node["callee"] as ScriptNode))
          this.#addModuleName((node["arguments"] as readonly ScriptNode[])[0], ["*"]);
        this.#hand(node);
        if (!this.#onceLoaded(node, place)) this.#all(node, place);
        return;
      case "TSIndexedAccessType":
      case "TSTypeReference":
        this.#typeMembers(node, place);
        this.#all(node, place);
        return;
      case "ObjectExpression":
        this.#object(node, place);
        return;
      case "ObjectPattern":
        this.#pattern(node, undefined, place);
        return;
      case "TSTypeLiteral":
        this.#members(node["members"] as readonly ScriptNode[], this.draft.owner(node), place);
        return;
      case "JSXAttribute":
        if (nodeIn(node, "name")?.type === "JSXIdentifier") this.#name(node["name"] as ScriptNode, "key", place.scope);
        if (node["value"]) this.#walk(node["value"] as ScriptNode, place);
        return;
      case "JSXOpeningElement":
      case "JSXClosingElement":
        for (const child of childrenOf(node)) {
          // `<b>` is an HTML element, even where `b` is declared.
          if (child.type !== "JSXIdentifier" || !/^[a-z]/.test(child["name"] as string)) this.#walk(child, place);
        }
        return;
      case "LabeledStatement":
        this.#walk(node["body"] as ScriptNode, place);
        return;
      case "TSNamedTupleMember":
        this.#walk(node["elementType"] as ScriptNode, place);
        return;
      case "TSIndexSignature":
        for (const one of node["parameters"] as readonly ScriptNode[]) this.#all(one, place);
        if (node["typeAnnotation"]) this.#walk(node["typeAnnotation"] as ScriptNode, place);
        return;
      case "BreakStatement":
      case "ContinueStatement":
      case "MetaProperty":
      case "Literal":
      case "TemplateElement":
      case "PrivateIdentifier":
        return;
      default:
        this.#all(node, place);
    }
  }

  #imports(node: ScriptNode, { scope }: Place): void {
    const source = sourceOf(node);
    const specifiers = node["specifiers"] as readonly ScriptNode[];
    this.#addModuleName(node["source"] as ScriptNode, specifiers.map(importedName));
    for (const one of specifiers) {
      const local = one["local"] as ScriptNode;
      const imported = nodeIn(one, "imported");
      const name =
        imported === undefined ? (one.type === "ImportNamespaceSpecifier" ? "*" : "default") : nameOf(imported);
      this.draft.bind(scope, nameOf(local), "import", { imported: { source, name } });
      const isShared = imported?.start === local.start;
      if (imported !== undefined)
        this.#name(imported, "imports", scope, { source, ...(isShared && { shared: "import" }) });
      this.#name(local, "declares", scope, isShared ? { shared: "import" } : {});
    }
  }

  /** Reads `import name = require("module")` and `import name = space.name`. */
  #importEquals(node: ScriptNode, place: Place): void {
    const id = node["id"] as ScriptNode;
    const reference = node["moduleReference"] as ScriptNode;
    const isExported = place.isExported === true;
    if (reference.type !== "TSExternalModuleReference") {
      this.#declare(id, { kind: "import", ...place });
      this.#walk(reference, without(place, "isExported"));
      return;
    }
    const source = (reference["expression"] as ScriptNode)["value"] as string;
    this.#addModuleName(reference["expression"] as ScriptNode, ["*"]);
    this.draft.bind(place.scope, nameOf(id), "import", { isExported, imported: { source, name: "*" } });
    this.#name(id, "declares", place.scope);
  }

  /** Reads an assignment; one to `module.exports` defines the exports of the module. */
  #assignment(node: ScriptNode, place: Place): void {
    const left = node["left"] as ScriptNode;
    const right = node["right"] as ScriptNode;
    const gives = isModuleExports(left);
    const whole = gives ? sourceOfLoad(right) : undefined;
    if (whole !== undefined) this.draft.passOn(whole);
    // `exports.name = name`
    const isNamed = left.type === "MemberExpression" && left["computed"] !== true && right.type === "Identifier";
    if (
      isNamed &&
      isExportsObject(left["object"] as ScriptNode) &&
      nameOf(left["property"] as ScriptNode) === nameOf(right)
    )
      this.#exported.add(nameOf(right));
    if (gives && right.type === "ObjectExpression") this.#givenAway(right, place);
    else this.#all(node, place);
  }

  /** Reads the object that is assigned to `module.exports`: its keys are exports. */
  #givenAway(node: ScriptNode, place: Place): void {
    for (const one of node["properties"] as readonly ScriptNode[]) {
      const key = nodeIn(one, "key");
      if (key?.type !== "Identifier" || one["computed"] === true) {
        const whole = one.type === "SpreadElement" ? sourceOfLoad(one["argument"] as ScriptNode) : undefined;
        if (whole !== undefined) this.draft.passOn(whole);
        this.#all(one, place);
      } else if (one["shorthand"] === true) {
        this.#exported.add(nameOf(key));
        for (const role of ["uses", "exports"] as const) this.#name(key, role, place.scope, { shared: "export" });
      } else {
        this.#name(key, "exports", place.scope);
        const value = one["value"] as ScriptNode;
        if (isFunction.test(value.type)) this.#hosts.set(value, nameOf(key));
        if (value.type === "Identifier" && nameOf(value) === nameOf(key)) this.#exported.add(nameOf(key));
        this.#walk(value, place);
      }
    }
  }

  /** Reads `const { name } = require("module")`. Returns whether the pattern is of that form. */
  #loaded(id: ScriptNode, source: string, binds: Binds, place: Place): boolean {
    const imported = (name: string) => ({ imported: { source, name }, isExported: binds.isExported === true });
    if (id.type === "Identifier") {
      this.draft.bind(binds.scope, nameOf(id), "import", imported("*"));
      this.#name(id, "declares", binds.scope);
      if (id["typeAnnotation"]) this.#walk(id["typeAnnotation"] as ScriptNode, place);
      return true;
    }
    if (id.type !== "ObjectPattern") return false;
    for (const one of id["properties"] as readonly ScriptNode[]) {
      const key = nodeIn(one, "key");
      const value = nodeIn(one, "value");
      if (key?.type !== "Identifier" || value === undefined || one["computed"] === true) {
        this.#pattern(one.type === "RestElement" ? one : (value ?? one), binds, place);
        continue;
      }
      const shared = one["shorthand"] === true ? ({ shared: "pattern" } as const) : {};
      this.#name(key, "imports", place.scope, { ...shared, source });
      const bound = value.type === "AssignmentPattern" ? (value["left"] as ScriptNode) : value;
      if (bound.type === "Identifier") this.draft.bind(binds.scope, nameOf(bound), "import", imported(nameOf(key)));
      this.#pattern(value, { ...binds, kind: "import" }, place, shared);
    }
    return true;
  }

  /** Reads `import("module").then((module) => …)`. Returns whether the call is of that form. */
  #onceLoaded(call: ScriptNode, place: Place): boolean {
    const callee = call["callee"] as ScriptNode;
    const source = callee.type === "MemberExpression" ? sourceOfLoad(callee["object"] as ScriptNode) : undefined;
    const [first, ...others] = call["arguments"] as readonly ScriptNode[];
    const isThen = nameOf(nodeIn(callee, "property") ?? callee) === "then";
    if (source === undefined || !isThen || first === undefined || !isFunction.test(first.type)) return false;
    this.#loads.set(first, source);
    for (const one of [callee, first, ...others]) this.#walk(one, place);
    return true;
  }

  #exports(node: ScriptNode, place: Place): void {
    if (node["declaration"]) {
      this.#walk(node["declaration"] as ScriptNode, { ...place, isExported: true });
      return;
    }
    const source = node["source"] ? sourceOf(node) : undefined;
    const specifiers = node["specifiers"] as readonly ScriptNode[];
    if (source !== undefined) this.#addModuleName(node["source"] as ScriptNode, specifiers.map(importedName));
    for (const one of specifiers) {
      const local = one["local"] as ScriptNode;
      const exported = one["exported"] as ScriptNode;
      const isShared = local.start === exported.start;
      const shared = isShared ? ({ shared: source === undefined ? "export" : "reexport" } as const) : {};
      if (source !== undefined) this.#name(local, "imports", place.scope, { ...shared, source });
      else {
        this.#name(local, "uses", place.scope, shared);
        if (isShared) this.#exported.add(nameOf(local));
      }
      this.#name(exported, "exports", place.scope, { ...shared, ...(source !== undefined && { source }) });
    }
  }

  #variables(node: ScriptNode, place: Place): void {
    const scope = node["kind"] === "var" ? place.functionScope : place.scope;
    for (const one of node["declarations"] as readonly ScriptNode[]) {
      const id = one["id"] as ScriptNode;
      const init = nodeIn(one, "init");
      const isExported = place.isExported === true;
      const binds = { kind: "variable", scope, isExported };
      const inner = without(place, "isExported");
      const loaded = init === undefined ? undefined : sourceOfLoad(init);
      if (loaded === undefined || !this.#loaded(id, loaded, binds, inner)) this.#pattern(id, binds, inner, {}, init);
      if (init === undefined) continue;
      if (id.type === "Identifier") this.#hosts.set(init, nameOf(id));
      if (id.type === "Identifier" && bareOf(init).type === "ObjectExpression") {
        const owner = this.draft.owner(bareOf(init), nameOf(id));
        this.#bound(scope, nameOf(id), { owner });
        this.#named.set(bareOf(init), owner);
      }
      if (id.type === "Identifier" && init.type === "NewExpression" && nodeIn(init, "callee")?.type === "Identifier") {
        this.#bound(scope, nameOf(id), { typeName: nameOf(init["callee"] as ScriptNode) });
      }
      this.#walk(init, without(place, "isExported"));
    }
  }

  #function(node: ScriptNode, place: Place, isMethod = false): void {
    const id = nodeIn(node, "id");
    const scope = this.draft.scope(place.scope, node, id === undefined ? this.#hosts.get(node) : nameOf(id));
    const keepsThis = isMethod || node.type === "ArrowFunctionExpression";
    const around = without(place, "isExported");
    const inner: Place = { ...(keepsThis ? around : without(around, "self")), scope, functionScope: scope };
    if (node.type === "FunctionExpression" && node["id"])
      this.#declare(node["id"] as ScriptNode, { kind: "function", scope });
    if (node["typeParameters"]) this.#walk(node["typeParameters"] as ScriptNode, inner);
    const loaded = this.#loads.get(node);
    for (const [at, one] of ((node["params"] ?? []) as readonly ScriptNode[]).entries()) {
      const binds = { kind: "parameter", scope };
      if (at > 0 || loaded === undefined || !this.#loaded(one, loaded, binds, inner)) this.#pattern(one, binds, inner);
    }
    if (node["returnType"]) this.#walk(node["returnType"] as ScriptNode, inner);
    const body = nodeIn(node, "body");
    // A body's names may not repeat those of the parameters, so they share one scope.
    if (body?.type === "BlockStatement") this.#all(body, inner);
    else if (body !== undefined) this.#walk(body, inner);
  }

  #class(node: ScriptNode, place: Place): void {
    const id = nodeIn(node, "id");
    const owner = this.draft.owner(node, id && nameOf(id));
    const outer = without(place, "isExported");
    const scope = this.draft.scope(place.scope, node, id && nameOf(id));
    if (id !== undefined) {
      const within = node.type === "ClassDeclaration" ? place.scope : scope;
      this.#declare(id, { kind: "class", scope: within, isExported: place.isExported === true });
      this.#bound(within, nameOf(id), { owner });
    }
    for (const one of (node["decorators"] ?? []) as readonly ScriptNode[]) this.#walk(one, outer);
    const inner: Place = { ...outer, scope };
    for (const key of ["typeParameters", "superClass", "superTypeArguments"]) {
      if (node[key]) this.#walk(node[key] as ScriptNode, inner);
    }
    for (const one of (node["implements"] ?? []) as readonly ScriptNode[]) this.#walk(one, inner);
    this.#members((node["body"] as ScriptNode)["body"] as readonly ScriptNode[], owner, { ...inner, self: owner });
  }

  #type(node: ScriptNode, place: Place): void {
    const id = node["id"] as ScriptNode;
    this.#declare(id, { kind: "type", ...place });
    const scope = this.draft.scope(place.scope, node, nameOf(id));
    const inner = { ...without(place, "isExported"), scope };
    if (node["typeParameters"]) this.#walk(node["typeParameters"] as ScriptNode, inner);
    for (const one of (node["extends"] ?? []) as readonly ScriptNode[]) this.#walk(one, inner);
    const body = nodeIn(node, "body") ?? nodeIn(node, "typeAnnotation");
    const list = body?.["members"] ?? body?.["body"];
    if (Array.isArray(list)) this.#members(list as readonly ScriptNode[], this.draft.owner(node, nameOf(id)), inner);
    else if (body !== undefined) this.#walk(body, inner);
  }

  #enum(node: ScriptNode, place: Place): void {
    const id = node["id"] as ScriptNode;
    this.#declare(id, { kind: "enum", ...place });
    const owner = this.draft.owner(node, nameOf(id));
    this.#bound(place.scope, nameOf(id), { owner });
    for (const one of (nodeIn(node, "body") ?? node)["members"] as readonly ScriptNode[]) {
      const key = unquoted(one["id"] as ScriptNode);
      if (key.type === "Identifier")
        this.#name(key, "member-declares", place.scope, { owner: { kind: "here", owner } });
      if (one["initializer"]) this.#walk(one["initializer"] as ScriptNode, without(place, "isExported"));
    }
  }

  /** Reads the members of a class or a type. */
  #members(list: readonly ScriptNode[], owner: number, place: Place): void {
    for (const one of list) {
      const key = nodeIn(one, "key");
      const name = key === undefined || one["computed"] === true ? undefined : unquoted(key);
      const isMethod = one.type === "MethodDefinition" || one.type === "TSAbstractMethodDefinition";
      if (name !== undefined && /^(Identifier|PrivateIdentifier)$/.test(name.type)) {
        this.#name(name, "member-declares", place.scope, { owner: { kind: "here", owner }, ...hidden(one) });
        this.#hosts.set(one, nameOf(name));
        if (one["value"]) this.#hosts.set(one["value"] as ScriptNode, nameOf(name));
      } else if (key !== undefined && one["computed"] === true) this.#walk(key, place);
      if (one.type === "TSMethodSignature") this.#function(one, place);
      else if (key === undefined) this.#walk(one, place);
      else {
        for (const child of childrenOf(one)) {
          if (child === key) continue;
          if (isMethod && child === one["value"]) this.#function(child, place, true);
          else this.#walk(child, place);
        }
      }
    }
  }

  #object(node: ScriptNode, place: Place): void {
    const owner = this.#named.get(node);
    const own = owner === undefined ? {} : { owner: { kind: "here", owner } as const };
    for (const one of node["properties"] as readonly ScriptNode[]) {
      const key = nodeIn(one, "key");
      if (key === undefined || one["computed"] === true) {
        this.#all(one, place);
        continue;
      }
      const isShared = one["shorthand"] === true;
      const shared = isShared ? ({ shared: "object" } as const) : {};
      const name = unquoted(key);
      if (name.type === "Identifier") this.#name(name, "key", place.scope, { ...own, ...shared });
      const value = one["value"] as ScriptNode;
      if (name.type === "Identifier" && isFunction.test(value.type)) this.#hosts.set(value, nameOf(name));
      if (isShared) this.#name(key, "uses", place.scope, shared);
      else this.#walk(value, place);
    }
  }

  /** Reads a pattern: it declares by `binds`, or assigns where `binds` is absent. */
  #pattern(
    node: ScriptNode,
    binds: Binds | undefined,
    place: Place,
    shared: { readonly shared?: SharedForm } = {},
    /** The initializer of the pattern, if any. */
    init?: ScriptNode,
  ): void {
    switch (node.type) {
      case "Identifier": {
        if (binds === undefined) this.#name(node, "uses", place.scope, shared);
        else this.#declare(node, binds, shared);
        const type = nodeIn(node, "typeAnnotation");
        if (type === undefined) return;
        const typeName = nameOfType(type);
        if (binds !== undefined && typeName !== undefined) this.#bound(binds.scope, nameOf(node), { typeName });
        this.#walk(type, place);
        return;
      }
      case "TSParameterProperty": {
        const inner = node["parameter"] as ScriptNode;
        const name = inner.type === "AssignmentPattern" ? (inner["left"] as ScriptNode) : inner;
        this.#name(name, "member-declares", place.scope, {
          ...(place.self !== undefined && { owner: { kind: "here", owner: place.self } }),
          ...{ shared: "parameter", ...hidden(node) },
        });
        this.#pattern(inner, binds, place, { shared: "parameter" });
        return;
      }
      case "AssignmentPattern":
        this.#pattern(node["left"] as ScriptNode, binds, place, shared);
        this.#walk(node["right"] as ScriptNode, place);
        return;
      case "RestElement":
        this.#pattern(node["argument"] as ScriptNode, binds, place);
        break;
      case "ArrayPattern":
        for (const one of node["elements"] as readonly (ScriptNode | null)[]) if (one) this.#pattern(one, binds, place);
        break;
      case "ObjectPattern":
        this.#keysTaken(node, binds, place, init);
        break;
      default:
        this.#walk(node, place);
        return;
    }
    if (node["typeAnnotation"]) this.#walk(node["typeAnnotation"] as ScriptNode, place);
  }

  #keysTaken(node: ScriptNode, binds: Binds | undefined, place: Place, init?: ScriptNode): void {
    const typeName = node["typeAnnotation"] ? nameOfType(node["typeAnnotation"] as ScriptNode) : undefined;
    const own = typeName === undefined ? {} : { owner: { kind: "named", name: typeName } as const };
    const receiver = typeName === undefined && init?.type === "Identifier" ? nameOf(init) : undefined;
    for (const one of node["properties"] as readonly ScriptNode[]) {
      if (one.type === "RestElement") this.#pattern(one, binds, place);
      else {
        const key = unquoted(one["key"] as ScriptNode);
        const shared = one["shorthand"] === true ? ({ shared: "pattern" } as const) : {};
        if (one["computed"] === true) this.#walk(one["key"] as ScriptNode, place);
        else if (key.type === "Identifier" && receiver !== undefined) {
          this.draft.memberOf(receiver, { ...rangeOf(key), role: "member", scope: place.scope, ...shared });
        } else if (key.type === "Identifier") this.#name(key, "member", place.scope, { ...own, ...shared });
        this.#pattern(one["value"] as ScriptNode, binds, place, shared);
      }
    }
  }

  #member(node: ScriptNode, place: Place): void {
    if (node.type === "TSImportType") {
      const qualifier = nodeIn(node, "qualifier");
      this.#addModuleName(nodeIn(node, "source"), ["*"]);
      const source = nodeIn(node, "source")?.["value"];
      const first = qualifier && firstOf(qualifier);
      if (first !== undefined && typeof source === "string")
        this.draft.use({ ...rangeOf(first), role: "member", scope: place.scope, owner: { kind: "module", source } });
      if (node["typeArguments"]) this.#walk(node["typeArguments"] as ScriptNode, place);
      return;
    }
    const object = (node["object"] ?? node["left"]) as ScriptNode;
    const property = unquoted((node["property"] ?? node["right"]) as ScriptNode);
    this.#walk(object, place);
    if (node["computed"] === true && property === node["property"]) {
      this.#walk(property, place);
      return;
    }
    const use = { ...rangeOf(property), role: "member", scope: place.scope } as const;
    const source = /^(Parenthesized|Call|Import)Expression$/.test(object.type) ? sourceOfLoad(object) : undefined;
    if (source !== undefined) this.draft.use({ ...use, owner: { kind: "module", source } });
    else if (isExportsObject(object)) this.draft.use({ ...use, role: "exports" });
    else if (/^(JSX)?Identifier$/.test(object.type)) this.draft.memberOf(nameOf(object), use);
    else if (object.type === "ThisExpression" && place.self !== undefined) {
      this.draft.use({ ...use, owner: { kind: "here", owner: place.self } });
    } else this.draft.use(use);
  }

  /** Reads members of a type that are named in quotes: `T["name"]`, `Pick<T, "name">`. */
  #typeMembers(node: ScriptNode, { scope }: Place): void {
    const isIndexed = node.type === "TSIndexedAccessType";
    if (!isIndexed && !takesMembers.test(nameOf((node["typeName"] ?? node) as ScriptNode))) return;
    const parts = (nodeIn(node, "typeArguments")?.["params"] ?? []) as readonly ScriptNode[];
    const [type, qualifier] = isIndexed ? [nodeIn(node, "objectType"), nodeIn(node, "indexType")] : parts;
    if (type === undefined || qualifier === undefined) return;
    const name = nameOfType({ ...type, typeAnnotation: type });
    const owner = name === undefined ? {} : ({ owner: { kind: "named", name } } as const);
    for (const one of qualifier.type === "TSUnionType" ? (qualifier["types"] as readonly ScriptNode[]) : [qualifier]) {
      const key = one.type === "TSLiteralType" ? unquoted(one["literal"] as ScriptNode) : one;
      if (key.type === "Identifier") this.#name(key, "member", scope, owner);
    }
  }

  /** Gives functions that are passed to a call the name of the callee as host. */
  #hand(call: ScriptNode): void {
    const callee = call["callee"] as ScriptNode;
    const named = nodeIn(callee, "property") ?? callee;
    const name = nameOf(named);
    if (name === "") return;
    for (const one of call["arguments"] as readonly ScriptNode[])
      if (isFunction.test(one.type)) this.#hosts.set(one, `${name}()`);
  }

  #block(node: ScriptNode, place: Place): void {
    const range =
      node.type === "TSConditionalType"
        ? { start: (node["extendsType"] as ScriptNode).start, end: (node["trueType"] as ScriptNode).end }
        : node;
    const scope = this.draft.scope(place.scope, range);
    const inner = { ...without(place, "isExported"), scope };
    if (node.type === "TSConditionalType") {
      // `infer` declares names in the true branch of the condition.
      for (const key of ["checkType", "falseType"]) this.#walk(node[key] as ScriptNode, place);
      for (const key of ["extendsType", "trueType"]) this.#walk(node[key] as ScriptNode, inner);
      return;
    }
    if (node.type === "TSMappedType" && nodeIn(node, "key")?.type === "Identifier") {
      const key = node["key"] as ScriptNode;
      this.#declare(key, { kind: "type parameter", scope });
      for (const child of childrenOf(node)) if (child !== key) this.#walk(child, inner);
      return;
    }
    if (/^For(In|Of)Statement$/.test(node.type) && nodeIn(node, "left")?.type !== "VariableDeclaration") {
      this.#pattern(node["left"] as ScriptNode, undefined, inner);
      for (const key of ["right", "body"]) this.#walk(node[key] as ScriptNode, inner);
      return;
    }
    this.#all(node, inner);
  }

  #catch(node: ScriptNode, place: Place): void {
    const scope = this.draft.scope(place.scope, node);
    if (node["param"]) this.#pattern(node["param"] as ScriptNode, { kind: "parameter", scope }, { ...place, scope });
    this.#walk(node["body"] as ScriptNode, { ...place, scope });
  }

  #declare(node: ScriptNode, { kind, scope, isExported }: Binds, shared: { readonly shared?: SharedForm } = {}): void {
    this.draft.bind(scope, nameOf(node), kind, { isExported: isExported === true });
    this.#name(node, "declares", scope, shared);
  }

  #bound(scope: number, name: string, more: { readonly typeName?: string; readonly owner?: number }): void {
    this.draft.amend(this.draft.bind(scope, name, "variable"), more);
  }

  /** Adds a module name, where it is a string without escapes. */
  #addModuleName(literal: ScriptNode | undefined, names: readonly string[]): void {
    const source = literal?.["value"];
    if (literal?.type !== "Literal" || typeof source !== "string" || literal.end - literal.start !== source.length + 2)
      return;
    this.draft.moduleName({ source, names, start: literal.start + 1, end: literal.end - 1 });
  }

  #use(node: ScriptNode, role: NameRole, { scope }: Place): void {
    this.#name(node, role, scope);
  }

  #name(
    node: ScriptNode,
    role: NameRole,
    scope: number,
    more: Partial<Parameters<NameTableDraft["use"]>[0]> = {},
  ): void {
    const range = rangeOf(node);
    // The names of imports and exports may be strings.
    if (node.type !== "Literal") this.draft.use({ ...range, role, scope, ...more });
  }
}

/** Types that select members of another type by their second argument. */
const takesMembers = /^(?:Pick|Omit)$/;
const isFunction = /^(ArrowFunction|Function)Expression$/;

/** The name and range of an identifier's node, without its type annotation. */
function rangeOf(node: ScriptNode): { readonly name: string; readonly start: number; readonly end: number } {
  const name = nameOf(node);
  return { name, start: node.start, end: node.start + name.length };
}

function nameOf(node: ScriptNode): string {
  if (node.type === "Literal") return String(node["value"]);
  return node.type === "PrivateIdentifier" ? `#${node["name"] as string}` : ((node["name"] ?? "") as string);
}

function sourceOf(node: ScriptNode): string {
  return (node["source"] as ScriptNode)["value"] as string;
}

/** Marks a private or protected member. */
function hidden(member: ScriptNode): { readonly isHidden?: true } {
  return /^(private|protected)$/.test(String(member["accessibility"])) ? { isHidden: true } : {};
}

/** Returns a name in quotes as an identifier without them; other nodes unchanged. */
function unquoted(node: ScriptNode): ScriptNode {
  const name = node.type === "Literal" ? node["value"] : undefined;
  const isName = typeof name === "string" && node.end - node.start === name.length + 2 && isIdentifier(name);
  return isName ? { type: "Identifier", name, start: node.start + 1, end: node.end - 1 } : node;
}

/** The name that an import or a list of exports requests from its module. */
function importedName(specifier: ScriptNode): string {
  if (specifier.type === "ImportNamespaceSpecifier") return "*";
  if (specifier.type === "ImportDefaultSpecifier") return "default";
  return nameOf((nodeIn(specifier, "imported") ?? specifier["local"]) as ScriptNode);
}

/**
 * Returns the module that an expression loads as a whole: `require("module")`, `import("module")`,
 * and the same awaited; `undefined` for other expressions.
 */
function sourceOfLoad(node: ScriptNode): string | undefined {
  let load = bareOf(node);
  if (load.type === "AwaitExpression") load = bareOf(load["argument"] as ScriptNode);
  const isRequire = load.type === "CallExpression" && nameOf(load["callee"] as ScriptNode) === "require";
  const named = isRequire ? (load["arguments"] as readonly ScriptNode[])[0] : nodeIn(load, "source");
  if (named === undefined || (!isRequire && load.type !== "ImportExpression")) return undefined;
  return named.type === "Literal" && typeof named["value"] === "string" ? named["value"] : undefined;
}

/** Whether an expression is `module.exports`. */
function isModuleExports(node: ScriptNode): boolean {
  if (node.type !== "MemberExpression" || node["computed"] === true) return false;
  return nameOf(node["object"] as ScriptNode) === "module" && nameOf(node["property"] as ScriptNode) === "exports";
}

/** Whether an expression is `exports` or `module.exports`. */
function isExportsObject(node: ScriptNode): boolean {
  return node.type === "Identifier" ? nameOf(node) === "exports" : isModuleExports(node);
}

/** The first name of a qualified one: `a` of `a.b`. */
function firstOf(node: ScriptNode): ScriptNode {
  let first = node;
  while (first.type === "TSQualifiedName") first = first["left"] as ScriptNode;
  return first;
}

/**
 * Whether the first argument of a function is a module specifier: `require`, and the mock functions
 * of Vitest and Jest.
 */
function namesModule(callee: ScriptNode): boolean {
  if (callee.type === "Identifier") return callee["name"] === "require";
  if (callee.type !== "MemberExpression" || callee["computed"] === true) return false;
  const object = (callee["object"] as ScriptNode)["name"] as string | undefined;
  const member = (callee["property"] as ScriptNode)["name"] as string;
  if (object === "require") return member === "resolve";
  return (
    /^(vi|vitest|jest)$/.test(object ?? "") && /^(do|un|dont|set|import|require)?(mock|unmock|actual)$/i.test(member)
  );
}

function nodeIn(node: ScriptNode, key: string): ScriptNode | undefined {
  return (node[key] ?? undefined) as ScriptNode | undefined;
}

/** The expression inside `as const`, `satisfies T` and brackets. */
function bareOf(node: ScriptNode): ScriptNode {
  let bare = node;
  while (/^(TSAsExpression|TSSatisfiesExpression|ParenthesizedExpression)$/.test(bare.type))
    bare = bare["expression"] as ScriptNode;
  return bare;
}

/** The name of the type in an annotation: `T` of `: T<U>`. */
function nameOfType(annotation: ScriptNode): string | undefined {
  const type = nodeIn(annotation, "typeAnnotation");
  if (type?.type !== "TSTypeReference") return undefined;
  const name = type["typeName"] as ScriptNode;
  return name.type === "Identifier" ? nameOf(name) : undefined;
}

function without<T extends object, K extends keyof T>(value: T, key: K): Omit<T, K> {
  if (value[key] === undefined) return value;
  const { [key]: _, ...others } = value;
  return others;
}
