import type { TextRange } from "../../text/index.ts";

/**
 * What an identifier is where it stands.
 *
 * - `declares`, `uses`: a binding, something that scopes make known: variables, functions, types, what is imported.
 * - `imports`, `exports`: what another module is asked for by this name, or what others may ask this one for, also as `exports.name`.
 * - `member-declares`: a member of a class, an interface, a type, an enum.
 * - `key`: a key of an object that is made, the name of an argument, an attribute of an element.
 * - `member`: a member that is asked for, behind a dot or in a pattern.
 */
export type NameRole = "declares" | "uses" | "imports" | "exports" | "member-declares" | "key" | "member";

/** Where two roles share one identifier, and how it is written when only one of them gets another name. */
export type SharedForm = "object" | "pattern" | "import" | "export" | "reexport" | "parameter";

/** An identifier in one of its roles. Those in two roles are in the table twice, at the same place. */
export interface NameUse extends TextRange {
  readonly name: string;
  readonly role: NameRole;
  /** The innermost scope around it, as an index. */
  readonly scope: number;
  /** What it means: an index among the bindings; absent where nothing of the file declares it, and for what is no binding. */
  readonly binding?: number;
  readonly shared?: SharedForm;
  /** Whose member it is, as far as the file tells. */
  readonly owner?: MemberOwner;
  /** Whether a member is declared to be known to its owner alone, and to what extends it: nobody gives it by its name. */
  readonly isHidden?: boolean;
  /** The module that is meant, as it is written, for what is imported or passed on. */
  readonly source?: string;
  /** Of what is passed on: whether it is the module as a whole, under this name. */
  readonly isWhole?: boolean;
}

/** Whose member a name is. */
export type MemberOwner =
  /** Something of this file: a class, an enum, a type, an object: an index, the same for its members and those who name it. */
  | { readonly kind: "here"; readonly owner: number }
  /** Something that is called this, somewhere; where it is imported from, if it is. */
  | { readonly kind: "named"; readonly name: string; readonly source?: string }
  /** What a module exports, which is imported whole. */
  | { readonly kind: "module"; readonly source: string };

/** Something that a scope makes known. */
export interface NameBinding {
  readonly name: string;
  readonly scope: number;
  /** What declares it, in the words of the language's reader: `function`, `parameter`, `import`. */
  readonly kind: string;
  /** Whether other files may know it by its name. */
  readonly isExported: boolean;
  /** Where it is imported from, and by which name: `default` and `*` have their meaning of scripts. */
  readonly imported?: { readonly source: string; readonly name: string };
}

/** A part of the text in which names are known. */
export interface NameScope extends TextRange {
  /** The scope around it; -1 of the file's own. */
  readonly parent: number;
  readonly names: ReadonlyMap<string, number>;
  /** What the code that opens it is called: a function, a class, what a function is handed to. */
  readonly host?: string;
}

/** A class, an enum, a type or an object that has members. */
export interface NameOwner extends TextRange {
  /** What it is called, where it has a name. */
  readonly name?: string;
}

/** A module's name in a text, without its quotes, and by which names something of it is asked for: `*` is the module as a whole. */
export interface ModuleName extends TextRange {
  readonly source: string;
  readonly names: readonly string[];
}

/** The names of one text: what each identifier is and what it means. Plain data that outlives the tree it was read from. */
export class NameTable {
  /** In the order of the text. */
  readonly uses: readonly NameUse[];
  readonly bindings: readonly NameBinding[];
  readonly scopes: readonly NameScope[];
  readonly owners: readonly NameOwner[];
  /** The modules of which everything is passed on. */
  readonly passedOn: readonly string[];
  /** The names of modules in a script. */
  readonly moduleNames: readonly ModuleName[];
  /** The comments of a script, in the order of the text; of other languages none. */
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

  /** All that has this name, in the order of the text. */
  named(name: string): readonly NameUse[] {
    this.#byName ??= byName(this.uses);
    return this.#byName.get(name) ?? [];
  }

  /** The roles of the identifier that begins at an offset. */
  at(start: number): readonly NameUse[] {
    const { from, end } = this.#indexesAt(start);
    return this.uses.slice(from, end);
  }

