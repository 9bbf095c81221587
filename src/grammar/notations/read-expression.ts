import type { GrammarIssue } from "../tables/grammar-issue.ts";
import { type NotationToken, placeOf } from "./notation-tokens.ts";

/** The right side of a rule as written, with uses of rules that take parameters. */
export type WrittenExpression =
  | { readonly kind: "name"; readonly name: string; readonly at: NotationToken; readonly values?: WrittenExpression[] }
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "sequence" | "choice"; readonly items: readonly WrittenExpression[] }
  | { readonly kind: "optional" | "repeat" | "repeat1"; readonly item: WrittenExpression }
  | { readonly kind: "list"; readonly item: WrittenExpression; readonly separator: WrittenExpression };

/** The deepest nesting of an expression. */
const deepest = 100;

/** Reads the tokens of one declaration; errors become issues. */
export class DeclarationReader {
  readonly #tokens: readonly NotationToken[];
  readonly #issues: GrammarIssue[];
  #next = 0;
  /** The number of open groups. */
  #depth = 0;

  constructor(tokens: readonly NotationToken[], issues: GrammarIssue[]) {
    this.#tokens = tokens;
    this.#issues = issues;
  }

  /** The next token; `undefined` at the end. */
  get peeked(): NotationToken | undefined {
    return this.#tokens[this.#next];
  }

  /** Reads `mark` if it is next; returns whether it was. */
  takeMark(mark: string): boolean {
    const found = this.peeked?.kind === "mark" && this.peeked.text === mark;
    if (found) this.#next++;
    return found;
  }

  /** Reads a keyword of the notation if it is next; returns whether it was. */
  takeWord(word: string): boolean {
    const found = this.peeked?.kind === "name" && this.peeked.text === word;
    if (found) this.#next++;
    return found;
  }

  /** Reads a token of this kind if it is next. */
  take(kind: NotationToken["kind"]): NotationToken | undefined {
    const token = this.peeked;
    if (token?.kind !== kind) return undefined;
    this.#next++;
    return token;
  }

  /** Adds an error that names what is expected in place of the next token. */
  expected(what: string): undefined {
    const token = this.peeked;
    const last = token ?? this.#tokens.at(-1)!;
    const found = token === undefined ? "the declaration ends here" : `it reads ${show(token)}`;
    return this.fail(`Here ${what} should come, but ${found}.`, last);
  }

  /** Adds an error at `token`, default: the first of the declaration. */
  fail(message: string, token: NotationToken = this.#tokens[0]!, code = "syntax"): undefined {
    this.#issues.push({ code, severity: "error", ...placeOf(token), message });
    return undefined;
  }

  /** Whether all tokens were read; else adds an error. */
  atEnd(): boolean {
    if (this.peeked === undefined) return true;
    this.fail(`${show(this.peeked)} does not belong here; a new declaration starts at the left margin.`, this.peeked);
    return false;
  }

  /** Reads an expression: alternatives with `|` between. */
  expression(): WrittenExpression | undefined {
    if (this.#depth > deepest)
      return this.fail("Name a part of this as a rule of its own; it is too deep.", this.peeked);
    this.#depth++;
    const expression = this.#choice();
    this.#depth--;
    return expression;
  }

  #choice(): WrittenExpression | undefined {
    const items: WrittenExpression[] = [];
    this.takeMark("|");
    do {
      const item = this.#sequence();
      if (item === undefined) return undefined;
      items.push(item);
    } while (this.takeMark("|"));
    return items.length === 1 ? items[0] : { kind: "choice", items };
  }

  #sequence(): WrittenExpression | undefined {
    const items: WrittenExpression[] = [];
    while (this.#startsItem()) {
      const item = this.#list();
      if (item === undefined) return undefined;
      items.push(item);
    }
    if (items.length === 0) return this.expected("a name, a text in quotes or a group");
    return items.length === 1 ? items[0] : { kind: "sequence", items };
  }

  #startsItem(): boolean {
    const token = this.peeked;
    return token !== undefined && (token.kind === "mark" ? token.text === "(" : token.kind !== "pattern");
  }

  #list(): WrittenExpression | undefined {
    const item = this.#postfix();
    if (item === undefined || !this.takeMark("%")) return item;
    const separator = this.#startsItem() ? this.#postfix() : this.expected("what stands between the items");
    if (separator === undefined) return undefined;
    if (this.peeked?.text === "%" && this.peeked.kind === "mark") return this.expected("parentheses around one `%`");
    return { kind: "list", item, separator };
  }

  #postfix(): WrittenExpression | undefined {
    let item = this.#primary();
    for (let marks = 0; item !== undefined && marks < deepest; marks++) {
      if (this.takeMark("?")) item = { kind: "optional", item };
      else if (this.takeMark("*")) item = { kind: "repeat", item };
      else if (this.takeMark("+")) item = { kind: "repeat1", item };
      else break;
    }
    return item;
  }

  #primary(): WrittenExpression | undefined {
    const text = this.take("text");
    if (text !== undefined) {
      if (text.text === "") return this.fail('Write () for nothing; "" is no text.', text);
      return { kind: "literal", text: text.text };
    }
    const name = this.take("name");
    if (name !== undefined) {
      if (!this.takeMark("<")) return { kind: "name", name: name.text, at: name };
      const values: WrittenExpression[] = [];
      do {
        const value = this.expression();
        if (value === undefined) return undefined;
        values.push(value);
      } while (this.takeMark(","));
      if (!this.takeMark(">")) return this.expected("`>` after the parameters");
      return { kind: "name", name: name.text, at: name, values };
    }
    this.takeMark("(");
    if (this.takeMark(")")) return { kind: "sequence", items: [] };
    const item = this.expression();
    if (item !== undefined && !this.takeMark(")")) return this.expected("`)`");
    return item;
  }
}

function show(token: NotationToken): string {
  return token.kind === "text" ? JSON.stringify(token.text) : `\`${token.text}\``;
}
