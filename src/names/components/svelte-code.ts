import type { AST, parse } from "svelte/compiler";
import { isIdentifier, type TextRange } from "../../text/index.ts";
import { NameTable } from "../name-table.ts";
import {
  blank,
  type ComponentCode,
  ComponentCodeBuilder,
  type ComponentCodeOptions,
  type ComponentScript,
  maxDepth,
  tagNames,
} from "./component-code.ts";

/**
 * Returns the code of a Svelte component: its scripts and its template. Only the scripts are read
 * where Svelte's parser, which closes open elements, cannot parse the template.
 *
 * Source: Svelte, [template syntax](https://svelte.dev/docs/svelte/basic-markup).
 */
export function svelteCode(parseSvelte: typeof parse, text: string, options: ComponentCodeOptions): ComponentCode {
  const blocks = rawBlocks(text);
  const root = tryRoot(parseSvelte, text, blocks);
  const isRead = ({ start, end }: TextRange) =>
    root === undefined || [root.instance, root.module].some((one) => one && one.start <= start && end <= one.end);
  const scripts = blocks.flatMap(({ start, end, kind }) =>
    kind !== undefined && isRead({ start, end }) ? { start, end, kind } : [],
  );
  const builder = new ComponentCodeBuilder(text, scripts, options);
  if (root !== undefined) new TemplateReader(text, builder).read(root.fragment);
  return builder.toCode();
}

/**
 * Returns names in which `$name` is a use of the store `name`. It stays one name where a key shares
 * it: `{ $name }` has no edit that renames the store alone.
 *
 * Source: Svelte, [stores](https://svelte.dev/docs/svelte/stores).
 */
export function withStores(table: NameTable): NameTable {
  const uses = table.uses.map((use) => {
    const isStore = use.role === "uses" && use.binding === undefined && use.shared === undefined;
    if (!isStore || !/^\$[^$]/.test(use.name) || isRune.test(use.name)) return use;
    const name = use.name.slice(1);
    const binding = table.resolve(name, use.scope);
    return { ...use, name, start: use.start + 1, ...(binding !== undefined && { binding }) };
  });
  return new NameTable({ ...table, uses });
}

/** Source: Svelte, [runes](https://svelte.dev/docs/svelte/what-are-runes). */
const isRune = /^\$(?:bindable|derived|effect|host|inspect|props|state)$/;

/** The content of a script or a style. */
interface RawBlock extends TextRange {
  /** Absent for styles. */
  readonly kind?: ComponentScript["kind"];
}

