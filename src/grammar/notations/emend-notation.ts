import { parsePattern } from "../lexing/parse-pattern.ts";
import type { Pattern } from "../lexing/pattern.ts";
import { literalsIn } from "../tables/expressions.ts";
import type { GrammarIssue } from "../tables/grammar-issue.ts";
import { hasErrors } from "../tables/grammar-issue.ts";
import type {
  GrammarSource,
  LayoutRule,
  LexicalSource,
  NextTerminal,
  SameRule,
  SourcePlace,
  TokenRule,
  VirtualCondition,
  VirtualRule,
} from "../tables/grammar-source.ts";
import { lineOf, type NotationToken, placeOf, readNotation } from "./notation-tokens.ts";
import { DeclarationReader, type WrittenExpression } from "./read-expression.ts";
import { type Member, resolveModes, type WrittenMode } from "./resolve-modes.ts";
import { type WrittenRule, writeOutRules } from "./write-out-rules.ts";

/** Options of {@link parseGrammar}. */
export interface ParseGrammarOptions {
  /**
   * Returns the text of an included file by the name it is included by; `undefined` where there is
   * none.
   */
  readonly read?: (file: string) => string | undefined;
}

/** The result of parsing a grammar: the grammar, unless an issue is an error. */
export interface ParsedGrammar {
  readonly grammar?: GrammarSource;
  readonly issues: readonly GrammarIssue[];
}

/**
 * Parses a grammar in the notation of `docs/grammar-notation.md`. Never throws for a faulty text.
 *
 * Only the notation itself is checked here; `checkGrammar` checks names and rules.
 */
export function parseGrammar(text: string, options: ParseGrammarOptions = {}): ParsedGrammar {
  const parser = new Parser(options);
  parser.readFile(text, undefined, []);
  return parser.finish();
}

/** The deepest nesting of includes. */
const maxIncludes = 100;

/** A pattern that is parsed once the fragments it names are known. */
interface WrittenPattern {
  readonly source: string;
  readonly at: NotationToken;
}

type WrittenToken = Omit<TokenRule, "pattern"> & { readonly pattern: WrittenPattern };

class Parser {
  readonly #options: ParseGrammarOptions;
  readonly #issues: GrammarIssue[] = [];
  readonly #rules = new Map<string, WrittenRule>();
  readonly #tokens = new Map<string, WrittenToken>();
  readonly #fragments = new Map<string, WrittenPattern>();
  readonly #modes = new Map<string, WrittenMode>();
  readonly #virtuals = new Map<string, VirtualRule>();
  readonly #reserved = new Set<string>();
  readonly #openings: string[] = [];
  readonly #same = new Map<string, SameRule>();
  readonly #brackets: LayoutRule["brackets"][number][] = [];
  readonly #places: { -readonly [what in keyof NonNullable<LexicalSource["places"]>]: SourcePlace } = {};
  #name: string | undefined;
  #word: string | undefined;
  #newline: WrittenPattern | undefined;
  #layout: Omit<LayoutRule, "brackets"> | undefined;
  #suspendAt: SourcePlace | undefined;
  #file: string | undefined;
  /**
   * The file of each declaration: a second one in the same file is an error, in another file it
   * replaces the first.
   */
  readonly #declaredIn = new Map<string, string | undefined>();

  constructor(options: ParseGrammarOptions) {
    this.#options = options;
  }

