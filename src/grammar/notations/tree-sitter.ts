import { getOrInsert, isRecord } from "../../text/index.ts";
import { whiteSpace } from "../lexing/character-set.ts";
import { choiceOf, printPattern, sequenceOf } from "../lexing/parse-pattern.ts";
import type { Pattern } from "../lexing/pattern.ts";
import { matchesEmpty, patternsOverlap, withoutEmpty } from "../lexing/pattern-language.ts";
import { literalsIn, symbolsIn } from "../tables/expressions.ts";
import { type GrammarIssue, hasErrors } from "../tables/grammar-issue.ts";
import type { Expression, GrammarSource, Rule, TokenRule, VirtualRule } from "../tables/grammar-source.ts";
import { type ParsedGrammar, parseGrammar } from "./emend-notation.ts";
import { parseForeignPattern } from "./foreign-pattern.ts";
import {
  contentOf,
  fixedTexts,
  type GrammarNode,
  isDeeperThan,
  isImmediate,
  isLexical,
  isNode,
  maxNesting,
  nameOf,
  nodesIn,
  precedenceOf,
  textOf,
  transparent,
} from "./grammar-json.ts";
import { inferModes } from "./infer-modes.ts";
import { safeName } from "./rename-rules.ts";
import { writeGrammar } from "./write-grammar.ts";

/** The name by which an overlay includes the imported grammar. */
export const importedFile = "grammar.json";

/**
 * Imports a grammar of tree-sitter: `grammarJson` is the value of its `src/grammar.json`. Does not
 * throw for a faulty value: errors are issues of the result, which has no grammar then.
 *
 * Precedences and conflicts are ignored, since a recogniser keeps all readings. Immediate tokens
 * become tokens with a condition that nothing precedes them; significant line breaks become
 * conditions; tokens that clash with words get modes of their own. The reserved keywords are those
 * that the grammar declares, else all of them.
 *
 * `overlay` describes what an external scanner does: a grammar in Emend's notation that includes
 * `"grammar.json"`, adds what is missing and replaces what it describes better. Where it declares
 * modes, none are inferred.
 */
export function importTreeSitter(grammarJson: unknown, overlay?: string): ParsedGrammar {
  const importer = new Importer();
  const imported = importer.run(grammarJson);
  if (imported === undefined || hasErrors(importer.issues)) return { issues: importer.issues };
  let merged = imported;
  const issues = [...importer.issues];
  if (overlay !== undefined) {
    const written = writeGrammar(imported);
    const parsed = parseGrammar(overlay, { read: (file) => (file === importedFile ? written : undefined) });
    issues.push(...parsed.issues);
    if (parsed.grammar === undefined) return { issues };
    merged = parsed.grammar;
  }
  for (const [name, message] of importer.unfinished) {
    if (merged.lexical.tokens.some((token) => token.name === name)) continue;
    issues.push({ code: "external", severity: "warning", message });
  }
  const trimmed = trimGrammar(merged);
  for (const name of trimmed.unknown) {
    const message = importer.externals.has(name)
      ? `Say in an overlay what ${name} is: an external scanner finds it, and the grammar does not tell how.`
      : `There is no rule and no token called ${name}.`;
    issues.push({ code: "unknown-name", severity: "error", message });
  }
  if (trimmed.unknown.length > 0) return { issues };
  const { rules, lexical } = trimmed.grammar;
  const reserved = lexical.reserved.length > 0 ? lexical.reserved : keywordsIn(rules, lexical);
  const modes = lexical.modes.length > 0 ? lexical.modes : inferModes(trimmed.grammar);
  return { grammar: { ...trimmed.grammar, lexical: { ...lexical, reserved, modes } }, issues };
}

const glued: VirtualRule = { name: "Glued", kind: "require", when: { glued: true } };
const lineBreak: VirtualRule = { name: "LineBreak", kind: "require", when: { newline: "with" } };
const atEnd: VirtualRule = { name: "AtEnd", kind: "require", when: { nextIn: ["end"] } };

