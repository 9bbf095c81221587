import { runSteps, type Steps } from "../../async/index.ts";
import type { LanguageTraits, ListRules } from "../../languages/index.ts";
import { allBlocks, type Block, type BlockWhat, blocksInSlices, type SyntaxTree } from "../../syntax/index.ts";
import type { TextRange } from "../../text/index.ts";
import { BlockNames, type BlockPart, type CodeBlock, type CodeBlockKind, statementName } from "./code-block.ts";
import { assignmentSign, commaList, insideBrackets } from "./comma-list.ts";

/**
 * Reads the blocks of a text in any language with a grammar, in text order, a class before its
 * members.
 *
 * As for scripts (see `scriptBlocks`), with these differences:
 * - The own range of an interface is its header, and its members are blocks. The same holds for
 *   Rust's `impl`, a statement whose members belong to the type.
 * - An overload is a block of its own, `Add#2`. A C# property is an accessor; Python's are `get x`
 *   and `set x`.
 * - `self.x = …` in a Python method creates a field of the class, if no attribute declares it. The
 *   field lies within the method, so it can share its text with another block.
 * - An `if` or `try` around declarations is a statement with its header alone; its declarations are
 *   read as if it weren't there.
 * - An expression statement that is only a string, such as a Python docstring, is a comment.
 *
 * Namespaces of C#, Java, C++ and PHP aren't part of names. In text with syntax errors, the blocks
 * that the parser recovers are returned.
 */
export function treeBlocks(path: string, tree: SyntaxTree): CodeBlock[] {
  return runSteps(treeBlocksInSlices(path, tree));
}

/**
 * The number of blocks after which {@link treeBlocksInSlices} yields, some 10 milliseconds of work.
 */
const blocksAtATime = 500;

/** As {@link treeBlocks}, in slices. The caller keeps the tree open. */
export function* treeBlocksInSlices(path: string, tree: SyntaxTree): Steps<CodeBlock[]> {
  const walk = new TreeWalk(path, tree);
  yield* walk.list(yield* blocksInSlices(tree), { prefix: "", isExported: true });
  return walk.blocks;
}

/** What encloses a list of blocks. */
interface Scope {
  readonly prefix: string;
  readonly owner?: string;
  /** The enclosing class, interface or enum. */
  readonly type?: { readonly name: string; readonly what: BlockWhat; readonly isTests: boolean };
  readonly isExported: boolean;
}

const kinds: Partial<Record<BlockWhat, CodeBlockKind>> = {
  function: "function",
  macro: "function",
  class: "class",
  interface: "interface",
  enum: "enum",
  type: "type",
  namespace: "namespace",
  variable: "variable",
  import: "import",
  export: "export",
  test: "test",
  method: "method",
  constructor: "constructor",
  field: "field",
  property: "accessor",
};

