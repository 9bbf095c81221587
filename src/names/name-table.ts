import { groupBy, type TextRange } from "../text/index.ts";

/**
 * The role of an identifier at its place.
 *
 * - `declares`, `uses`: a binding of a scope: a variable, function, type or import.
 * - `imports`, `exports`: the name by which a module is imported from, or by which this one
 * exports, also as `exports.name`.
 * - `member-declares`: a member of a class, an interface, a type, or an enum.
 * - `key`: a key of an object literal, the name of an argument, or an attribute of an element.
 * - `member`: an accessed member, after a dot or in a pattern.
 */
export type NameRole = "declares" | "uses" | "imports" | "exports" | "member-declares" | "key" | "member";

/**
 * The construct in which two roles share one identifier; it decides what is written when only one
 * of them is renamed.
 */
export type SharedForm = "object" | "pattern" | "import" | "export" | "reexport" | "parameter" | TemplateForm;

/**
 * How a template of a component writes a name other than as an identifier.
 *
 * - `vue-attribute`: `:name`, short for `:name="name"`.
 * - `vue-tag`, `vue-directive`: with hyphens: `<my-box>` is `MyBox`, the `focus` of `v-focus` is
 * `vFocus`.
 * - `svelte-attribute`: `{name}`, short for `name={name}`.
 * - `svelte-directive`: `bind:name`, short for `bind:name={name}`.
 */
export type TemplateForm = "vue-attribute" | "vue-tag" | "vue-directive" | "svelte-attribute" | "svelte-directive";

/**
 * An identifier in one of its roles. An identifier with two roles is in the table twice, at the
 * same place.
 */
export interface NameUse extends TextRange {
  readonly name: string;
  readonly role: NameRole;
  /** The innermost scope around it, as an index. */
  readonly scope: number;
  /**
   * The index of the binding it refers to; absent where the file does not declare it, and for roles
   * without a binding.
   */
  readonly binding?: number;
  readonly shared?: SharedForm;
  /** The owner of a member, as far as the file determines it. */
  readonly owner?: MemberOwner;
  /** Whether a member is private or protected, so that no object literal has it as a key. */
  readonly isHidden?: boolean;
  /** The module name as written, for imports and re-exports. */
  readonly source?: string;
  /** For a re-export: whether it is the module as a whole, under this name. */
  readonly isWhole?: boolean;
}

/** The owner of a member. */
export type MemberOwner =
  /**
   * An owner in this file, by its index: a class, an enum, a type or an object. The index is the
   * same for its members and their uses.
   */
  | { readonly kind: "here"; readonly owner: number }
  /**
   * A declaration with this name in any file, and the module that it is imported from, if it is.
   */
  | { readonly kind: "named"; readonly name: string; readonly source?: string }
  /** The exports of a module that is imported as a whole. */
  | { readonly kind: "module"; readonly source: string };

/** A name that a scope declares. */
export interface NameBinding {
  readonly name: string;
  readonly scope: number;
  /** What declares it, in the words of the language's reader: `function`, `parameter`, `import`. */
  readonly kind: string;
  /** Whether other files can use it by its name. */
  readonly isExported: boolean;
  /**
   * The module and name that it is imported by: `default` and `*` mean what they mean in scripts.
   */
  readonly imported?: { readonly source: string; readonly name: string };
}

/** A part of the text with its declared names. */
export interface NameScope extends TextRange {
  /** The index of the scope around it; -1 for the scope of the file. */
  readonly parent: number;
  readonly names: ReadonlyMap<string, number>;
  /**
   * The name of the code that opens it: a function, a class, or the call that a function is passed
   * to.
   */
  readonly host?: string;
}

/** A class, an enum, a type or an object that has members. */
export interface NameOwner extends TextRange {
  /** Its name, where it has one. */
  readonly name?: string;
}

/**
 * A module name in a text, without its quotes, and the names that are imported from it: `*` is the
 * module as a whole.
 */
export interface ModuleName extends TextRange {
  readonly source: string;
  readonly names: readonly string[];
}

/**
 * The names of one text: the role of each identifier and what it refers to. Plain data that is
 * independent of the syntax tree.
 */