  readFile(text: string, file: string | undefined, path: readonly string[]): void {
    const before = this.#file;
    this.#file = file;
    for (const tokens of readNotation(text, this.#issues, file)) {
      const reader = new DeclarationReader(tokens, this.#issues);
      const isInclude = tokens[1]?.kind === "text" && reader.takeWord("include");
      if (isInclude) this.#include(reader, path);
      else this.#readDeclaration(reader, tokens);
    }
    this.#file = before;
  }

  finish(): ParsedGrammar {
    const issues = this.#issues;
    const fragments = this.#parseFragments();
    const tokens = [...this.#tokens.values()].flatMap((token): TokenRule[] => {
      const pattern = this.#parsePattern(token.pattern, fragments);
      return pattern === undefined ? [] : [{ ...token, pattern }];
    });
    const newline =
      this.#newline === undefined
        ? ({ kind: "characters", set: [0x0a, 0x0a, 0x0d, 0x0d] } as const)
        : this.#parsePattern(this.#newline, fragments);
    const rules = writeOutRules(this.#rules, issues);
    const first = this.#rules.values().next().value;
    if (first === undefined) {
      const message = "Write a rule, such as `Document = Value`; the first one is what a whole text is.";
      issues.push({ code: "no-rules", severity: "error", line: 0, message });
    } else if (first.parameters.length > 0) {
      const message = `The first rule is what a whole text is; ${first.name} takes parameters and cannot be it.`;
      issues.push({ code: "parameters", severity: "error", ...placeOf(first.at), message });
    }
    const literals = literalsOf(rules, tokens);
    const modes = resolveModes([...this.#modes.values()], { tokens, literals }, issues);
    if (this.#layout === undefined && this.#brackets.length > 0) {
      const message = "`suspend` needs a layout to suspend: add `layout Newline Indent Dedent`.";
      issues.push({ code: "layout", severity: "error", ...this.#suspendAt, message });
    }
    if (first === undefined || newline === undefined || hasErrors(issues)) return { issues };
    const lexical: LexicalSource = {
      tokens,
      reserved: [...this.#reserved],
      modes,
      virtuals: [...this.#virtuals.values()],
      newline,
      ...(Object.keys(this.#places).length === 0 ? {} : { places: this.#places }),
      ...(this.#word === undefined ? {} : { word: this.#word }),
      ...(this.#layout === undefined ? {} : { layout: { ...this.#layout, brackets: this.#brackets } }),
    };
    const same = [...this.#same.values()];
    const grammar = { name: this.#name ?? first.name, start: first.name, rules, lexical };
    const openings = this.#openings;
    return {
      grammar: { ...grammar, ...(same.length > 0 && { same }), ...(openings.length > 0 && { openings }) },
      issues,
    };
  }

  #include(reader: DeclarationReader, path: readonly string[]): undefined {
    const at = reader.take("text");
    if (at === undefined) return reader.expected("the name of a file in quotes");
    if (!reader.atEnd()) return;
    if (path.length >= maxIncludes) {
      return reader.fail(
        `Include ${at.text} from a file nearer to the first: ${maxIncludes} include each other here.`,
        at,
      );
    }
    if (path.includes(at.text)) return reader.fail(`${at.text} includes itself; leave this out.`, at);
    const text = this.#options.read?.(at.text);
    if (text === undefined) return reader.fail(`There is no file ${at.text} to include.`, at, "no-file");
    this.readFile(text, at.text, [...path, at.text]);
  }

  #readDeclaration(reader: DeclarationReader, tokens: readonly NotationToken[]): void {
    const second = tokens[1];
    const isRule = second?.kind === "mark" && (second.text === "=" || second.text === "<" || second.text === "|=");
    const keyword = tokens[0]!;
    if (keyword.kind !== "name") {
      reader.fail("A declaration starts with a word or a name; indent this line if it goes on with the one above.");
    } else if (isRule) this.#readRule(reader);
    else if (Object.hasOwn(this.#declarations, keyword.text)) {
      reader.take("name");
      this.#declarations[keyword.text]!(reader);
    } else {
      const known = Object.keys(this.#declarations).join(", ");
      reader.fail(`Write \`${keyword.text} = …\` for a rule, or begin with one of: include, ${known}.`);
    }
  }

  readonly #declarations: Readonly<Record<string, (reader: DeclarationReader) => void>> = {
    grammar: (reader) => {
      const name = reader.take("name") ?? reader.take("text");
      if (name === undefined) return reader.expected("the grammar's name");
      // An included grammar does not name the one that includes it.
      if (reader.atEnd() && (this.#file === undefined || this.#name === undefined)) this.#name = name.text;
    },
    token: (reader) => this.#readToken(reader, "token"),
    trivia: (reader) => this.#readToken(reader, "trivia"),
    never: (reader) => this.#readToken(reader, "never"),
    split: (reader) => this.#readToken(reader, "token", true),
    fragment: (reader) => {
      const name = this.#newName(reader, "fragment");
      const pattern = name && this.#readAssignedPattern(reader);
      if (pattern && reader.atEnd()) this.#fragments.set(name!.text, pattern);
    },
    word: (reader) => {
      const name = reader.take("name");
      if (name === undefined) return reader.expected("the name of a token");
      if (!reader.atEnd()) return;
      this.#word = name.text;
      this.#places.word = lineOf(name);
    },
    reserved: (reader) => {
      do {
        const word = reader.take("text");
        if (word === undefined) return reader.expected("a keyword in quotes");
        this.#reserved.add(word.text);
        this.#places.reserved ??= lineOf(word);
      } while (reader.peeked !== undefined);
    },
    newline: (reader) => {
      const pattern = this.#readPattern(reader);
      if (pattern === undefined || !reader.atEnd()) return;
      this.#newline = pattern;
      this.#places.newline = lineOf(pattern.at);
    },
    mode: (reader) => this.#readMode(reader),
    opening: (reader) => {
      do {
        const text = reader.take("text");
        if (text === undefined) return reader.expected("a text in quotes");
        this.#openings.push(text.text);
      } while (reader.peeked !== undefined);
    },
    same: (reader) => {
      const name = reader.take("name");
      if (name === undefined) return reader.expected("the name of a rule or a token");
      if (reader.atEnd()) this.#same.set(name.text, { name: name.text, ...lineOf(name) });
    },
    require: (reader) => {
      const name = this.#newName(reader, "symbol");
      if (name === undefined || !this.#readEquals(reader)) return;
      const when = this.#readCondition(reader, ",");
      if (when && reader.atEnd())
        this.#virtuals.set(name.text, { name: name.text, kind: "require", when, ...lineOf(name) });
    },
    insert: (reader) => {
      const name = this.#newName(reader, "symbol");
      if (name === undefined || !this.#readEquals(reader)) return;
      const when = this.#readCondition(reader, "|");
      if (when && reader.atEnd())
        this.#virtuals.set(name.text, { name: name.text, kind: "insert", when, ...lineOf(name) });
    },
    layout: (reader) => {
      const at = reader.peeked;
      const names = [reader.take("name"), reader.take("name"), reader.take("name")];
      const [newline, indent, dedent] = names.map((name) => name?.text);
      if (newline === undefined || indent === undefined || dedent === undefined) {
        return reader.expected("three names, for the end of a line, the start of a deeper block and its end,");
      }
      if (reader.atEnd()) this.#layout = { newline, indent, dedent, ...lineOf(at!) };
    },
    suspend: (reader) => {
      const open: NextTerminal[] = [];
      const close: NextTerminal[] = [];
      const at = reader.peeked;
      do {
        const [left, right] = [this.#readMember(reader), this.#readMember(reader)];
        if (left === undefined || right === undefined) return reader.expected("an opening bracket and its closing one");
        open.push(left);
        close.push(right);
      } while (reader.takeMark(","));
      if (!reader.atEnd()) return;
      this.#brackets.push({ open: distinct(open), close: distinct(close) });
      this.#suspendAt ??= lineOf(at!);
    },
  };

  #readRule(reader: DeclarationReader): undefined {
    const at = reader.take("name")!;
    const parameters: string[] = [];
    if (reader.takeMark("<")) {
      do {
        const parameter = reader.take("name");
        if (parameter === undefined) return reader.expected("the name of a parameter");
        parameters.push(parameter.text);
      } while (reader.takeMark(","));
      if (!reader.takeMark(">")) return reader.expected("`>` after the parameters");
    }
    const adds = reader.takeMark("|=");
    if (!adds && !reader.takeMark("=")) return reader.expected("`=`");
    const expression = reader.expression();
    if (expression === undefined || !reader.atEnd()) return;
    const before = this.#rules.get(at.text);
    if (!adds) {
      if (this.#declare(reader, "symbol", at)) this.#rules.set(at.text, { name: at.text, at, parameters, expression });
    } else if (before === undefined) {
      reader.fail(`Write \`${at.text} = …\` first: there is no rule ${at.text} to add to.`, at);
    } else if (before.parameters.join() !== parameters.join()) {
      reader.fail(`Repeat the parameters of ${at.text} as they are: <${before.parameters.join(", ")}>.`, at);
    } else {
      const items = [...alternativesOf(before.expression), ...alternativesOf(expression)];
      this.#rules.set(at.text, { ...before, expression: { kind: "choice", items } });
    }
  }

  #readToken(reader: DeclarationReader, kind: TokenRule["kind"], splits = false): undefined {
    const name = this.#newName(reader, "symbol");
    const pattern = name && this.#readAssignedPattern(reader);
    if (name === undefined || pattern === undefined) return;
    const splitsInto: Member[] = [];
    if (splits) {
      if (!reader.takeWord("as")) return reader.expected("`as` and the terminals that it stands for");
      for (let part = this.#readMember(reader); part !== undefined; part = this.#readMember(reader)) {
        splitsInto.push(part);
      }
      if (splitsInto.length < 2) return reader.expected("two terminals or more");
    }
    if (!reader.atEnd()) return;
    this.#tokens.set(name.text, { name: name.text, kind, pattern, ...(splits ? { splitsInto } : {}), ...lineOf(name) });
  }

  #readMode(reader: DeclarationReader): undefined {
    const name = this.#newName(reader, "mode");
    if (name === undefined) return;
    const list: Member[] = [];
    const isList = reader.takeMark("=");
    if (isList) {
      for (let member = this.#readMember(reader); member !== undefined; member = this.#readMember(reader)) {
        list.push(member);
      }
      if (list.length === 0) return reader.expected("the name of a mode or a token");
    } else if (this.#modes.size > 0 && this.#modes.keys().next().value !== name.text) {
      return reader.expected("`=` and the mode's tokens, as the first mode alone holds all tokens,");
    }
    const changes: { sign: "+" | "-"; member: Member }[] = [];
    while (reader.peeked !== undefined) {
      const sign = reader.takeMark("+") ? "+" : reader.takeMark("-") ? "-" : undefined;
      if (sign === undefined) return reader.expected("`+` or `-`");
      const before = changes.length;
      for (let member = this.#readMember(reader); member !== undefined; member = this.#readMember(reader)) {
        changes.push({ sign, member });
      }
      if (changes.length === before) return reader.expected("a token or a text in quotes");
    }
    this.#modes.set(name.text, { name: name.text, at: name, changes, ...(isList ? { list } : {}) });
  }

  #readCondition(reader: DeclarationReader, separator: "," | "|"): VirtualCondition | undefined {
    const when: { -readonly [key in keyof VirtualCondition]: VirtualCondition[key] } = {};
    const isInsert = separator === "|";
    do {
      if (reader.takeWord("newline")) when.newline = "with";
      else if (!isInsert && reader.takeWord("no")) {
        if (!reader.takeWord("newline")) return reader.expected("`newline`");
        when.newline = "without";
      } else if (!isInsert && reader.takeWord("glued")) when.glued = true;
      else if (reader.takeWord("next")) {
        const key = !isInsert && reader.takeWord("not") ? "nextNotIn" : "nextIn";
        const terminals: NextTerminal[] = [];
        for (let next = this.#readMember(reader); next !== undefined; next = this.#readMember(reader)) {
          terminals.push(next);
        }
        if (terminals.length === 0) return reader.expected("a token, a text in quotes or `end`");
        when[key] = [...(when[key] ?? []), ...terminals];
      } else {
        const conditions = isInsert ? "`newline` or `next …`" : "`newline`, `no newline`, `glued` or `next …`";
        return reader.expected(`one of the conditions ${conditions}`);
      }
    } while (reader.takeMark(separator));
    return when;
  }

  #readMember(reader: DeclarationReader): Member | undefined {
    const literal = reader.take("text");
    return literal === undefined ? reader.take("name")?.text : { literal: literal.text };
  }

  #readEquals(reader: DeclarationReader): boolean {
    if (reader.takeMark("=")) return true;
    reader.expected("`=`");
    return false;
  }

  #readAssignedPattern(reader: DeclarationReader): WrittenPattern | undefined {
    return this.#readEquals(reader) ? this.#readPattern(reader) : undefined;
  }

  #readPattern(reader: DeclarationReader): WrittenPattern | undefined {
    const at = reader.take("pattern");
    return at === undefined ? reader.expected("a pattern between slashes") : { source: at.text, at };
  }

  /** Reads the name of a new declaration. */
  #newName(reader: DeclarationReader, what: "symbol" | "mode" | "fragment"): NotationToken | undefined {
    const name = reader.take("name");
    if (name === undefined) return reader.expected("a name");
    if (!this.#declare(reader, what, name)) return undefined;
    // A token may replace a rule of an included file.
    if (what === "symbol") this.#rules.delete(name.text);
    return name;
  }

  /** Whether this name is free, or declared in another file and replaced here. */
  #declare(reader: DeclarationReader, what: "symbol" | "mode" | "fragment", name: NotationToken): boolean {
    const key = `${what} ${name.text}`;
    if (what === "symbol" && name.text === "end") {
      reader.fail("Choose another name than `end`, which is the end of the text.", name);
      return false;
    }
    if (this.#declaredIn.has(key) && this.#declaredIn.get(key) === this.#file) {
      reader.fail(`Choose another name than ${name.text}, which is declared above.`, name, "declared-twice");
      return false;
    }
    this.#declaredIn.set(key, this.#file);
    if (what === "symbol") for (const named of [this.#tokens, this.#virtuals]) named.delete(name.text);
    return true;
  }

  /** Parses the fragments in an order in which each finds those it names. */
  #parseFragments(): Map<string, Pattern> {
    const parsed = new Map<string, Pattern>();
    const waiting = new Map(this.#fragments);
    for (let before = -1; before !== parsed.size; ) {
      before = parsed.size;
      for (const [name, { source }] of waiting) {
        const result = parsePattern(source, parsed);
        if ("pattern" in result) {
          parsed.set(name, result.pattern);
          waiting.delete(name);
        }
      }
    }
    for (const fragment of waiting.values()) this.#parsePattern(fragment, parsed);
    return parsed;
  }

  #parsePattern(written: WrittenPattern, fragments: ReadonlyMap<string, Pattern>): Pattern | undefined {
    const result = parsePattern(written.source, fragments);
    if ("pattern" in result) return result.pattern;
    const place = { ...placeOf(written.at), column: written.at.column + 1 + result.offset };
    this.#issues.push({ code: "pattern", severity: "error", ...place, message: result.error });
    return undefined;
  }
}

function alternativesOf(expression: WrittenExpression): readonly WrittenExpression[] {
  return expression.kind === "choice" ? expression.items : [expression];
}

function literalsOf(rules: GrammarSource["rules"], tokens: readonly TokenRule[]): string[] {
  const parts = tokens.flatMap(({ splitsInto = [] }) => splitsInto);
  const inTokens = parts.flatMap((part) => (typeof part === "string" ? [] : [part.literal]));
  return [...new Set([...rules.flatMap(({ expression }) => [...literalsIn(expression)]), ...inTokens])];
}

function distinct(members: readonly NextTerminal[]): NextTerminal[] {
  return [...new Map(members.map((member) => [JSON.stringify(member), member])).values()];
}
