import { characterSet, otherCharacters, sharedCharacters } from "../lexing/character-set.ts";
import type { CharacterSet } from "../lexing/pattern.ts";
import {
  type CharacterExpression,
  type CharacterRule,
  fromCharacterRules,
  maxRepetitions,
} from "./character-grammar.ts";
import type { ParsedGrammar } from "./emend-notation.ts";
import { issueOf, NotationFault, TextCursor } from "./text-cursor.ts";

/**
 * Reads a grammar in EBNF, as the W3C or ISO 14977 write it, or as plain rules with an arrow. A
 * text that cannot be parsed does not throw: the result has the error as one of its issues.
 *
 * W3C: `S ::= "0" S "1" | [a-z]+ - "x" | #x20`, with `? * +`. ISO:
 * `S = "0", S, "1" | { digit } | [ sign ];`. Plain: `S -> ε | 0 S 1`, where `ε` (or nothing) is the
 * empty text and digits stand for themselves. The first rule is the start. Terminals are
 * characters; there is no implicit white space. `A - B` is supported for sets of characters.
 * Sources: the notation of "Extensible Markup Language", section 6; ISO/IEC 14977:1996.
 */
export function parseEbnf(text: string, name = "ebnf"): ParsedGrammar {
  try {
    return fromCharacterRules(name, new EbnfReader(text).rules());
  } catch (fault) {
    if (fault instanceof NotationFault) return { issues: [issueOf(text, fault)] };
    throw fault;
  }
}

const blank = /(?:\s|\/\*.*?\*\/|\(\*.*?\*\)|\/\/[^\n]*)*/suy;
const defines = /::=|:=|=|->|→/y;
const ruleName = /<([^<>\n]+)>|[\p{L}_][\p{L}\p{N}_-]*/uy;
/** ISO names may contain blanks. */
const isoName = /[\p{L}_][\p{L}\p{N}_-]*(?: +[\p{L}_][\p{L}\p{N}_-]*)*/uy;

/** The text without `(* … *)`. Behind the last `*)` nothing is a comment. */
function withoutIsoComments(text: string): string {
  const end = text.lastIndexOf("*)") + "*)".length;
  return text.slice(0, end).replaceAll(/\(\*.*?\*\)/gs, "") + text.slice(end);
}

class EbnfReader {
  readonly #cursor: TextCursor;
  readonly #isIso: boolean;

  constructor(text: string) {
    this.#cursor = new TextCursor(text, blank);
    // Only ISO ends rules with a mark, and only ISO defines with `=` alone.
    this.#isIso = /^[ \t]*[\p{L}_][\p{L}\p{N} _-]*=(?!>)/mu.test(withoutIsoComments(text));
  }

  rules(): CharacterRule[] {
    const cursor = this.#cursor;
    const rules = new Map<string, CharacterRule>();
    while (!cursor.atEnd()) {
      const line = cursor.lineAt(cursor.offset);
      // The number of a rule, as in specifications of the W3C.
      cursor.match(/\[\d+\w?\]/y);
      const name = this.#name() ?? cursor.expected("a rule's name");
      if (cursor.match(defines) === undefined) cursor.expected("`::=`, `=` or `->`");
      const expression = this.#choice();
      const before = rules.get(name)?.expression;
      const both: CharacterExpression =
        before === undefined
          ? expression
          : { kind: "choice", items: [...alternativesOf(before), ...alternativesOf(expression)] };
      rules.set(name, { name, expression: both, line });
      if (!cursor.take(";") && !cursor.take(".") && this.#isIso) cursor.expected("`;`");
    }
    return [...rules.values()];
  }

  #name(): string | undefined {
    const found = this.#cursor.match(this.#isIso ? isoName : ruleName);
    return found && (found[1] ?? found[0]).trim().replaceAll(/\s+/g, " ");
  }