export class NameTable {
  /** In the order of the text. */
  readonly uses: readonly NameUse[];
  readonly bindings: readonly NameBinding[];
  readonly scopes: readonly NameScope[];
  readonly owners: readonly NameOwner[];
  /** The modules of which everything is re-exported. */
  readonly passedOn: readonly string[];
  /** The module names in a script. */
  readonly moduleNames: readonly ModuleName[];
  /** The comments of a script, in the order of the text; empty for other languages. */
  readonly comments: readonly TextRange[];
  #byName: Map<string, NameUse[]> | undefined;

  constructor(parts: NameTableParts) {
    this.uses = parts.uses;
    this.bindings = parts.bindings;
    this.scopes = parts.scopes;
    this.owners = parts.owners;
    this.passedOn = parts.passedOn;
    this.moduleNames = parts.moduleNames;
    this.comments = parts.comments;
  }

  /** Returns the uses with this name, in the order of the text. */
  named(name: string): readonly NameUse[] {
    this.#byName ??= groupBy(this.uses, (use) => use.name);
    return this.#byName.get(name) ?? [];
  }

  /**
   * Returns the roles of the identifier that begins at an offset; empty where none begins there.
   */
  at(start: number): readonly NameUse[] {
    const { from, end } = this.#indexesAt(start);
    return this.uses.slice(from, end);
  }

  /**
   * Returns the start offsets of the identifiers directly before and after the one at an offset.
   */
  beside(start: number): readonly number[] {
    const { from, end } = this.#indexesAt(start);
    return [this.uses[from - 1], this.uses[end]].flatMap((use) => use?.start ?? []);
  }

  #indexesAt(start: number): { readonly from: number; readonly end: number } {
    // A binary search, because few places of a long text are looked up.
    let from = 0;
    for (let to = this.uses.length; from < to; ) {
      const middle = (from + to) >>> 1;
      if (this.uses[middle]!.start < start) from = middle + 1;
      else to = middle;
    }
    let end = from;
    while (this.uses[end]?.start === start) end++;
    return { from, end };
  }

  /**
   * Returns the index of the binding that a name would refer to in the scope with this index;
   * `undefined` where none is declared there or around it.
   */
  resolve(name: string, scope: number): number | undefined {
    for (let at = scope; at >= 0; at = this.scopes[at]!.parent) {
      const binding = this.scopes[at]!.names.get(name);
      if (binding !== undefined) return binding;
    }
    return undefined;
  }

  /**
   * Returns the index of the innermost scope around an offset; 0, the scope of the file, where none
   * is.
   */
  scopeAt(offset: number): number {
    // An inner scope comes after the one around it.
    return Math.max(
      0,
      this.scopes.findLastIndex(({ start, end }) => start <= offset && offset < end),
    );
  }

  /** Whether a scope equals another one or is inside it. */
  isWithin(scope: number, outer: number): boolean {
    for (let at = scope; at >= 0; at = this.scopes[at]!.parent) if (at === outer) return true;
    return false;
  }
}

export type NameTableParts = Pick<
  NameTable,
  "uses" | "bindings" | "scopes" | "owners" | "passedOn" | "moduleNames" | "comments"
>;

/**
 * Returns the name of a member's owner; `undefined` where it is not known or the use is no member.
 */
export function ownerName(table: NameTable, { owner }: NameUse): string | undefined {
  if (owner?.kind === "named") return owner.name;
  return owner?.kind === "here" ? table.owners[owner.owner]!.name : undefined;
}

/** A use before it is resolved. */
type OpenUse = { -readonly [K in keyof NameUse]: NameUse[K] };

/**
 * Collects the names of a text while its tree is walked. Uses are resolved in {@link toTable}, when
 * all declarations are known.
 */
export class NameTableDraft {
  readonly #uses: OpenUse[] = [];
  readonly #bindings: NameBinding[] = [];
  readonly #scopes: (NameScope & { readonly names: Map<string, number> })[] = [];
  readonly #owners: NameOwner[] = [];
  readonly #passedOn: string[] = [];
  readonly #moduleNames: ModuleName[] = [];
  /** The type names of bindings, and the owners that bindings are themselves. */
  readonly #typeNames = new Map<number, string>();
  readonly #ownOwners = new Map<number, number>();
  /** Members whose object is not resolved yet. */
  readonly #receivers = new Map<NameUse, { readonly name: string; readonly scope: number }>();

