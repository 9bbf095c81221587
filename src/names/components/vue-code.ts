import type {
  AttributeNode,
  DirectiveNode,
  ElementNode,
  InterpolationNode,
  TemplateChildNode,
} from "@vue/compiler-dom";
import { isIdentifier, type TextRange } from "../../text/index.ts";
import {
  type ComponentCode,
  ComponentCodeBuilder,
  type ComponentCodeOptions,
  type ComponentScript,
  maxDepth,
  tagNames,
} from "./component-code.ts";

/** What is used of Vue's compiler. */
export type VueCompiler = Pick<typeof import("@vue/compiler-dom"), "parse" | "parserOptions">;

/**
 * Returns the code of a Vue component: its scripts and, where one of them is `<script setup>`, what
 * its HTML template uses. A broken template is read as far as Vue's parser reads it.
 *
 * Source: Vue, [single-file components](https://vuejs.org/api/sfc-spec.html) and
 * [directives](https://vuejs.org/api/built-in-directives.html).
 */
export function vueCode(vue: VueCompiler, text: string, options: ComponentCodeOptions): ComponentCode {
  // The build for browsers decodes entities by the DOM, which a worker has not. The values are not
  // used here.
  const isForBrowsers = vue.parserOptions.decodeEntities !== undefined;
  const blocks = vue
    .parse(text, {
      ...{ parseMode: "sfc", onError: () => undefined },
      ...(isForBrowsers && { decodeEntities: (raw: string) => raw }),
    })
    .children.filter(isElement);
  const scripts = blocks.filter(({ tag }) => tag === "script");
  const builder = new ComponentCodeBuilder(text, scripts.flatMap(scriptOf), options);
  const template = blocks.find(({ tag }) => tag === "template");
  const isSetup = scripts.some((script) => attribute(script, "setup") !== undefined);
  const isRead = template !== undefined && ["lang", "src"].every((name) => attribute(template, name) === undefined);
  if (isRead && isSetup) new TemplateReader(text, builder).read(template.children);
  if (isSetup) for (const { tag, innerLoc } of blocks) if (tag === "style" && innerLoc) readStyle(innerLoc, builder);
  return builder.toCode();
}

function scriptOf(script: ElementNode): ComponentScript[] {
  if (script.innerLoc === undefined) return [];
  const isJsx = /^[tj]sx$/.test(attribute(script, "lang")?.value?.content ?? "");
  return [{ ...rangeOf({ loc: script.innerLoc }), kind: isJsx ? "tsx" : "ts" }];
}

/**
 * Reads the expressions of a style: `v-bind(name)`, also in quotes.
 *
 * Source: Vue, [CSS features](https://vuejs.org/api/sfc-css-features.html).
 */
