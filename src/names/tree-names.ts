import type { TreeNameRules } from "../languages/index.ts";
import type { PlainNode } from "../syntax/index.ts";
import { type NameTable, NameTableDraft } from "./name-table.ts";
import { tryTreeNameRules } from "./tree-name-rules.ts";

/** Reads the names of a text in a language with tree rules; `undefined` for other languages. */
export function tryTreeNames(languageId: string, text: string, root: PlainNode): NameTable | undefined {
  const rules = tryTreeNameRules(languageId);
  if (rules === undefined) return undefined;
  const reader = new TreeReader(rules, text);
  reader.read(root);
  return reader.draft.toTable();
}

/** The position of the walk. */
interface Place {
  readonly scope: number;
  /** The scope around the innermost one. */
  readonly outer: number;
  /** The class around, by its index among the owners. */
  readonly self?: number;
  /** Whether declarations here are members of the class. */
  readonly isInOwner: boolean;
  readonly isInFunction: boolean;
  /** The role of the identifiers of a pattern. */
  readonly pattern?: "declares" | "declares-around" | "imports" | "member-declares" | "key" | "ignored";
  /** The module that is imported from. */
  readonly source?: string;
  /** The declared type of a declaration. */
  readonly typeName?: string;
}

class TreeReader {
  readonly draft = new NameTableDraft();
  readonly #rules: TreeNameRules;
  readonly #text: string;

  constructor(rules: TreeNameRules, text: string) {
    this.#rules = rules;
    this.#text = text;
  }

  read(root: PlainNode): void {
    const scope = this.draft.scope(-1, root);
    for (const child of root.children) {
      this.#walk(child, root, { scope, outer: scope, isInOwner: false, isInFunction: false });
    }
  }

  #walk(node: PlainNode, parent: PlainNode, place: Place): void {
    const role = this.#roleOf(node, parent, place);
    if (node.children.length === 0) {
      if (isIdentifier(node)) this.#identifier(node, parent, place, role);
      return;
    }
    if (this.#rules.exportList !== "" && this.#isExportList(node)) this.#exportedNames(node, place.scope);
    if (importsWhole.test(node.type)) this.#importWhole(node, parent, place.scope);
    const { pattern: _, typeName: __, ...plain } = place;
    const inner: Place = this.#within(node, parent, plain);
    const typed = node.children.find(({ field }) => field === "type");
    const typeName = typed && onlyLeaf(typed);
    const ofType = typeName === undefined ? {} : { typeName: this.#word(typeName) };
    const keepsPattern = role !== undefined && role !== "member" && role !== "uses" && !endsPattern.test(node.type);
    for (const child of node.children) {
      const isValue = child.field !== undefined && notBound.has(child.field);
      const nested =
        keepsPattern && !isValue
          ? { ...inner, pattern: role, ...(place.typeName !== undefined && { typeName: place.typeName }) }
          : inner;
      this.#walk(child, node, { ...ofType, ...nested } as Place);
    }
  }

  /**
   * Whether a node creates or extends the list of a module's exports: `__all__ = […]`, `__all__ +=
   * […]`, `__all__.append(…)`.
   */
  #isExportList(node: PlainNode): boolean {
    const list = (() => {
      if (/assignment$/.test(node.type)) return node.children.find(({ field }) => field === "left");
      if (node.type !== "call") return undefined;
      const called = node.children.find(({ field }) => field === "function");
      return called?.children.find(({ field }) => this.#isReceiver(field));
    })();
    return list !== undefined && this.#word(list) === this.#rules.exportList;
  }

  #isReceiver(field: string | undefined): boolean {
    return field !== undefined && this.#rules.receivers.has(field);
  }