interface Token extends TokenRule {
  /** Whether it must directly follow the previous token. */
  readonly immediate: boolean;
  /** Whether it may be empty, and so is optional in rules. */
  readonly optional: boolean;
  readonly precedence: number;
  /** The index of its rule. */
  readonly order: number;
}

class Importer {
  readonly issues: GrammarIssue[] = [];
  readonly externals = new Set<string>();
  /** Tokens that need an external scanner, with the message for people. */
  readonly unfinished = new Map<string, string>();
  readonly #nodes = new Map<string, GrammarNode>();
  readonly #tokens = new Map<string, Token>();
  /** Anonymous tokens, by immediacy and printed pattern. */
  readonly #nameless = new Map<string, Token>();
  readonly #virtuals = new Set<VirtualRule>();
  #blanks: Pattern | undefined;
  #ruleName = "";

  run(json: unknown): GrammarSource | undefined {
    if (isDeeperThan(json, maxNesting)) {
      return this.#fail(`Name a part as a rule of its own: the grammar nests over ${maxNesting} deep.`, "too-deep");
    }
    if (!isRecord(json) || !isRecord(json["rules"]) || typeof json["name"] !== "string") {
      return this.#fail("Give the value of a src/grammar.json: it has a `name` and `rules`.", "not-a-grammar");
    }
    for (const [name, node] of Object.entries(json["rules"])) {
      if (!isNode(node)) return this.#fail(`The rule ${name} is no node with a \`type\`.`, "not-a-grammar");
      this.#nodes.set(name, node);
    }
    const start = this.#nodes.keys().next().value;
    if (start === undefined) return this.#fail("The grammar has no rules.", "no-rules");
    for (const external of nodesIn(json["externals"])) {
      if (external.type === "SYMBOL") this.externals.add(nameOf(external));
    }
    const trivia = this.#readExtras(nodesIn(json["extras"]));
    for (const [name, node] of this.#nodes) {
      this.#ruleName = name;
      // The start stays a rule, even if it is a single token.
      if (isLexical(node) && name !== start) this.#addToken(node, safeName(name));
    }
    const rules: Rule[] = [];
    for (const [name, node] of this.#nodes) {
      this.#ruleName = name;
      if (!this.#tokens.has(safeName(name))) rules.push({ name: safeName(name), expression: this.#convert(node) });
    }
    const inPieces = this.#inPieces(rules);
    const word = typeof json["word"] === "string" ? safeName(json["word"]) : undefined;
    const tokens = [...this.#tokens.values()]
      .sort(byPrecedence)
      .map(({ name, pattern, kind }): TokenRule => ({ name, pattern, kind }));
    return {
      name: json["name"],
      start: safeName(start),
      rules: inPieces,
      lexical: {
        tokens: [...tokens, ...trivia.filter(({ name }) => !this.#tokens.has(name))],
        ...(word === undefined ? {} : { word }),
        reserved: reservedIn(json["reserved"]) ?? [],
        modes: [],
        virtuals: [...this.#virtuals],
        newline: { kind: "characters", set: [0x0a, 0x0a, 0x0d, 0x0d] },
      },
    };
  }

  /**
   * Rules in which `>>`, `<<` and the like are sequences of single brackets, for grammars where `<`
   * and `>` are brackets: tree-sitter's lexer reads two tokens there.
   */
  #inPieces(rules: readonly Rule[]): readonly Rule[] {
    if (!rules.some(({ expression }) => closesAngle(expression))) return rules;
    const pieces = (expression: Expression): Expression => {
      if (expression.kind === "literal" && /^(?:>[>=]|<<)/.test(expression.text)) {
        const first: Expression = { kind: "literal", text: expression.text[0]! };
        const rest = pieces({ kind: "literal", text: expression.text.slice(1) });
        const others = rest.kind === "sequence" ? rest.items : [rest];
        return { kind: "sequence", items: [first, this.#virtual(glued), ...others] };
      }
      if (expression.kind === "symbol" || expression.kind === "literal") return expression;
      if ("items" in expression) return { ...expression, items: expression.items.map(pieces) };
      return { ...expression, item: pieces(expression.item) };
    };
    return rules.map((rule) => ({ ...rule, expression: pieces(rule.expression) }));
  }

  #readExtras(extras: readonly GrammarNode[]): TokenRule[] {
    const trivia: TokenRule[] = [];
    let nameless = 0;
    for (const extra of extras) {
      const isNamed = extra.type === "SYMBOL";
      const name = isNamed ? safeName(nameOf(extra)) : `white_space${nameless > 0 ? nameless + 1 : ""}`;
      if (!isNamed) nameless += 1;
      this.#ruleName = name;
      const known = this.#toPattern(extra);
      const pattern = known && withoutEmpty(known);
      if (pattern === undefined) continue;
      if (isNamed) this.#nodes.delete(nameOf(extra));
      else this.#blanks = this.#blanks === undefined ? pattern : choiceOf([this.#blanks, pattern]);
      const oneByOne = pattern.kind === "characters";
      const many: Pattern = { kind: "repeat", item: pattern, min: 1, max: Number.POSITIVE_INFINITY };
      trivia.push({ name, kind: "trivia", pattern: oneByOne ? many : pattern });
    }
    return trivia;
  }

  #convert(node: GrammarNode): Expression {
    switch (node.type) {
      case "BLANK":
        return { kind: "sequence", items: [] };
      case "SYMBOL": {
        const name = safeName(nameOf(node));
        const token = this.#tokens.get(name);
        return token === undefined ? { kind: "symbol", name } : this.#use(token);
      }
      case "STRING":
        return this.#literal(textOf(node));
      case "SEQ":
        return { kind: "sequence", items: nodesIn(node["members"]).map((member) => this.#convert(member)) };
      case "CHOICE":
        return this.#choice(nodesIn(node["members"]));
      case "REPEAT":
        return { kind: "repeat", item: this.#convert(contentOf(node)) };
      case "REPEAT1":
        return { kind: "repeat1", item: this.#convert(contentOf(node)) };
      case "PATTERN":
      case "TOKEN":
      case "IMMEDIATE_TOKEN":
        return this.#lexeme(node);
      default:
        if (transparent.has(node.type)) return this.#convert(contentOf(node));
        this.#fail(`The rule ${this.#ruleName} has a node of the unknown type ${node.type}.`, "unknown-type");
        return { kind: "sequence", items: [] };
    }
  }

  #choice(members: readonly GrammarNode[]): Expression {
    const isBlank = (member: GrammarNode) => member.type === "BLANK";
    const items = members.filter((member) => !isBlank(member)).map((member) => this.#convert(member));
    const item: Expression = items.length === 1 ? items[0]! : { kind: "choice", items };
    return members.some(isBlank) ? { kind: "optional", item } : item;
  }

  #literal(text: string): Expression {
    // The character that the scanner has at the end of the text.
    if (text === "\0") return this.#virtual(atEnd);
    return text === "" ? { kind: "sequence", items: [] } : { kind: "literal", text };
  }

  #virtual(virtual: VirtualRule): Expression {
    this.#virtuals.add(virtual);
    return { kind: "symbol", name: virtual.name };
  }

  /** An anonymous token. */
  #lexeme(node: GrammarNode): Expression {
    const fixed = fixedTexts(node);
    if (fixed !== undefined) {
      const items = fixed.texts.map((text) => this.#literal(text));
      const item: Expression = items.length === 1 ? items[0]! : { kind: "choice", items };
      return fixed.immediate ? { kind: "sequence", items: [this.#virtual(glued), item] } : item;
    }
    const pattern = this.#toPattern(node);
    if (pattern === undefined) return { kind: "sequence", items: [] };
    if (isLineBreak(pattern) && this.#blanks !== undefined) return this.#virtual(lineBreak);
    const key = `${isImmediate(node)} ${printPattern(pattern)}`;
    const token = getOrInsert(this.#nameless, key, () => {
      let count = 1;
      const name = () => safeName(`${this.#ruleName}_${count}`);
      while (this.#tokens.has(name()) || this.#nodes.has(name())) count += 1;
      return this.#addToken(node, name(), pattern);
    });
    return this.#use(token);
  }

  #addToken(node: GrammarNode, name: string, known = this.#toPattern(node)): Token {
    const pattern = known && withoutEmpty(known);
    if (pattern === undefined && known !== undefined) {
      this.#fail(`The token of the rule ${this.#ruleName} matches nothing but the empty text.`, "empty-token");
    }
    const token: Token = {
      name,
      kind: "token",
      pattern: pattern ?? { kind: "text", text: "\0" },
      immediate: isImmediate(node),
      optional: known !== undefined && matchesEmpty(known),
      precedence: precedenceOf(node),
      order: [...this.#nodes.keys()].indexOf(this.#ruleName),
    };
    this.#tokens.set(name, token);
    return token;
  }

  #use(token: Token): Expression {
    const symbol: Expression = { kind: "symbol", name: token.name };
    const placed: Expression = token.immediate ? { kind: "sequence", items: [this.#virtual(glued), symbol] } : symbol;
    return token.optional ? { kind: "optional", item: placed } : placed;
  }

  /** The content of a token, or of a rule that is used as one, as a pattern. */
  #toPattern(node: GrammarNode, path: readonly string[] = []): Pattern | undefined {
    const all = (nodes: readonly GrammarNode[]): Pattern[] | undefined => {
      const patterns = nodes.map((each) => this.#toPattern(each, path));
      return patterns.every((pattern) => pattern !== undefined) ? patterns : undefined;
    };
    switch (node.type) {
      case "BLANK":
        return sequenceOf([]);
      case "STRING":
        return { kind: "text", text: textOf(node) };
      case "PATTERN": {
        const flags = typeof node["flags"] === "string" ? node["flags"] : "";
        const parsed = parseForeignPattern(String(node["value"]), flags);
        if ("pattern" in parsed) return parsed.pattern;
        const message = `The pattern /${node["value"]}/ of the rule ${this.#ruleName}: ${parsed.error}.`;
        return this.#fail(message, "pattern");
      }
      case "SEQ": {
        const items = all(nodesIn(node["members"]));
        return items && sequenceOf(items);
      }
      case "CHOICE": {
        const items = all(nodesIn(node["members"]));
        return items && choiceOf(items);
      }
      case "REPEAT":
      case "REPEAT1": {
        const item = this.#toPattern(contentOf(node), path);
        const min = node.type === "REPEAT" ? 0 : 1;
        return item && { kind: "repeat", item, min, max: Number.POSITIVE_INFINITY };
      }
      case "TOKEN":
      case "IMMEDIATE_TOKEN":
        return this.#toPattern(contentOf(node), path);
      case "SYMBOL": {
        const name = nameOf(node);
        const rule = this.#nodes.get(name);
        if (path.length > maxNesting) {
          return this.#fail(
            `The token of the rule ${this.#ruleName} names others over ${maxNesting} deep.`,
            "too-deep",
          );
        }
        if (rule !== undefined && !path.includes(name)) return this.#toPattern(rule, [...path, name]);
        const why = rule === undefined ? "is found by an external scanner" : "is made of itself";
        const message = `Say in an overlay what the token ${this.#ruleName} is: ${name}, a part of it, ${why}.`;
        this.unfinished.set(this.#ruleName, message);
        return undefined;
      }
      default:
        if (transparent.has(node.type)) return this.#toPattern(contentOf(node), path);
        return this.#fail(
          `A token of the rule ${this.#ruleName} has a node of the unknown type ${node.type}.`,
          "unknown-type",
        );
    }
  }

  #fail(message: string, code: string): undefined {
    this.issues.push({ code, severity: "error", message });
  }
}

function isLineBreak(pattern: Pattern): boolean {
  const isLineEnd = patternsOverlap(pattern, { kind: "text", text: "\n" });
  return (
    isLineEnd &&
    !patternsOverlap(pattern, { kind: "repeat", item: anyButLineFeed, min: 0, max: Number.POSITIVE_INFINITY }) &&
    isBlank(pattern)
  );
}

const anyButLineFeed: Pattern = { kind: "characters", set: [0, 9, 0x0b, 0xd7ff, 0xe000, 0x10ffff] };

function isBlank(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case "characters":
      return pattern.set.every((code) =>
        whiteSpace.some((first, i) => i % 2 === 0 && first <= code && code <= whiteSpace[i + 1]!),
      );
    case "text":
      return pattern.text.trim() === "";
    case "sequence":
    case "choice":
      return pattern.items.every(isBlank);
    case "repeat":
      return isBlank(pattern.item);
  }
}

/** Whether some sequence contains `<` and ends with `>`. */
function closesAngle(expression: Expression): boolean {
  if (expression.kind === "symbol" || expression.kind === "literal") return false;
  if (!("items" in expression)) return closesAngle(expression.item);
  const { items } = expression;
  const isText = (item: Expression | undefined, text: string) => item?.kind === "literal" && item.text === text;
  const encloses = items.some((item) => isText(item, "<")) && isText(items.at(-1), ">");
  return (expression.kind === "sequence" && encloses) || items.some(closesAngle);
}

function byPrecedence(a: Token, b: Token): number {
  return b.precedence - a.precedence || a.order - b.order;
}

function reservedIn(reserved: unknown): string[] | undefined {
  if (!isRecord(reserved)) return undefined;
  const first = Object.values(reserved)[0];
  return first === undefined
    ? undefined
    : nodesIn(first)
        .filter(({ type }) => type === "STRING")
        .map(textOf);
}

function keywordsIn(rules: readonly Rule[], { word: name, tokens }: GrammarSource["lexical"]): string[] {
  const word = tokens.find((token) => token.name === name)?.pattern;
  if (word === undefined) return [];
  const texts = new Set(rules.flatMap(({ expression }) => [...literalsIn(expression)]));
  return [...texts].filter((text) => patternsOverlap(word, { kind: "text", text }));
}

/** A grammar without unused parts. */
interface TrimmedGrammar {
  readonly grammar: GrammarSource;
  /** Undeclared names in rules that are used. */
  readonly unknown: readonly string[];
}

/** Removes unreachable rules, and tokens and conditions that no rule uses. */
function trimGrammar(source: GrammarSource): TrimmedGrammar {
  const { lexical } = source;
  const rules = new Map(source.rules.map((rule) => [rule.name, rule]));
  const layout = lexical.layout;
  const known = new Set([
    ...lexical.tokens.map(({ name }) => name),
    ...lexical.virtuals.map(({ name }) => name),
    ...(layout === undefined ? [] : [layout.newline, layout.indent, layout.dedent]),
  ]);
  const used = new Set<string>([source.start]);
  const literals = new Set<string>();
  // The set grows during the loop.
  for (const name of used) {
    const rule = rules.get(name);
    if (rule === undefined) continue;
    for (const symbol of symbolsIn(rule.expression)) used.add(symbol);
    for (const text of literalsIn(rule.expression)) literals.add(text);
  }
  const tokens = lexical.tokens.filter(
    ({ name, kind, splitsInto }) =>
      kind !== "token" || used.has(name) || name === lexical.word || splitsInto !== undefined,
  );
  const names = new Set(tokens.map(({ name }) => name));
  const isThere = (member: string | { readonly literal: string }) =>
    typeof member === "string" ? names.has(member) || member === "end" : literals.has(member.literal);
  return {
    grammar: {
      ...source,
      rules: source.rules.filter(({ name }) => used.has(name)),
      lexical: {
        ...lexical,
        tokens,
        modes: lexical.modes.map((mode) => ({ ...mode, members: mode.members.filter(isThere) })),
        virtuals: lexical.virtuals.filter(({ name }) => used.has(name)),
      },
    },
    unknown: [...used].filter((name) => !rules.has(name) && !known.has(name)),
  };
}
