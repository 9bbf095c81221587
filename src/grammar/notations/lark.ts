import { characterSet } from "../lexing/character-set.ts";
import { choiceOf, sequenceOf } from "../lexing/parse-pattern.ts";
import type { Pattern } from "../lexing/pattern.ts";
import { matchesEmpty, patternsOverlap } from "../lexing/pattern-language.ts";
import { literalsIn, symbolsIn } from "../tables/expressions.ts";
import { type GrammarIssue, hasErrors } from "../tables/grammar-issue.ts";
import type { Expression, GrammarSource, Rule, TokenRule } from "../tables/grammar-source.ts";
import { maxRepetitions, repeated } from "./character-grammar.ts";
import type { ParsedGrammar } from "./emend-notation.ts";
import { ignoringCase, parsePythonPattern } from "./foreign-pattern.ts";
import { modesApart } from "./infer-modes.ts";
import { safeName } from "./rename-rules.ts";
import { issueOf, NotationFault, TextCursor } from "./text-cursor.ts";

/**
 * Parses a grammar in Lark's notation: rules, terminals, `%ignore`, `%override`, `%extend`, and
 * `%import` of the terminals in `common`. A text that cannot be parsed does not throw: the result
 * has the error as one of its issues.
 *
 * The start is `start`, or else the first rule. Priorities, aliases and tree shaping (`?rule`,
 * `!rule`) are ignored. Where terminals match the same text, all readings are kept, as in Lark's
 * Earley parser; otherwise the longest match counts. Templates, `%declare` and other imports are
 * errors. Source: the grammar reference of lark-parser/lark.
 */
export function parseLark(text: string, name = "lark"): ParsedGrammar {
  const reader = new LarkReader(text);
  try {
    return reader.read(name);
  } catch (fault) {
    if (fault instanceof NotationFault) return { issues: [...reader.issues, issueOf(text, fault)] };
    throw fault;
  }
}