function rawBlocks(text: string): readonly RawBlock[] {
  const blocks: RawBlock[] = [];
  for (const match of text.matchAll(/^[ \t]*<(script|style)\b((?:"[^"]*"|'[^']*'|[^<>"'])*)>/gm)) {
    const start = match.index + match[0].length;
    if (start < (blocks.at(-1)?.end ?? 0)) continue;
    const end = text.indexOf(`</${match[1]}`, start);
    if (end < 0) break;
    const kind = /\blang=["']?[tj]sx/.test(match[2]!) ? "tsx" : "ts";
    blocks.push({ start, end, ...(match[1] === "script" && { kind }) });
  }
  return blocks;
}

/**
 * The length, in UTF-16 units, up to which the parser continues after errors: for each it counts
 * the lines from the start of the text, which takes 300 milliseconds in one that is full of errors.
 */
const maxLoose = 12_000;

/**
 * Parses the template; `undefined` where it cannot be parsed. The contents of scripts and styles
 * are blank: they are not read here, and an error in one would be an error of the file.
 */
function tryRoot(parseSvelte: typeof parse, text: string, blocks: readonly TextRange[]): AST.Root | undefined {
  const parts = [{ start: 0, end: 0 }, ...blocks].map(({ start, end }, at) => {
    const next = blocks[at]?.start ?? text.length;
    return blank(text.slice(start, end)) + text.slice(end, next);
  });
  try {
    return parseSvelte(parts.join(""), { modern: true, loose: text.length <= maxLoose });
  } catch {
    return undefined;
  }
}

type Node = AST.Fragment["nodes"][number];
type Attribute = AST.ElementLike["attributes"][number];

class TemplateReader {
  readonly #text: string;
  readonly #builder: ComponentCodeBuilder;

  constructor(text: string, builder: ComponentCodeBuilder) {
    this.#text = text;
    this.#builder = builder;
  }

  /** Reads the template. */
  read(fragment: AST.Fragment): void {
    this.#nodes(fragment.nodes, 0);
  }

  #nodes(nodes: readonly Node[], depth: number): void {
    if (depth > maxDepth) return;
    for (const node of nodes) this.#node(node, depth + 1);
  }

  #node(node: Node, depth: number): void {
    const range = this.#rangeOf(node);
    const block = (fragment: AST.Fragment | null | undefined) => {
      if (fragment) this.#block(range, fragment.nodes, () => this.#nodes(fragment.nodes, depth));
    };
    switch (node.type) {
      case "Text":
      case "Comment":
        return;
      case "ExpressionTag":
      case "HtmlTag":
      case "RenderTag":
      case "AttachTag":
        this.#expression(node.expression);
        return;
      case "DebugTag":
        for (const one of node.identifiers) this.#expression(one);
        return;
      case "ConstTag":
      case "DeclarationTag":
        this.#builder.statements(this.#rangeOf(node.declaration));
        return;
      case "IfBlock":
        this.#expression(node.test);
        block(node.consequent);
        block(node.alternate);
        return;
      case "KeyBlock":
        this.#expression(node.expression);
        block(node.fragment);
        return;
      case "EachBlock":
        this.#each(node, depth);
        block(node.fallback);
        return;
      case "AwaitBlock": {
        this.#expression(node.expression);
        block(node.pending);
        const parts = [[node.value, node.then] as const, [node.error, node.catch] as const];
        for (const [value, fragment] of parts) {
          const parameters = value ? [this.#rangeOf(value)] : [];
          if (fragment) this.#builder.scope(range, parameters, () => this.#nodes(fragment.nodes, depth));
        }
        return;
      }
      case "SnippetBlock": {
        const parameters = node.parameters.map((one) => this.#rangeOf(one));
        const body = () => this.#nodes(node.body.nodes, depth);
        this.#builder.function(range, this.#rangeOf(node.expression), parameters, body);
        return;
      }
      default:
        this.#element(node, depth);
    }
  }

  /** Adds what `body` adds, as a block where nodes may declare something. */
  #block(range: TextRange, nodes: readonly Node[], body: () => void): void {
    if (nodes.some(({ type }) => declaring.test(type))) this.#builder.block(range, body);
    else body();
  }

  #each({ expression, context, index, key, body, ...node }: AST.EachBlock, depth: number): void {
    this.#expression(expression);
    const parameters: TextRange[] = context ? [this.#rangeOf(context)] : [];
    if (index !== undefined) {
      // The tree has no place of the index: it is the name behind the next comma.
      const from = this.#rangeOf(context ?? expression).end;
      const start = this.#text.indexOf(index, this.#text.indexOf(",", from));
      parameters.push({ start, end: start + index.length });
    }
    this.#builder.scope(this.#rangeOf(node), parameters, () => {
      if (key) this.#expression(key);
      this.#nodes(body.nodes, depth);
    });
  }

  #element(node: AST.ElementLike, depth: number): void {
    const range = this.#rangeOf(node);
    if (node.type === "Component" && node.name.split(".").every(isIdentifier))
      for (const start of tagNames(this.#text, range, node.name))
        this.#builder.expression({ start, end: start + node.name.length });
    if (node.type === "SvelteComponent") this.#expression(node.expression);
    if (node.type === "SvelteElement") this.#expression(node.tag);
    const lets = node.attributes.flatMap((one) => (one.type === "LetDirective" ? this.#declared(one) : []));
    const inner = (body: () => void) => {
      if (lets.length > 0) this.#builder.scope(range, lets, body);
      else this.#block(range, node.fragment.nodes, body);
    };
    const attributes = () => {
      for (const one of node.attributes) this.#attribute(one);
    };
    const { nodes } = node.fragment;
    if (node.type !== "Component" && node.type !== "SvelteComponent" && node.type !== "SvelteSelf") {
      inner(() => {
        attributes();
        this.#nodes(nodes, depth);
      });
      return;
    }
    // What a component declares is for its default slot.
    attributes();
    this.#nodes(nodes.filter(hasSlot), depth);
    inner(() =>
      this.#nodes(
        nodes.filter((one) => !hasSlot(one)),
        depth,
      ),
    );
  }

  /** Returns what `let:name` or `let:name={pattern}` declares. */
  #declared({ name, expression, ...directive }: AST.LetDirective) {
    if (expression) return [this.#rangeOf(expression)];
    const range = this.#nameOf({ name, ...directive });
    return isIdentifier(name) ? [{ name, ...range, shared: "svelte-directive" as const }] : [];
  }

  #attribute(attribute: Attribute): void {
    switch (attribute.type) {
      case "SpreadAttribute":
      case "AttachTag":
        this.#expression(attribute.expression);
        return;
      case "LetDirective":
        return;
      case "Attribute": {
        const { name, value, start, end } = attribute;
        if (value === true) return;
        if (this.#text[start] !== "{") this.#values(value);
        // Blanks between the brackets would have to be replaced, too.
        else if (end - start === name.length + 2)
          this.#builder.name({ name, start: start + 1, end: end - 1, shared: "svelte-attribute" });
        return;
      }
      case "StyleDirective":
        if (attribute.value === true) this.#short(attribute);
        else this.#values(attribute.value);
        return;
      case "BindDirective":
      case "ClassDirective":
        if (this.#hasValue(attribute)) this.#expression(attribute.expression);
        else this.#short(attribute);
        return;
      case "OnDirective":
        if (attribute.expression) this.#expression(attribute.expression);
        return;
      case "UseDirective":
      case "TransitionDirective":
      case "AnimateDirective":
        if (attribute.name.split(".").every(isIdentifier)) this.#builder.expression(this.#nameOf(attribute));
        if (attribute.expression) this.#expression(attribute.expression);
    }
  }

  #values(value: AST.ExpressionTag | readonly (AST.Text | AST.ExpressionTag)[]): void {
    for (const one of "type" in value ? [value] : value)
      if (one.type === "ExpressionTag") this.#expression(one.expression);
  }

  /** Reads a directive that is short for one with its name as value. */
  #short(directive: AST.Directive): void {
    const range = this.#nameOf(directive);
    const { name } = directive;
    // Before modifiers, the short form has no long one that an insertion makes.
    if (range.end === directive.end && isIdentifier(name))
      this.#builder.name({ name, ...range, shared: "svelte-directive" });
  }

  /** Whether a directive has a value: its range is longer than its name. */
  #hasValue(directive: AST.Directive): boolean {
    return this.#text.slice(this.#nameOf(directive).end, directive.end).includes("=");
  }

  #nameOf({ name, start }: Pick<AST.Directive, "name" | "start">): TextRange {
    const from = this.#text.indexOf(":", start) + 1;
    return { start: from, end: from + name.length };
  }

  #expression(expression: unknown): void {
    this.#builder.expression(this.#rangeOf(expression));
  }

  /** The range of a node: one that is not closed ends with the text. */
  #rangeOf(node: unknown): TextRange {
    const { start, end } = node as TextRange;
    return { start, end: end < start ? this.#text.length : end };
  }
}

/** The types of nodes that declare names beside them. */
const declaring = /^(?:Const|Declaration)Tag$|^SnippetBlock$/;

/** Whether an element is for a slot with a name. */
function hasSlot(node: Node): boolean {
  return "attributes" in node && node.attributes.some((one) => one.type === "Attribute" && one.name === "slot");
}