  /** Reads the names in the strings of an export list as uses. */
  #exportedNames(node: PlainNode, scope: number): void {
    for (const child of node.children) {
      const word =
        child.type === "string" ? /^(["'])([\p{ID_Start}_][\p{ID_Continue}]*)\1$/u.exec(this.#word(child)) : null;
      if (word === null) this.#exportedNames(child, scope);
      else this.draft.use({ name: word[2]!, role: "uses", start: child.start + 1, end: child.end - 1, scope });
    }
  }

  /**
   * Declares a module that is imported as a whole: by its alias, or by the name that precedes its
   * members.
   */
  #importWhole(node: PlainNode, parent: PlainNode, scope: number): void {
    const partOf = (field: string) => node.children.find((child) => child.field === field);
    const bind = (name: string, source: string) => {
      this.draft.bind(scope, name, "import", { imported: { source, name: "*" } });
    };
    if (node.type === "import_spec") {
      const path = partOf("path");
      if (path === undefined) return;
      // Where a path ends with a version, the step before it is the package name.
      const source = this.#word(path)
        .replaceAll(/["`]/g, "")
        .replace(/\/v\d+$/, "");
      const alias = partOf("name");
      const called = source.slice(source.lastIndexOf("/") + 1);
      const name = alias === undefined ? called : this.#word(alias);
      if (/^\w+$/.test(name)) bind(name, source);
    } else if (parent.type === "import_statement" && node.field === "name") {
      const alias = partOf("alias");
      const source = this.#word(partOf("name") ?? node);
      // `import a.b` is used as `a.b`. No other name contains a dot, so there is no conflict.
      bind(alias === undefined ? source : this.#word(alias), source);
    }
  }

  /** Returns the scope, the owner and the module inside a node. */
  #within(node: PlainNode, parent: PlainNode, place: Place): Place {
    const rules = this.#rules;
    let inner = place;
    if (rules.owners.has(node.type)) {
      const partOf = ({ children }: PlainNode, name: string) => children.find(({ field }) => field === name);
      // Go gives a struct its name outside of it.
      const outer = node.field === "type" ? partOf(parent, "name") : undefined;
      const name = partOf(node, "name") ?? partOf(node, "type") ?? outer;
      const leaf = name && onlyLeaf(name);
      inner = { ...inner, self: this.draft.owner(node, leaf && this.#word(leaf)), isInOwner: true };
    }
    const receiver = node.children.find(({ field }) => field === "receiver");
    if (receiver !== undefined && node.type === "method_declaration") {
      // Go writes the type of a method in front of it.
      const type = lastLeaf(receiver);
      inner = { ...inner, self: this.draft.owner(node, this.#word(type)) };
    }
    if (rules.scopes.has(node.type)) {
      inner = { ...inner, outer: inner.scope, scope: this.draft.scope(inner.scope, node) };
    }
    if (rules.functions.has(node.type)) inner = { ...inner, isInFunction: true };
    const module = node.children.find(({ field }) => field === "module_name" || field === "path");
    if (/^(import_from_statement|scoped_use_list|scoped_identifier)$/.test(node.type) && module !== undefined) {
      inner = { ...inner, source: this.#word(module) };
    }
    return inner;
  }

  #roleOf(node: PlainNode, parent: PlainNode, place: Place): Place["pattern"] | "member" | "uses" | undefined {
    const rules = this.#rules;
    const has = (list: ReadonlySet<string>) =>
      list.has(parent.type) || (node.field !== undefined && list.has(`${parent.type}.${node.field}`));
    if (has(rules.ignored)) return "ignored";
    if (place.pattern !== "imports" && has(rules.members)) {
      // A call without an object calls what its name refers to.
      const isCall = parent.type === "method_invocation" || parent.type === "call";
      return isCall && !parent.children.some(({ field }) => this.#isReceiver(field)) ? "uses" : "member";
    }
    if (has(rules.keys)) return "key";
    if (has(rules.imports)) return "imports";
    const isOwn = rules.functions.has(parent.type)
      ? this.#isMemberFunction(place)
      : place.isInOwner && !place.isInFunction;
    const isMember =
      has(rules.memberDeclares) && (isOwn || node.type === "field_identifier" || parent.type === "method_declaration");
    if (isMember) return "member-declares";
    if (has(rules.declaresAround)) return "declares-around";
    if (has(rules.declares)) return "declares";
    return place.pattern;
  }

  /** Whether the function with this scope is directly inside an owner. */
  #isMemberFunction(place: Place): boolean {
    return place.isInOwner && !this.#nested.has(place.outer);
  }

  /** Scopes inside functions. */
  readonly #nested = new Set<number>();

  #identifier(node: PlainNode, parent: PlainNode, place: Place, role: Place["pattern"] | "member" | "uses"): void {
    const rules = this.#rules;
    const name = this.#word(node);
    const { start, end } = node;
    const base = { name, start, end, scope: place.scope };
    const owner = place.self === undefined ? {} : { owner: { kind: "here", owner: place.self } as const };
    if (place.isInFunction) this.#nested.add(place.scope);
    switch (role) {
      case "ignored":
        return;
      case "member": {
        const object = parent.children.find(({ field }) => this.#isReceiver(field));
        const leaf = object && onlyLeaf(object);
        const isSelf = leaf === undefined ? object === undefined : rules.self.has(this.#word(leaf));
        if (isSelf) this.draft.use({ ...base, role: "member", ...owner });
        else if (object !== undefined && (leaf === undefined ? isDotted(this.#word(object)) : isIdentifier(leaf)))
          this.draft.memberOf(this.#word(object), { ...base, role: "member" });
        else this.draft.use({ ...base, role: "member" });
        return;
      }
      case "key":
        this.draft.use({ ...base, role: "key" });
        return;
      case "member-declares":
        this.draft.use({ ...base, role: "member-declares", ...owner });
        if (!rules.bindsMembers) return;
        this.#declare(base, rules.functions.has(parent.type) ? place.outer : place.scope, "member");
        return;
      case "imports": {
        const source = place.source ?? "";
        this.draft.bind(place.scope, name, "import", { imported: { source, name } });
        this.draft.use({ ...base, role: "imports", source, shared: "import" });
        this.draft.use({ ...base, role: "declares", shared: "import" });
        return;
      }
      case "declares-around":
        this.#declare(
          base,
          rules.scopes.has(parent.type) || parent.type === "function_declarator" ? place.outer : place.scope,
          "function",
        );
        return;
      case "declares":
        if (rules.comparesCapitals && /^\p{Lu}/u.test(name)) this.draft.use({ ...base, role: "uses" });
        // The parameters of a declaration without a body are visible nowhere.
        else if (!parameters.test(parent.type) || place.isInFunction) {
          const kind = parameters.test(parent.type) ? "parameter" : "variable";
          const binding = this.#declare(base, place.scope, kind);
          if (place.typeName !== undefined) this.draft.amend(binding, { typeName: place.typeName });
        }
        return;
      default:
        this.draft.use({ ...base, role: "uses" });
    }
  }

  #declare(
    base: { readonly name: string; readonly start: number; readonly end: number },
    scope: number,
    kind: string,
  ): number {
    const binding = this.draft.bind(scope, base.name, kind, { isExported: scope === 0 });
    this.draft.use({ ...base, scope, role: "declares" });
    return binding;
  }

  #word({ start, end }: PlainNode): string {
    return this.#text.slice(start, end);
  }
}

/** Fields of a pattern that declare nothing. */
const notBound: ReadonlySet<string> = new Set([
  "type",
  "value",
  "right",
  "default_value",
  "size",
  "condition",
  "parameters",
  "body",
  "arguments",
  "bounds",
]);
/** Nodes in which a pattern assigns but declares nothing. */
const endsPattern =
  /^(attribute|subscript|selector_expression|index_expression|field_expression|scoped_identifier|qualified_identifier|member_access_expression|member_call_expression|element_access_expression|call|call_expression|type|block|arguments)$/;
const parameters = /parameter/;
/** Nodes that name a module which is imported as a whole. */
const importsWhole = /^(dotted_name|aliased_import|import_spec)$/;

/** Whether a text is a dotted name, as modules have. */
function isDotted(text: string): boolean {
  return /^\p{ID_Start}[\p{ID_Continue}.]*$/u.test(text);
}

function isIdentifier({ type }: PlainNode): boolean {
  return /identifier$|^(name|constant)$/.test(type);
}

/** The single identifier that a node is or consists of. */
function onlyLeaf(node: PlainNode): PlainNode | undefined {
  if (node.children.length === 0) return node;
  return node.children.length === 1 ? onlyLeaf(node.children[0]!) : undefined;
}

function lastLeaf(node: PlainNode): PlainNode {
  const last = node.children.at(-1);
  return last === undefined ? node : lastLeaf(last);
}