function readStyle({ source, start: { offset } }: ElementNode["loc"], builder: ComponentCodeBuilder): void {
  for (const match of source.matchAll(/\bv-bind\(([^()]*)\)/g)) {
    const trimmed = match[1]!.trim();
    const quotes = /^["']/.test(trimmed) ? 1 : 0;
    const start = offset + match.index + match[0].indexOf(trimmed, "v-bind(".length) + quotes;
    builder.expression({ start, end: start + trimmed.length - 2 * quotes });
  }
}

class TemplateReader {
  readonly #text: string;
  readonly #builder: ComponentCodeBuilder;

  constructor(text: string, builder: ComponentCodeBuilder) {
    this.#text = text;
    this.#builder = builder;
  }

  /** Reads the nodes of the template. */
  read(nodes: readonly TemplateChildNode[]): void {
    this.#names(nodes, 0);
    this.#nodes(nodes, 0);
  }

  /**
   * Reads the names of components, of custom directives, and in `ref`: they are those of the script
   * wherever they are, whatever the elements around them declare.
   */
  #names(nodes: readonly TemplateChildNode[], depth: number): void {
    if (depth > maxDepth) return;
    for (const node of nodes) {
      if (!isElement(node)) continue;
      if (node.tagType === componentType) this.#tag(node);
      for (const prop of node.props) {
        if (isDirective(prop)) this.#customDirective(prop);
        else if (prop.name === "ref" && prop.value !== undefined && isIdentifier(prop.value.content)) {
          const start = prop.value.loc.start.offset + (/^["']/.test(prop.value.loc.source) ? 1 : 0);
          this.#builder.name({ name: prop.value.content, start, end: start + prop.value.content.length });
        }
      }
      this.#names(node.children, depth + 1);
    }
  }

  /** Reads `<MyBox>`, `<my-box>` or `<space.MyBox>`, and the end tag. */
  #tag({ tag, ...node }: ElementNode): void {
    const starts = tagNames(this.#text, rangeOf(node), tag);
    const camel = camelized(tag);
    const names = new Set([tag, camel, camel.charAt(0).toUpperCase() + camel.slice(1)]);
    for (const start of starts) {
      const range = { start, end: start + tag.length };
      if (tag.split(".").every(isIdentifier) && tag.includes(".")) this.#builder.expression(range);
      for (const name of [...names].filter(isIdentifier))
        this.#builder.name({ name, ...range, ...(name !== tag && { shared: "vue-tag" }) });
    }
  }

  #customDirective({ name, rawName, loc }: DirectiveNode): void {
    if (isBuiltIn.test(name) || rawName?.startsWith("v-") !== true) return;
    const start = loc.start.offset + 2;
    const variable = camelized(`v-${name}`);
    if (isIdentifier(variable))
      this.#builder.name({ name: variable, start, end: start + name.length, shared: "vue-directive" });
  }

  #nodes(nodes: readonly TemplateChildNode[], depth: number): void {
    if (depth > maxDepth) return;
    for (const node of nodes) {
      if (isInterpolation(node)) this.#builder.expression(rangeOf(node.content));
      else if (isElement(node)) this.#element(node, depth);
    }
  }

  #element(node: ElementNode, depth: number): void {
    const directives = node.props.filter(isDirective);
    // A condition is outside the loop of the same element.
    for (const { name, exp } of directives) if (/^(?:if|else-if)$/.test(name) && exp) this.#expression(exp);
    const loop = directives.find(({ name }) => name === "for");
    if (loop === undefined) {
      this.#inLoop(node, directives, depth);
      return;
    }
    // While it is typed, it is not known what it will declare.
    const parsed = loop.forParseResult;
    if (parsed === undefined) return;
    this.#expression(parsed.source);
    const parts = [parsed.value, parsed.key, parsed.index];
    const count = parts.findLastIndex((part) => part !== undefined) + 1;
    const parameters = parts.slice(0, count).map((part, at) => (part === undefined ? `_${at}` : rangeOf(part)));
    this.#builder.scope(rangeOf(node), parameters, () => this.#inLoop(node, directives, depth));
  }

  /** Reads the attributes and children of an element. */
  #inLoop(node: ElementNode, directives: readonly DirectiveNode[], depth: number): void {
    for (const directive of directives) this.#directive(directive);
    const slot = directives.find(({ name }) => name === "slot");
    const children = () => this.#nodes(node.children, depth + 1);
    if (slot?.exp === undefined) children();
    else this.#builder.scope(rangeOf(node), [rangeOf(slot.exp)], children);
  }

  #directive({ name, rawName, arg, exp, loc }: DirectiveNode): void {
    if (arg?.type === expressionType && !arg.isStatic) {
      // The range includes the brackets of `[name]`.
      const { start, end } = rangeOf(arg);
      this.#builder.expression(this.#text[start] === "[" ? { start: start + 1, end: end - 1 } : { start, end });
    }
    if (/^(?:for|slot|if|else-if|pre)$/.test(name)) return;
    if (exp !== undefined) {
      if (name === "on" && arg !== undefined) this.#handler(rangeOf(exp));
      else this.#expression(exp);
    } else if (name === "bind" && arg?.type === expressionType && arg.isStatic && rawName === loc.source) {
      const range = rangeOf(arg);
      const variable = camelized(arg.content);
      // Before modifiers, the short form has no long one that an insertion makes.
      if (isIdentifier(variable) && range.end === loc.end.offset)
        this.#builder.name({ name: variable, ...range, shared: "vue-attribute" });
    }
  }

  #expression(expression: { readonly loc: TemplateChildNode["loc"] }): void {
    this.#builder.expression(rangeOf(expression));
  }

  /** Reads the value of `@event`: an expression or statements. */
  #handler(range: TextRange): void {
    const source = this.#text.slice(range.start, range.end);
    const isExpression = /^\s*(?:async\s+)?function\b/.test(source) || !source.includes(";");
    this.#builder.scope(range, ["$event"], () => {
      if (isExpression) this.#builder.expression(range);
      else this.#builder.statements(range);
    });
  }
}

/** Source: Vue, [built-in directives](https://vuejs.org/api/built-in-directives.html). */
const isBuiltIn = /^(?:bind|cloak|else-if|else|for|html|if|memo|model|on|once|pre|show|slot|text)$/;

/** The values of Vue's enumerations, which the module has when it is loaded. */
const [elementNode, expressionType, interpolationNode, attributeNode, directiveNode] = [1, 4, 5, 6, 7] as const;
const componentType = 1;

type Prop = AttributeNode | DirectiveNode;

function isElement(node: TemplateChildNode): node is ElementNode {
  return node.type === elementNode;
}

function isInterpolation(node: TemplateChildNode): node is InterpolationNode {
  return node.type === interpolationNode;
}

function isDirective(prop: Prop): prop is DirectiveNode {
  return prop.type === directiveNode;
}

function attribute({ props }: ElementNode, name: string): AttributeNode | undefined {
  return props.find((prop): prop is AttributeNode => prop.type === attributeNode && prop.name === name);
}

function rangeOf({ loc }: Pick<TemplateChildNode, "loc">): TextRange {
  return { start: loc.start.offset, end: loc.end.offset };
}

/** `my-box` as `myBox`. */
function camelized(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