  /**
   * Adds a scope inside the scope with index `parent`, -1 for the outermost one, and returns its
   * index. `host` is the name of the code that opens it.
   */
  scope(parent: number, { start, end }: TextRange, host?: string): number {
    return this.#scopes.push({ parent, start, end, names: new Map(), ...(host !== undefined && { host }) }) - 1;
  }

  /** Adds an owner of members, and returns its index. */
  owner({ start, end }: TextRange, name?: string): number {
    return this.#owners.push({ start, end, ...(name !== undefined && { name }) }) - 1;
  }

  /** Adds a module of which everything is re-exported. */
  passOn(source: string): void {
    this.#passedOn.push(source);
  }

  /** Adds a module name. */
  moduleName(name: ModuleName): void {
    this.#moduleNames.push(name);
  }

  /**
   * Declares a name in a scope and returns the index of its binding. A second declaration in the
   * same scope gives the same binding, and may only make it exported.
   */
  bind(
    scope: number,
    name: string,
    kind: string,
    more: Pick<Partial<NameBinding>, "isExported" | "imported"> = {},
  ): number {
    const { names } = this.#scopes[scope]!;
    const known = names.get(name);
    if (known !== undefined) {
      if (more.isExported === true) this.export(scope, name);
      return known;
    }
    const binding = this.#bindings.push({ isExported: false, ...more, name, scope, kind }) - 1;
    names.set(name, binding);
    return binding;
  }

  /** Marks a declared name of a scope as exported; nothing where it is not declared. */
  export(scope: number, name: string): void {
    const binding = this.#scopes[scope]!.names.get(name);
    if (binding !== undefined) this.#bindings[binding] = { ...this.#bindings[binding]!, isExported: true };
  }

  /** Sets the type name of a binding, or the owner of members that it is itself. */
  amend(binding: number, more: { readonly typeName?: string; readonly owner?: number }): void {
    if (more.typeName !== undefined) this.#typeNames.set(binding, more.typeName);
    if (more.owner !== undefined) this.#ownOwners.set(binding, more.owner);
  }

  /** Adds a use of a name; {@link toTable} sets its binding. */
  use(use: Omit<NameUse, "binding">): void {
    this.#uses.push(use);
  }

  /** Adds an access to a member of what `receiver` refers to. */
  memberOf(receiver: string, use: Omit<NameUse, "binding">): void {
    this.#receivers.set(use, { name: receiver, scope: use.scope });
    this.#uses.push(use);
  }

  /** Resolves all uses and returns the table; `comments` are those of the text, in its order. */
  toTable(comments: readonly TextRange[] = []): NameTable {
    const parts = {
      ...{ bindings: this.#bindings, scopes: this.#scopes, owners: this.#owners, passedOn: this.#passedOn },
      moduleNames: this.#moduleNames,
      comments: comments.map(({ start, end }) => ({ start, end })),
    };
    const resolving = new NameTable({ ...parts, uses: [] });
    const uses = this.#uses;
    for (const use of uses) {
      if (use.role === "declares" || use.role === "uses") {
        const binding = resolving.resolve(use.name, use.scope);
        if (binding !== undefined) use.binding = binding;
        continue;
      }
      const receiver = use.role === "member" ? this.#receivers.get(use) : undefined;
      const owner = receiver && this.#ownerBehind(resolving, receiver.name, receiver.scope);
      if (owner !== undefined) use.owner = owner;
    }
    uses.sort((one, other) => one.start - other.start);
    return new NameTable({ ...parts, uses });
  }

  #ownerBehind(table: NameTable, name: string, scope: number): MemberOwner | undefined {
    const binding = table.resolve(name, scope);
    if (binding === undefined) return undefined;
    const owner = this.#ownOwners.get(binding);
    if (owner !== undefined) return { kind: "here", owner };
    const typeName = this.#typeNames.get(binding);
    if (typeName !== undefined) return { kind: "named", name: typeName };
    const { imported } = this.#bindings[binding]!;
    if (imported?.name === "*") return { kind: "module", source: imported.source };
    // An enum, a class or an object of another file, or a module that it re-exports as a whole.
    if (imported === undefined) return undefined;
    return { kind: "named", name: imported.name === "default" ? name : imported.name, source: imported.source };
  }
}