  /** Where the identifiers right before and right behind the one at an offset begin. */
  beside(start: number): readonly number[] {
    const { from, end } = this.#indexesAt(start);
    return [this.uses[from - 1], this.uses[end]].flatMap((use) => use?.start ?? []);
  }

  #indexesAt(start: number): { readonly from: number; readonly end: number } {
    // Looked up in the uses themselves, as few places of a long text are asked about.
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

  /** The binding that a name would mean in a scope. */
  resolve(name: string, scope: number): number | undefined {
    for (let at = scope; at >= 0; at = this.scopes[at]!.parent) {
      const binding = this.scopes[at]!.names.get(name);
      if (binding !== undefined) return binding;
    }
    return undefined;
  }

  /** Whether a scope is another one, or within it. */
  isWithin(scope: number, outer: number): boolean {
    for (let at = scope; at >= 0; at = this.scopes[at]!.parent) if (at === outer) return true;
    return false;
  }
}

type NameTableParts = Pick<
  NameTable,
  "uses" | "bindings" | "scopes" | "owners" | "passedOn" | "moduleNames" | "comments"
>;

/** What the owner of a member is called, where that is known. */
export function ownerName(table: NameTable, { owner }: NameUse): string | undefined {
  if (owner?.kind === "named") return owner.name;
  return owner?.kind === "here" ? table.owners[owner.owner]!.name : undefined;
}

function byName(uses: readonly NameUse[]): Map<string, NameUse[]> {
  const groups = new Map<string, NameUse[]>();
  for (const use of uses) {
    const group = groups.get(use.name);
    if (group === undefined) groups.set(use.name, [use]);
    else group.push(use);
  }
  return groups;
}

/** A use of which it is not known yet what it means. */
type OpenUse = { -readonly [K in keyof NameUse]: NameUse[K] };

/** Collects the names of a text while its tree is walked; what they mean is told in the end, when all declarations are known. */
export class NameTableDraft {
  readonly #uses: OpenUse[] = [];
  readonly #bindings: NameBinding[] = [];
  readonly #scopes: (NameScope & { readonly names: Map<string, number> })[] = [];
  readonly #owners: NameOwner[] = [];
  readonly #passedOn: string[] = [];
  readonly #moduleNames: ModuleName[] = [];
  /** The types of bindings, by their names, and the owners that they are themselves. */
  readonly #typeNames = new Map<number, string>();
  readonly #ownOwners = new Map<number, number>();
  /** Members of which it is not known yet what their object is. */
  readonly #receivers = new Map<NameUse, { readonly name: string; readonly scope: number }>();

  scope(parent: number, { start, end }: TextRange, host?: string): number {
    return this.#scopes.push({ parent, start, end, names: new Map(), ...(host !== undefined && { host }) }) - 1;
  }

  owner({ start, end }: TextRange, name?: string): number {
    return this.#owners.push({ start, end, ...(name !== undefined && { name }) }) - 1;
  }

  passOn(source: string): void {
    this.#passedOn.push(source);
  }

  moduleName(name: ModuleName): void {
    this.#moduleNames.push(name);
  }

  /** Makes a name known in a scope; a second declaration of it there is one of the same. Gives the binding. */
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

  /** Says of what a scope makes known, if it does, that other files may know it. */
  export(scope: number, name: string): void {
    const binding = this.#scopes[scope]!.names.get(name);
    if (binding !== undefined) this.#bindings[binding] = { ...this.#bindings[binding]!, isExported: true };
  }

  /** Tells of which type a binding is, by the type's name, or which owner of members it is itself. */
  amend(binding: number, more: { readonly typeName?: string; readonly owner?: number }): void {
    if (more.typeName !== undefined) this.#typeNames.set(binding, more.typeName);
    if (more.owner !== undefined) this.#ownOwners.set(binding, more.owner);
  }

  use(use: Omit<NameUse, "binding">): void {
    this.#uses.push(use);
  }

  /** A member of what a name means. */
  memberOf(receiver: string, use: Omit<NameUse, "binding">): void {
    this.#receivers.set(use, { name: receiver, scope: use.scope });
    this.#uses.push(use);
  }

  /** All that was collected; `comments` are those of the text, in its order. */
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
    // An enum, a class, an object of another file, or a module that it passes on as a whole.
    if (imported === undefined) return undefined;
    return { kind: "named", name: imported.name === "default" ? name : imported.name, source: imported.source };
  }
}