/** Blanks within a declaration, which continues on the next line if that begins with `|`. */
const blank = /(?:[ \t]|\/\/[^\n]*(?![^\n])|\r?\n(?:[ \t]|\r?\n|(?:\/\/|#)[^\n]*(?![^\n]))*(?=\|))*/y;
const anyBlank = /(?:\s|\/\/[^\n]*|#[^\n]*)*/y;

/** A part of a rule or of a terminal as it is written. */
type Part =
  | { readonly kind: "symbol"; readonly name: string; readonly offset: number }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "pattern"; readonly pattern: Pattern }
  | { readonly kind: "sequence"; readonly items: readonly Part[] }
  | { readonly kind: "choice"; readonly items: readonly Part[] }
  | { readonly kind: "repeat"; readonly item: Part; readonly min: number; readonly max: number };

interface Definition {
  readonly part: Part;
  readonly offset: number;
}

class LarkReader {
  readonly issues: GrammarIssue[] = [];
  readonly #cursor: TextCursor;
  readonly #rules = new Map<string, Definition>();
  readonly #terminals = new Map<string, Definition>();
  readonly #ignored: Definition[] = [];
  readonly #patterns = new Map<string, Pattern>();
  readonly #nameless = new Map<string, string>();
  readonly #tokens = new Map<string, TokenRule>();

  constructor(text: string) {
    this.#cursor = new TextCursor(text, blank);
  }

  read(name: string): ParsedGrammar {
    const cursor = this.#cursor;
    for (cursor.skip(anyBlank); !cursor.atEnd(); cursor.skip(anyBlank)) {
      if (cursor.take("%")) this.#readDirective();
      else this.#readDefinition();
      if (!cursor.atEnd() && cursor.match(/\r?\n/y) === undefined) cursor.expected("the end of the line or `|`");
    }
    const start = this.#rules.has("start") ? "start" : this.#rules.keys().next().value;
    if (start === undefined) cursor.fail('Write a rule, such as `start: "a"`; the grammar has none.', 0);
    for (const [terminal, { part, offset }] of this.#terminals) {
      this.#addToken(terminal, this.#toPattern(part, [terminal]), offset, "token");
    }
    const rules = [...this.#rules].map(([rule, { part, offset }]): Rule => {
      const line = cursor.lineAt(offset);
      return { name: safeName(rule), expression: this.#toExpression(part), line };
    });
    for (const [i, { part, offset }] of this.#ignored.entries()) {
      const isName = part.kind === "symbol";
      // An ignored terminal may also occur in a rule, as a token of its own.
      const name = isName && !isUsed(rules, part.name) ? part.name : `Ignored${i + 1}`;
      this.#tokens.delete(name);
      this.#addToken(name, this.#toPattern(part, []), offset, "trivia");
    }
    if (hasErrors(this.issues)) return { issues: this.issues };
    const tokens = [...this.#tokens.values()].filter(({ name, kind }) => kind !== "token" || isUsed(rules, name));
    const word = wordOf(rules, tokens);
    const grammar: GrammarSource = {
      name,
      start: safeName(start!),
      rules,
      lexical: {
        tokens,
        ...(word === undefined ? {} : { word }),
        reserved: [],
        modes: modesApart(rules, tokens, word),
        virtuals: [],
        newline: { kind: "characters", set: [0x0a, 0x0a, 0x0d, 0x0d] },
      },
    };
    return { grammar, issues: this.issues };
  }

  #readDirective(): void {
    const cursor = this.#cursor;
    const { offset } = cursor;
    const directive = cursor.matchHere(/[a-z]+/y)?.[0];
    if (directive === "ignore") this.#ignored.push({ part: this.#choice(), offset });
    else if (directive === "import") this.#readImport(offset);
    else if (directive === "declare") {
      cursor.fail("Say what the declared terminals are: nothing here finds them for the grammar.", offset - 1);
    } else if (directive === "override" || directive === "extend") this.#readDefinition(directive);
    else cursor.fail(`The directives are %ignore, %import, %override and %extend, not %${directive}.`, offset - 1);
  }

  #readImport(offset: number): void {
    const cursor = this.#cursor;
    const path = cursor.match(/\.?[\w.]+/y)?.[0] ?? cursor.expected("what to import, such as `common.NUMBER`");
    const names: [string, string][] = [];
    const library = path.startsWith("common.") ? "common" : path;
    if (library === "common" && path !== "common") {
      const name = path.slice("common.".length);
      names.push([name, cursor.take("->") ? (cursor.match(/\w+/y)?.[0] ?? cursor.expected("a name")) : name]);
    } else if (cursor.take("(")) {
      do {
        const name = cursor.match(/\w+/y)?.[0] ?? cursor.expected("a name");
        names.push([name, name]);
      } while (cursor.take(","));
      cursor.expect(")");
    }
    if (library !== "common") cursor.fail(`Only the terminals of \`common\` can be imported, not ${path}.`, offset);
    for (const [name, alias] of names) {
      const source =
        commonLarkTerminals.get(name) ?? cursor.fail(`There is no terminal ${name} in \`common\`.`, offset);
      this.#terminals.set(alias, { part: { kind: "pattern", pattern: this.#pattern(source, "", offset) }, offset });
    }
  }

  #readDefinition(change?: "override" | "extend"): void {
    const cursor = this.#cursor;
    cursor.match(/[?!]+/y);
    const found =
      cursor.match(/_?[a-z][a-z0-9_]*|_?[A-Z][A-Z0-9_]*/y) ?? cursor.expected("a rule's or a terminal's name");
    const [name] = found;
    const definitions = isTerminal(name) ? this.#terminals : this.#rules;
    if (cursor.sees("{")) cursor.fail("Write templates out: rules with parameters are not read.");
    // A priority.
    cursor.match(/\.\s*-?\d+/y);
    cursor.expect(":");
    cursor.skip();
    const part = this.#choice();
    const before = definitions.get(name);
    if (before !== undefined && change === undefined) {
      cursor.fail(`Choose another name than ${name}, which is defined above.`, found.index);
    }
    const items =
      before !== undefined && change === "extend" ? [...alternativesOf(before.part), ...alternativesOf(part)] : [part];
    definitions.set(name, { part: items.length === 1 ? part : { kind: "choice", items }, offset: found.index });
  }

  #choice(inGroup = false): Part {
    const items = [this.#sequence(inGroup)];
    while (this.#take("|", inGroup)) items.push(this.#sequence(inGroup));
    return items.length === 1 ? items[0]! : { kind: "choice", items };
  }

  #take(mark: string, inGroup: boolean): boolean {
    if (inGroup) this.#cursor.skip(anyBlank);
    return this.#cursor.take(mark);
  }

  #sequence(inGroup: boolean): Part {
    const cursor = this.#cursor;
    const items: Part[] = [];
    for (;;) {
      if (inGroup) cursor.skip(anyBlank);
      const item = this.#counted();
      if (item === undefined) break;
      items.push(item);
    }
    // The name of an alternative in trees.
    if (cursor.take("->") && cursor.match(/\w+/y) === undefined) cursor.expected("the alternative's name");
    return items.length === 1 ? items[0]! : { kind: "sequence", items };
  }

  #counted(): Part | undefined {
    const cursor = this.#cursor;
    const item = this.#item();
    if (item === undefined) return undefined;
    if (cursor.take("*")) return { kind: "repeat", item, min: 0, max: Number.POSITIVE_INFINITY };
    if (cursor.take("+")) return { kind: "repeat", item, min: 1, max: Number.POSITIVE_INFINITY };
    if (cursor.take("?")) return { kind: "repeat", item, min: 0, max: 1 };
    if (!cursor.take("~")) return item;
    const counts = cursor.match(/(\d+)(?:\s*\.\.\s*(\d+))?/y) ?? cursor.expected("a count, such as `2` or `2..5`");
    const min = Number(counts[1]);
    const max = Number(counts[2] ?? counts[1]);
    if (max < min) cursor.fail("The larger number of a count comes last.", counts.index);
    if (max > maxRepetitions) cursor.fail(`A count goes up to ${maxRepetitions}.`, counts.index);
    return { kind: "repeat", item, min, max };
  }

  #item(): Part | undefined {
    const cursor = this.#cursor;
    for (const [open, close, min] of [
      ["(", ")", 1],
      ["[", "]", 0],
    ] as const) {
      if (!cursor.take(open)) continue;
      const item = cursor.nested(cursor.offset - 1, () => this.#choice(true));
      cursor.skip(anyBlank);
      cursor.expect(close);
      return min === 1 ? item : { kind: "repeat", item, min, max: 1 };
    }
    const { offset } = cursor;
    const text = cursor.match(/("(?:[^"\\\n]|\\.)*")(i?)/y);
    if (text !== undefined) {
      const content = this.#textIn(text[1]!, offset);
      const other = content.length > 0 && text[2] === "" ? cursor.match(/\.\.\s*("(?:[^"\\\n]|\\.)*")/y) : undefined;
      if (other !== undefined) return this.#range(content, this.#textIn(other[1]!, offset), offset);
      if (text[2] === "") return { kind: "text", text: content };
      return { kind: "pattern", pattern: ignoringCase({ kind: "text", text: content }) };
    }
    const pattern = cursor.match(/\/(?!\/)((?:[^/\\\n]|\\.)+)\/([imslux]*)/y);
    if (pattern !== undefined) {
      return { kind: "pattern", pattern: this.#pattern(pattern[1]!, pattern[2]!, pattern.index + 1) };
    }
    const name = cursor.match(/_?[A-Za-z][A-Za-z0-9_]*/y);
    if (name === undefined) return undefined;
    if (cursor.text[cursor.offset] === "{") cursor.fail("Write templates out: rules with parameters are not read.");
    return { kind: "symbol", name: name[0], offset: name.index };
  }

  #range(first: string, last: string, offset: number): Part {
    const [low, high] = [first.codePointAt(0)!, last.codePointAt(0) ?? 0];
    if (Array.from(first).length !== 1 || Array.from(last).length !== 1 || high < low) {
      this.#cursor.fail("A range goes from one character to a higher one.", offset);
    }
    return { kind: "pattern", pattern: { kind: "characters", set: characterSet([low, high]) } };
  }

  /** The value of a quoted text, with the escapes of Python. */
  #textIn(quoted: string, offset: number): string {
    const body = quoted.slice(1, -1);
    return body.replaceAll(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/gsu, (whole, ...groups) => {
      const [x, u, long, letter] = groups as (string | undefined)[];
      if (letter !== undefined) return escapes[letter] ?? (/[\\"'/]/.test(letter) ? letter : whole);
      const code = Number.parseInt((x ?? u ?? long)!, 16);
      if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        this.#cursor.fail("There is no such character.", offset);
      return String.fromCodePoint(code);
    });
  }

  #pattern(source: string, flags: string, offset: number): Pattern {
    // Python's `\U` escape is written with braces here.
    const ours = source.replaceAll(/\\U([0-9a-fA-F]{8})/g, (_, digits: string) => `\\u{${digits}}`);
    const parsed = parsePythonPattern(ours, flags);
    return "pattern" in parsed ? parsed.pattern : this.#cursor.fail(`${parsed.error}.`, offset + parsed.offset);
  }

  #toPattern(part: Part, path: readonly string[]): Pattern {
    switch (part.kind) {
      case "text":
        return part;
      case "pattern":
        return part.pattern;
      case "sequence":
        return sequenceOf(part.items.map((item) => this.#toPattern(item, path)));
      case "choice":
        return choiceOf(part.items.map((item) => this.#toPattern(item, path)));
      case "repeat":
        return { kind: "repeat", item: this.#toPattern(part.item, path), min: part.min, max: part.max };
      case "symbol": {
        const known = this.#patterns.get(part.name);
        if (known !== undefined) return known;
        const terminal = this.#terminals.get(part.name);
        if (terminal === undefined || !isTerminal(part.name)) {
          return this.#cursor.fail(`There is no terminal called ${part.name}.`, part.offset);
        }
        if (path.includes(part.name)) {
          return this.#cursor.fail(`The terminal ${part.name} is made of itself; write it as a rule.`, part.offset);
        }
        this.#cursor.checkNesting(path.length, part.offset);
        const pattern = this.#toPattern(terminal.part, [...path, part.name]);
        this.#patterns.set(part.name, pattern);
        return pattern;
      }
    }
  }

  #toExpression(part: Part): Expression {
    switch (part.kind) {
      case "text":
        return part.text === "" ? { kind: "sequence", items: [] } : { kind: "literal", text: part.text };
      case "pattern":
        return this.#namelessToken(part.pattern);
      case "symbol":
        if (!this.#tokens.has(part.name) && !this.#rules.has(part.name)) {
          this.#cursor.fail(
            `There is no ${isTerminal(part.name) ? "terminal" : "rule"} called ${part.name}.`,
            part.offset,
          );
        }
        return { kind: "symbol", name: safeName(part.name) };
      case "repeat":
        return repeated(this.#toExpression(part.item), part.min, part.max);
      default:
        return { kind: part.kind, items: part.items.map((item) => this.#toExpression(item)) };
    }
  }

  #namelessToken(pattern: Pattern): Expression {
    const key = JSON.stringify(pattern);
    let name = this.#nameless.get(key);
    if (name === undefined) {
      name = `Pattern${this.#nameless.size + 1}`;
      this.#nameless.set(key, name);
      this.#addToken(name, pattern, this.#cursor.offset, "token");
    }
    return { kind: "symbol", name };
  }

  #addToken(name: string, pattern: Pattern, offset: number, kind: TokenRule["kind"]): void {
    if (matchesEmpty(pattern))
      this.#cursor.fail(`The terminal ${name} matches the empty text; terminals never do.`, offset);
    this.#tokens.set(name, { name, kind, pattern });
  }
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", f: "\f", v: "\v" };

function alternativesOf(part: Part): readonly Part[] {
  return part.kind === "choice" ? part.items : [part];
}

function isTerminal(name: string): boolean {
  return /^_?[A-Z]/.test(name);
}

function isUsed(rules: readonly Rule[], name: string): boolean {
  return rules.some(({ expression }) => [...symbolsIn(expression)].includes(name));
}

/** The first token that matches a literal of word characters; it becomes the `word` token. */
function wordOf(rules: readonly Rule[], tokens: readonly TokenRule[]): string | undefined {
  const words = rules
    .flatMap(({ expression }) => [...literalsIn(expression)])
    .filter((text) => /^\w+$/.test(text))
    .map((text): Pattern => ({ kind: "text", text }));
  if (words.length === 0) return undefined;
  return tokens.find(({ kind, pattern }) => kind === "token" && patternsOverlap(pattern, choiceOf(words)))?.name;
}

const number = /([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)/.source;
const float = /([0-9]+(\.[0-9]*)?[eE][+-]?[0-9]+|\.[0-9]+[eE][+-]?[0-9]+|[0-9]+\.[0-9]*|\.[0-9]+)/.source;
const anyNumber = `(${float}|[0-9]+)`;

/**
 * The terminals of Lark's library `common`, as regular expressions.
 *
 * Source: the documentation of lark-parser/lark, "Common terminals".
 */
const commonLarkTerminals: ReadonlyMap<string, string> = new Map([
  ["DIGIT", "[0-9]"],
  ["HEXDIGIT", "[0-9a-fA-F]"],
  ["INT", "[0-9]+"],
  ["SIGNED_INT", "[+-]?[0-9]+"],
  ["DECIMAL", number.replace("|[0-9]+)", ")")],
  ["FLOAT", float],
  ["SIGNED_FLOAT", `[+-]?${float}`],
  ["NUMBER", anyNumber],
  ["SIGNED_NUMBER", `[+-]?${anyNumber}`],
  ["ESCAPED_STRING", '"([^"\\\\\\n]|\\\\.)*"'],
  ["LCASE_LETTER", "[a-z]"],
  ["UCASE_LETTER", "[A-Z]"],
  ["LETTER", "[A-Za-z]"],
  ["WORD", "[A-Za-z]+"],
  ["CNAME", "[A-Za-z_][A-Za-z0-9_]*"],
  ["WS_INLINE", "[ \\t]+"],
  ["WS", "[ \\t\\f\\r\\n]+"],
  ["CR", "\\r"],
  ["LF", "\\n"],
  ["NEWLINE", "(\\r?\\n)+"],
  ["SH_COMMENT", "#[^\\n]*"],
  ["CPP_COMMENT", "\\/\\/[^\\n]*"],
  ["C_COMMENT", "\\/\\*[^*]*\\*+([^*\\/][^*]*\\*+)*\\/"],
  ["SQL_COMMENT", "--[^\\n]*"],
]);
