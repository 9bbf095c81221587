import { anyCharacter, characterSet, otherCharacters } from "../lexing/character-set.ts";
import {
  type CharacterExpression,
  type CharacterRule,
  fromCharacterRules,
  maxRepetitions,
} from "./character-grammar.ts";
import type { ParsedGrammar } from "./emend-notation.ts";
import { issueOf, NotationFault, TextCursor } from "./text-cursor.ts";

/**
 * Parses a grammar in llama.cpp's GBNF: `root ::= "a" [0-9]+ | other`. A text that cannot be parsed
 * does not throw: the result has the error as one of its issues.
 *
 * Its terminals are characters, and `root` is the start. As in llama.cpp, a later definition of a
 * rule replaces an earlier one. Source: llama.cpp, grammars/README.md.
 */
export function parseGbnf(text: string, name = "gbnf"): ParsedGrammar {
  const reader = new GbnfReader(text);
  try {
    return fromCharacterRules(name, reader.rules(), "root");
  } catch (fault) {
    if (fault instanceof NotationFault) return { issues: [issueOf(text, fault)] };
    throw fault;
  }
}

const anyBlank = /(?:\s|#[^\n]*)*/y;
/** A rule continues on the next line only in a group, after `::=` and after `|`. */
const blankInLine = /(?:[ \t]|#[^\n]*)*/y;

class GbnfReader {
  readonly #cursor: TextCursor;

  constructor(text: string) {
    this.#cursor = new TextCursor(text, blankInLine);
  }

  rules(): CharacterRule[] {
    const cursor = this.#cursor;
    const rules = new Map<string, CharacterRule>();
    for (cursor.skip(anyBlank); !cursor.atEnd(); cursor.skip(anyBlank)) {
      const line = cursor.lineAt(cursor.offset);
      const name = cursor.match(/[A-Za-z0-9_-]+/y)?.[0] ?? cursor.expected("a rule's name");
      cursor.expect("::=");
      cursor.skip(anyBlank);
      rules.set(name, { name, expression: this.#choice(false), line });
      if (!cursor.atEnd() && cursor.match(/\r?\n/y) === undefined) cursor.expected("the end of the line or `|`");
    }
    return [...rules.values()];
  }

  #choice(inGroup: boolean): CharacterExpression {
    const items = [this.#sequence(inGroup)];
    while (this.#cursor.take("|")) {
      this.#cursor.skip(anyBlank);
      items.push(this.#sequence(inGroup));
    }
    return items.length === 1 ? items[0]! : { kind: "choice", items };
  }

  #sequence(inGroup: boolean): CharacterExpression {
    const cursor = this.#cursor;
    const items: CharacterExpression[] = [];
    for (;;) {
      if (inGroup) cursor.skip(anyBlank);
      let item = this.#item();
      if (item === undefined) return items.length === 1 ? items[0]! : { kind: "sequence", items };
      let marks = 0;
      for (let count = this.#count(); count !== undefined; count = this.#count()) {
        cursor.checkNesting(++marks, cursor.offset - 1);
        item = { kind: "repeat", item, min: count[0], max: count[1] };
      }
      items.push(item);
    }
  }

  #count(): readonly [min: number, max: number] | undefined {
    const cursor = this.#cursor;
    if (cursor.take("*")) return [0, Number.POSITIVE_INFINITY];
    if (cursor.take("+")) return [1, Number.POSITIVE_INFINITY];
    if (cursor.take("?")) return [0, 1];
    const { offset } = cursor;
    const counted = cursor.match(/\{\s*(\d+)\s*(,\s*(?:(\d+)\s*)?)?\}/y);
    if (counted === undefined) return undefined;
    const min = Number(counted[1]);
    const max =
      counted[2] === undefined ? min : counted[3] === undefined ? Number.POSITIVE_INFINITY : Number(counted[3]);
    if (max < min) cursor.fail("The larger number of a count comes last.", offset);
    if (min > maxRepetitions || (max > maxRepetitions && max !== Number.POSITIVE_INFINITY)) {
      cursor.fail(`A count goes up to ${maxRepetitions}.`, offset);
    }
    return [min, max];
  }

  #item(): CharacterExpression | undefined {
    const cursor = this.#cursor;
    if (cursor.take("(")) {
      const item = cursor.nested(cursor.offset - 1, () => this.#choice(true));
      cursor.expect(")");
      return item;
    }
    if (cursor.take('"')) return { kind: "pattern", pattern: { kind: "text", text: this.#text() } };
    if (cursor.take("[")) return this.#set();
    if (cursor.take(".")) return { kind: "pattern", pattern: { kind: "characters", set: anyCharacter } };
    const name = cursor.match(/[A-Za-z0-9_-]+/y);
    return name && { kind: "symbol", name: name[0] };
  }

  #text(): string {
    const { offset } = this.#cursor;
    let text = "";
    while (this.#cursor.matchHere(/"/y) === undefined) text += String.fromCodePoint(this.#character(offset, '"'));
    return text;
  }

  #set(): CharacterExpression {
    const cursor = this.#cursor;
    const { offset } = cursor;
    const negated = cursor.matchHere(/\^/y) !== undefined;
    const ranges: number[] = [];
    while (cursor.matchHere(/\]/y) === undefined) {
      const first = this.#character(offset, "]");
      const last = cursor.matchHere(/-(?!\])/y) === undefined ? first : this.#character(offset, "]");
      if (last < first) cursor.fail("A range goes from the lower character to the higher one.");
      ranges.push(first, last);
    }
    const set = characterSet(ranges);
    return { kind: "pattern", pattern: { kind: "characters", set: negated ? otherCharacters(set) : set } };
  }

  #character(start: number, closing: string): number {
    const cursor = this.#cursor;
    const found = cursor.matchHere(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([^xuU]))|[^\\]/suy);
    if (found === undefined || (found[0] === "\n" && closing === '"')) {
      const broken = cursor.text[cursor.offset] === "\\";
      return cursor.fail(
        broken
          ? "An escape is one of \\n \\t \\r \\xHH \\uHHHH \\UHHHHHHHH, or a mark."
          : `Close this by \`${closing}\`.`,
        broken ? cursor.offset : start - 1,
      );
    }
    const digits = found[1] ?? found[2] ?? found[3];
    const code = digits === undefined ? undefined : Number.parseInt(digits, 16);
    if (code !== undefined && (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))) {
      cursor.fail("There is no such character.", found.index);
    }
    return code ?? (escapes[found[4] ?? ""] ?? found[4] ?? found[0]).codePointAt(0)!;
  }
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