  #choice(): CharacterExpression {
    const cursor = this.#cursor;
    const items = [this.#sequence()];
    while (cursor.take("|") || (this.#isIso && (cursor.take("/") || cursor.take("!")))) items.push(this.#sequence());
    return items.length === 1 ? items[0]! : { kind: "choice", items };
  }

  #sequence(): CharacterExpression {
    const items: CharacterExpression[] = [];
    for (;;) {
      const item = this.#difference();
      if (item !== undefined) items.push(item);
      const goesOn = this.#isIso ? this.#cursor.take(",") : item !== undefined;
      if (!goesOn) return items.length === 1 ? items[0]! : { kind: "sequence", items };
    }
  }

  #difference(): CharacterExpression | undefined {
    const item = this.#counted();
    if (item === undefined || !/^-(?!>)/.test(this.#rest())) return item;
    const { offset } = this.#cursor;
    this.#cursor.take("-");
    const without = this.#counted();
    const [set, others] = [this.#setOf(item), without && this.#setOf(without)];
    if (set === undefined || others === undefined) {
      return this.#cursor.fail("Only characters can be left out of others: `A - B` wants a set on both sides.", offset);
    }
    return ofSet(sharedCharacters(set, otherCharacters(others)));
  }

  #rest(): string {
    this.#cursor.skip();
    return this.#cursor.text.slice(this.#cursor.offset, this.#cursor.offset + 2);
  }

  #counted(): CharacterExpression | undefined {
    const cursor = this.#cursor;
    const times = this.#isIso ? cursor.match(/(\d+)\s*\*/y) : undefined;
    let item = this.#item();
    if (item === undefined) return times === undefined ? undefined : cursor.expected("what is repeated");
    if (times !== undefined) {
      const count = Number(times[1]);
      if (count > maxRepetitions) cursor.fail(`A count goes up to ${maxRepetitions}.`, times.index);
      item = { kind: "repeat", item, min: count, max: count };
    }
    for (let marks = 0; ; marks++) {
      if (this.#isIso) return item;
      cursor.checkNesting(marks, cursor.offset - 1);
      if (cursor.take("*")) item = { kind: "repeat", item, min: 0, max: Number.POSITIVE_INFINITY };
      else if (cursor.take("+")) item = { kind: "repeat", item, min: 1, max: Number.POSITIVE_INFINITY };
      else if (cursor.take("?")) item = { kind: "repeat", item, min: 0, max: 1 };
      else return item;
    }
  }

  #item(): CharacterExpression | undefined {
    const cursor = this.#cursor;
    if (cursor.take("(")) return this.#closed(")");
    if (this.#isIso && cursor.take("[")) return { kind: "repeat", item: this.#closed("]"), min: 0, max: 1 };
    if (this.#isIso && cursor.take("{")) {
      return { kind: "repeat", item: this.#closed("}"), min: 0, max: Number.POSITIVE_INFINITY };
    }
    const quoted = cursor.match(/"([^"]*)"|'([^']*)'|“([^”]*)”/y);
    if (quoted !== undefined) {
      return { kind: "pattern", pattern: { kind: "text", text: quoted[1] ?? quoted[2] ?? quoted[3]! } };
    }
    if (cursor.sees('"') || cursor.sees("'")) cursor.fail("Close this text by the quote that opens it.");
    if (cursor.match(/ε|ɛ|ϵ|λ/uy) !== undefined) return { kind: "sequence", items: [] };
    const special = this.#isIso ? cursor.match(/\?([^?]*)\?/y) : undefined;
    if (special !== undefined) {
      const code = /^\s*(?:U\+|#x|0x)([0-9a-fA-F]{1,6})\s*$/.exec(special[1]!);
      if (code === null)
        return cursor.fail(
          "What stands between `?` is words for people; write a character as `? U+0041 ?`.",
          special.index,
        );
      return ofSet([this.#code(code[1]!, special.index), this.#code(code[1]!, special.index)]);
    }
    const code = cursor.match(/#x([0-9a-fA-F]{1,6})/y);
    if (code !== undefined) return ofSet([this.#code(code[1]!, code.index), this.#code(code[1]!, code.index)]);
    if (!this.#isIso && !this.#atRuleNumber() && cursor.take("[")) return this.#set();
    const digits = this.#isIso ? undefined : cursor.match(/\d+/y);
    if (digits !== undefined) return { kind: "pattern", pattern: { kind: "text", text: digits[0] } };
    return this.#symbol();
  }

  /** Whether a number in brackets at the start of a line is the number of the next rule. */
  #atRuleNumber(): boolean {
    this.#cursor.skip();
    const { text, offset } = this.#cursor;
    return (
      text[offset] === "[" &&
      /(?:^|\n)[ \t]*$/.test(text.slice(0, offset)) &&
      /^\[\d+\w?\]\s*[\p{L}_<]/u.test(text.slice(offset, offset + 80))
    );
  }

  #closed(mark: string): CharacterExpression {
    const item = this.#cursor.nested(this.#cursor.offset - 1, () => this.#choice());
    this.#cursor.expect(mark);
    return item;
  }

  /** A reference to a rule, unless the name begins the next rule. */
  #symbol(): CharacterExpression | undefined {
    const cursor = this.#cursor;
    cursor.skip();
    const { offset } = cursor;
    const name = this.#name();
    if (name === undefined) return undefined;
    const end = cursor.offset;
    if (!this.#isIso && cursor.match(defines) !== undefined) {
      cursor.offset = offset;
      return undefined;
    }
    cursor.offset = end;
    return { kind: "symbol", name };
  }

  #set(): CharacterExpression {
    const cursor = this.#cursor;
    const start = cursor.offset - 1;
    const negated = cursor.matchHere(/\^/y) !== undefined;
    const ranges: number[] = [];
    const one = (): number => {
      const found = cursor.matchHere(/#x([0-9a-fA-F]{1,6})|[^\n]/uy) ?? cursor.fail("Close this set by `]`.", start);
      return found[1] === undefined ? found[0].codePointAt(0)! : this.#code(found[1], found.index);
    };
    while (cursor.matchHere(/\]/y) === undefined) {
      const first = one();
      const last = cursor.matchHere(/-(?!\])/y) === undefined ? first : one();
      if (last < first) cursor.fail("A range goes from the lower character to the higher one.");
      ranges.push(first, last);
    }
    const set = characterSet(ranges);
    return ofSet(negated ? otherCharacters(set) : set);
  }

  #code(digits: string, offset: number): number {
    const code = Number.parseInt(digits, 16);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) this.#cursor.fail("There is no such character.", offset);
    return code;
  }

  /** The characters that an expression matches; `undefined` where it matches anything longer. */
  #setOf(expression: CharacterExpression): CharacterSet | undefined {
    if (expression.kind === "pattern") {
      const { pattern } = expression;
      if (pattern.kind === "characters") return pattern.set;
      if (pattern.kind !== "text" || Array.from(pattern.text).length !== 1) return undefined;
      return [pattern.text.codePointAt(0)!, pattern.text.codePointAt(0)!];
    }
    if (expression.kind !== "choice") return undefined;
    const sets = expression.items.map((item) => this.#setOf(item));
    return sets.every((set) => set !== undefined) ? characterSet(sets.flat()) : undefined;
  }
}

function alternativesOf(expression: CharacterExpression): readonly CharacterExpression[] {
  return expression.kind === "choice" ? expression.items : [expression];
}

function ofSet(set: CharacterSet): CharacterExpression {
  return { kind: "pattern", pattern: { kind: "characters", set } };
}