const lonelyString =
  /^[rbuf]{0,2}("""(?:(?!""")[\s\S])*"""|'''(?:(?!''')[\s\S])*'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*');?$/i;

/** Blocks that can enclose declarations without being declarations. */
const wrappers: ReadonlySet<BlockWhat> = new Set(["if", "try", "block", "other"]);
const declarations: ReadonlySet<BlockWhat> = new Set(["import", "function", "class", "interface", "enum"]);
const containers: ReadonlySet<BlockWhat> = new Set(["class", "interface", "implementation", "namespace"]);

class TreeWalk {
  readonly blocks: CodeBlock[] = [];
  readonly #path: string;
  readonly #text: string;
  readonly #traits: LanguageTraits;
  readonly #names = new BlockNames();
  /** The qualified names of the fields that Python classes have so far. */
  readonly #fields = new Set<string>();
  #count = 0;

  constructor(path: string, { text, language }: SyntaxTree) {
    this.#path = path;
    this.#text = text;
    this.#traits = language.traits;
  }

  *list(blocks: readonly Block[], scope: Scope): Steps<void> {
    for (const block of blocks) {
      if (scope.type !== undefined && block.what === "field") this.#fields.add(`${scope.prefix}${block.name}`);
    }
    for (const block of blocks) {
      this.#count += 1;
      if (this.#count % blocksAtATime === 0) yield;
      yield* this.#block(block, scope);
    }
  }

  *#block(block: Block, scope: Scope): Steps<void> {
    if (containers.has(block.what) || (block.what === "enum" && block.children.some(({ what }) => what !== "case"))) {
      yield* this.#container(block, scope);
    } else if (holdsDeclarations(block)) {
      this.#statement(block, scope, firstStart(block));
      yield* this.list(block.children, scope);
    } else if (block.what === "variable" && block.children.some(({ what }) => what === "variable")) {
      this.#statement(block, scope, firstStart(block));
      yield* this.list(block.children, scope);
    } else if (kinds[block.what] === undefined || this.#isNameless(block)) this.#unnamed(block, scope);
    else this.#named(block, scope);
  }

  #isNameless(block: Block): boolean {
    return block.name === undefined && !/^(import|property|constructor)$/.test(block.what);
  }

  /** Adds a statement, or one that assigns several names at once. */
  #unnamed(block: Block, scope: Scope): void {
    const source = this.#slice(block.range);
    if (lonelyString.test(source)) return;
    const targets = /^\(?\s*[\p{ID_Start}_]\w*(?:\s*,\s*[\p{ID_Start}_]\w*)*(?:\s*,)?(?:\s*\))?\s*=(?!=)/u.exec(
      source,
    )?.[0];
    if (this.#traits.declaresByAssignment !== true || targets === undefined || !targets.includes(",")) {
      this.#statement(block, scope);
      return;
    }
    const start = block.range.start + (/^\(?\s*/.exec(targets)?.[0].length ?? 0);
    const parts = this.#declared({
      start,
      end: block.range.start + targets.replace(/(?<![\s)=,])[\s)=,]+$/, "").length,
    });
    const simpleName = parts.map(({ name }) => name).join(",");
    this.#add(block, scope, { kind: "variable", simpleName, parts });
  }

  #statement(block: Block, { prefix, owner }: Scope, end?: number): void {
    const own = {
      start: this.#ownStart(block),
      end: end === undefined ? block.range.end : this.#trimmedEnd(block.range.start, end),
    };
    this.blocks.push({
      path: this.#path,
      kind: "statement",
      name: this.#names.next("statement", prefix + statementName(this.#slice(own))),
      simpleName: "",
      range: block.fullRange,
      ownRange: own,
      signature: [own],
      isExported: false,
      ...(owner !== undefined && { owner }),
    });
  }

  *#container(block: Block, scope: Scope): Steps<void> {
    const own = { start: this.#ownStart(block), end: this.#headerEnd(block) };
    const isNamespace = block.what === "namespace";
    if (block.what === "implementation" || block.name === undefined) this.#statement(block, scope, own.end);
    else {
      const parts = this.#traits.classParameters && block.nameRange ? this.#parameters(block, own.end) : [];
      const cases = block.children.filter(({ what }) => what === "case").flatMap(casePart);
      this.#add(block, scope, {
        kind: kinds[block.what] ?? "statement",
        simpleName: block.name,
        own,
        signature: own,
        parts: [...parts, ...cases],
        isExported: scope.isExported,
      });
    }
    const isTransparent = isNamespace && this.#traits.namespacesName !== true;
    if (isTransparent) {
      yield* this.list(block.children, scope);
      return;
    }
    const simpleName = bareTypeName(block.name ?? "");
    const name = scope.prefix + simpleName;
    const isTests = this.#traits.testClass?.test(this.#slice(own)) === true;
    yield* this.list(
      block.children.filter(({ what }) => block.what !== "enum" || what !== "case"),
      {
        prefix: `${name}.`,
        owner: name,
        isExported: scope.isExported,
        ...(!isNamespace && { type: { name: simpleName, what: block.what, isTests } }),
      },
    );
  }

  #named(block: Block, scope: Scope): void {
    const kind = this.#kindOf(block, scope);
    const own = { start: this.#ownStart(block), end: block.range.end };
    const receiver = this.#receiver(block);
    const inner: Scope = receiver === undefined ? scope : { ...scope, prefix: `${receiver}.`, owner: receiver };
    if (kind === "import") {
      const simpleName = "";
      const parts = treeImportParts(this.#text, block.range, this.#traits);
      this.#add(block, inner, { kind, simpleName, name: this.#importName(block, parts), parts });
      return;
    }
    if (kind === "enum") {
      this.#add(block, inner, { kind, simpleName: block.name!, parts: block.children.flatMap(casePart) });
      return;
    }
    if (kind === "variable" || kind === "field") {
      this.#variable(block, inner, kind);
      return;
    }
    const isType = kind === "type" || kind === "interface";
    const end = isType ? own.end : this.#signatureEnd(block);
    const name = this.#memberName(block, kind);
    this.#add(block, inner, {
      kind,
      name,
      simpleName: kind === "constructor" ? (scope.type?.name ?? name) : kind === "test" ? "" : (block.name ?? name),
      signature: kind === "test" ? own : { start: own.start, end },
      parts: block.nameRange && !isType ? this.#parameters(block, end) : [],
    });
    if (this.#traits.fieldsInMethods === true && scope.type !== undefined) this.#attributes(block, scope);
  }

  #kindOf(block: Block, scope: Scope): CodeBlockKind {
    const kind = kinds[block.what]!;
    const { testFile, testName, testMark } = this.#traits;
    const source = this.#slice({ start: this.#ownStart(block), end: block.nameRange?.start ?? block.range.start });
    if (kind === "function" || kind === "method") {
      if (testMark?.test(source)) return "test";
      const isInTests = scope.type?.isTests ?? testFile?.test(this.#path) === true;
      if (isInTests && testName?.test(block.name ?? "")) return "test";
      if (kind === "method" && this.#traits.accessor?.(source) !== undefined) return "accessor";
    }
    // The grammar reports a destructor as a constructor, because both have the name of the class.
    return kind === "constructor" && source.includes("~") ? "method" : kind;
  }

  #memberName(block: Block, kind: CodeBlockKind): string {
    const name = block.name ?? (/\bthis\s*\[/.test(this.#slice(block.range)) ? "this[]" : "");
    const source = this.#slice({ start: block.range.start, end: block.nameRange?.start ?? block.range.start });
    if (kind === "method" && source.endsWith("~")) return `~${name}`;
    const accessor = kind === "accessor" ? this.#traits.accessor?.(source) : undefined;
    return accessor === undefined ? name : `${accessor} ${name}`;
  }

  /** The receiver type of a method that is declared outside of its type. */
  #receiver(block: Block): string | undefined {
    return block.what === "method" ? this.#traits.receiver?.exec(this.#slice(block.range))?.[1] : undefined;
  }

  #importName(block: Block, parts: readonly BlockPart[]): string {
    const source = this.#slice(block.range);
    return this.#traits.importName?.(source, parts) ?? block.name ?? source;
  }

  #variable(block: Block, scope: Scope, kind: CodeBlockKind): void {
    const { range, nameRange } = block;
    const own = { start: this.#ownStart(block), end: range.end };
    const sign = assignmentSign(this.#text, range, this.#traits);
    const names = nameRange === undefined ? [] : this.#variableNames({ start: nameRange.start, end: range.end }, sign);
    const isList = names.length > 1;
    const simpleName = isList ? names.map(({ name }) => name).join(",") : block.name!;
    const isTyped = sign !== undefined && !isList && this.#traits.isTyped?.test(this.#text.slice(own.start, sign));
    this.#add(block, scope, {
      kind,
      simpleName,
      signature: { start: own.start, end: isTyped ? this.#trimmedEnd(own.start, sign) : own.end },
      parts: isList ? names : [],
    });
  }

  /**
   * The names that a range declares: `a = 1, b` in languages with the type first, `a, b = 1, 2` and
   * Python's `a = b = 1` in others.
   */
  #variableNames(range: TextRange, sign: number | undefined): BlockPart[] {
    const { declaresByAssignment = false } = this.#traits;
    const chain = declaresByAssignment ? /^(?:\w+\s*=(?!=)\s*){2,}/.exec(this.#slice(range))?.[0] : undefined;
    if (chain !== undefined) {
      return [...chain.matchAll(/\w+/g)].map(({ 0: name, index }) => {
        const start = range.start + index;
        return { kind: "member", name, range: { start, end: start + name.length } };
      });
    }
    const end = this.#traits.typeFirst ? range.end : (sign ?? range.end);
    return this.#declared({ start: range.start, end: this.#trimmedEnd(range.start, end) });
  }

  #declared(range: TextRange): BlockPart[] {
    const { angles, typeFirst } = this.#traits;
    return declaredParts(this.#text, range, { ...this.#traits, angles: angles === true && typeFirst !== true });
  }

  /**
   * Adds the fields that a method creates by assigning to `self.x`. Nested functions and classes
   * have their own `self`.
   */
  #attributes(method: Block, scope: Scope): void {
    const self = treeParameters(
      this.#text,
      { start: method.nameRange?.end ?? 0, end: method.range.end },
      this.#traits,
    )[0]?.name;
    if (self === undefined) return;
    const pattern = new RegExp(`^${self}\\.([\\p{ID_Start}_]\\w*)\\s*(:[^=\\n]+)?=(?!=)`, "u");
    for (const { kind, range } of allBlocks(method.children)) {
      if (kind !== "statement") continue;
      const match = pattern.exec(this.#slice(range));
      if (match === null) continue;
      const [all, simpleName = ""] = match;
      const name = scope.prefix + simpleName;
      if (this.#fields.has(name)) continue;
      this.#fields.add(name);
      const own = { start: range.start, end: this.#trimmedEnd(range.start, range.start + all.length - 1) };
      const start = range.start + self.length + 1;
      this.blocks.push({
        path: this.#path,
        kind: "field",
        name: this.#names.next("field", name),
        simpleName,
        nameRange: { start, end: start + simpleName.length },
        range: own,
        ownRange: own,
        signature: [own],
        isExported: scope.isExported,
        ...(scope.owner !== undefined && { owner: scope.owner }),
      });
    }
  }

  #add(
    block: Block,
    { prefix, owner, type, isExported }: Scope,
    found: {
      readonly kind: CodeBlockKind;
      readonly simpleName: string;
      readonly name?: string;
      readonly own?: TextRange;
      readonly signature?: TextRange;
      readonly parts?: readonly BlockPart[];
      readonly isExported?: boolean;
    },
  ): void {
    const { kind, simpleName, parts = [] } = found;
    const own = found.own ?? { start: this.#ownStart(block), end: block.range.end };
    const modifiers = this.#slice({ start: own.start, end: block.nameRange?.start ?? block.body?.start ?? own.end });
    const hidden = type === undefined ? this.#traits.isFileLocal : this.#traits.isPrivate;
    const isHidden = type?.what !== "interface" && hidden?.test(modifiers) === true;
    const isNever = kind === "import" ? !this.#path.endsWith("__init__.py") : kind === "test" || kind === "statement";
    this.blocks.push({
      path: this.#path,
      kind,
      name: this.#names.next(
        kind,
        kind === "import" ? (found.name ?? simpleName) : prefix + (found.name ?? simpleName),
      ),
      simpleName,
      ...(block.nameRange && simpleName !== "" && { nameRange: block.nameRange }),
      range: block.fullRange,
      ownRange: own,
      signature: [found.signature ?? own],
      ...(parts.length > 0 && { parts }),
      isExported: isExported && !isNever && !isHidden,
      ...(owner !== undefined && { owner }),
    });
  }

  #parameters(block: Block, end: number): BlockPart[] {
    return treeParameters(this.#text, { start: block.nameRange!.end, end }, this.#traits);
  }

  /**
   * The start of the attributes, which are siblings of the block in the grammar, or of the block
   * itself.
   */
  #ownStart({ range, fullRange }: Block): number {
    const above = this.#text.slice(fullRange.start, range.start);
    const attribute = /^[ \t]*(?=#!?\[)/m.exec(above);
    return attribute === null ? range.start : fullRange.start + attribute.index + attribute[0].length;
  }

  #signatureEnd({ what, range, body }: Block): number {
    // `{ get; set; }` isn't a body: it declares who can read and write.
    const isPlain =
      body !== undefined && /^\{[\w\s;[\]]*\}$/.test(this.#slice(body)) && this.#slice(body).includes(";");
    return body === undefined || body.start <= range.start || (what === "property" && isPlain)
      ? range.end
      : this.#trimmedEnd(range.start, body.start);
  }

  /** The end of a header: after its brace or colon. */
  #headerEnd(block: Block): number {
    const { range, body } = block;
    if (body === undefined)
      return block.children.length > 0 ? this.#trimmedEnd(range.start, firstStart(block)) : range.end;
    const first = block.children.find(({ what }) => block.what !== "enum" || what !== "case");
    if (block.what === "enum")
      return this.#trimmedEnd(range.start, first === undefined ? range.end : first.fullRange.start);
    const brace = this.#text.slice(body.start, body.start + 20).search(/\{/);
    if (/^(\{|\w+\s*\{)/.test(this.#text.slice(body.start, body.start + 20))) return body.start + brace + 1;
    return this.#trimmedEnd(range.start, body.start);
  }

  #trimmedEnd(start: number, end: number): number {
    return start + this.#text.slice(start, end).trimEnd().length;
  }

  #slice({ start, end }: TextRange): string {
    return this.#text.slice(start, end);
  }
}

/**
 * Whether a wrapper contains declarations, directly or in nested wrappers. The depth is limited,
 * because each part of a chain of `else if` nests one level deeper.
 */
function holdsDeclarations(block: Block, depth = 0): boolean {
  if (!wrappers.has(block.what) || depth > maxWrappers) return false;
  return block.children.some((child) => declarations.has(child.what) || holdsDeclarations(child, depth + 1));
}

const maxWrappers = 100;

/** The start of the first block inside, or the end of the block. */
function firstStart({ range, body, children }: Block): number {
  return children[0]?.fullRange.start ?? body?.start ?? range.end;
}

function casePart({ name, range }: Block): BlockPart[] {
  return name === undefined ? [] : [{ kind: "member", name, range }];
}

/** Removes type arguments: `Vec<T>` becomes `Vec`. */
function bareTypeName(name: string): string {
  return name.endsWith(">") ? name.split("<", 1)[0]! : name;
}

/**
 * The parameters in the brackets that follow at `start`, after the name of a function, up to `end`;
 * empty if no brackets follow. White space and type parameters in front of the brackets are
 * skipped; pieces without a name are left out.
 */
export function treeParameters(text: string, { start: from, end }: TextRange, traits: LanguageTraits): BlockPart[] {
  // Type parameters come between the name and the list.
  const open = /^\s*(?:(?:<[^()]*>|\[[^()]*\])\s*)?\(/.exec(text.slice(from, end))?.[0].length;
  if (open === undefined) return [];
  const list = insideBrackets(text, from + open - 1, traits.quotes);
  return commaList(text, list, traits).flatMap((range) => {
    const name = parameterName(text.slice(range.start, range.end), traits.typeFirst === true);
    return name === undefined ? [] : [{ kind: "parameter", name, range }];
  });
}

/** `a: int = 3`, `**kw`, `ref List<int> a = null`, `a, b int` (Go, each by itself), `$a = 1`. */
function parameterName(piece: string, typeFirst: boolean): string | undefined {
  const sign = assignmentSign(piece, { start: 0, end: piece.length }, { angles: typeFirst });
  const declared = piece.slice(0, sign ?? piece.length).trimEnd();
  const marked = /\$\w+/.exec(declared)?.[0];
  if (marked !== undefined) return marked;
  if (typeFirst) return /(?<!\p{ID_Continue})[\p{ID_Start}_@]\p{ID_Continue}*(?=(\[\])*$)/u.exec(declared)?.[0];
  return /[\p{ID_Start}_$][\p{ID_Continue}]*/u.exec(declared.replace(/^(&?\s*'\w+\s+)?&?\s*(mut\s+)?/, ""))?.[0];
}

/**
 * The names that a statement declares in `range`, which begins at the first name: `a = 1, b`
 * declares two. Pieces between commas that don't begin with a name are left out.
 */
export function declaredParts(text: string, range: TextRange, rules: ListRules): BlockPart[] {
  return commaList(text, range, rules).flatMap((piece) => {
    const name = /^[\p{ID_Start}_$][\p{ID_Continue}]*/u.exec(text.slice(piece.start, piece.end))?.[0];
    return name === undefined ? [] : [{ kind: "member", name, range: piece }];
  });
}

/**
 * The names that an import takes: Python's names, Go's paths, the last names in the braces of a
 * Rust `use`. Empty for languages without such lists.
 */
export function treeImportParts(
  text: string,
  range: TextRange,
  { importPath, importList }: Pick<LanguageTraits, "importPath" | "importList">,
): BlockPart[] {
  const source = text.slice(range.start, range.end);
  if (importPath !== undefined) {
    return [...source.matchAll(importPath)].map((match) =>
      imported(match[1]!, range.start + match.index, match[0].length),
    );
  }
  const head = importList?.exec(source);
  if (head == null) return [];
  const inner = source.slice(head[0].length).replace(/(?<![)};\s])[)};\s]+$/, "");
  const start = range.start + head[0].length;
  return commaList(text, { start, end: start + inner.length }, {}).flatMap((piece) => {
    const name = /^[\p{ID_Start}_*][\p{ID_Continue}.:]*/u.exec(text.slice(piece.start, piece.end))?.[0];
    return name === undefined ? [] : [imported(name, piece.start, piece.end - piece.start)];
  });
}

function imported(name: string, start: number, length: number): BlockPart {
  return { kind: "imported", name, range: { start, end: start + length } };
}
