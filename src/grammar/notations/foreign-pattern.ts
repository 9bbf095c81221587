import { once } from "../../text/index.ts";
import { characterSet, otherCharacters, sharedCharacters, unicodeProperty } from "../lexing/character-set.ts";
import {
  type CharacterClasses,
  choiceOf,
  type ParsedPattern,
  parsePattern,
  sequenceOf,
} from "../lexing/parse-pattern.ts";
import type { CharacterSet, Pattern } from "../lexing/pattern.ts";

/**
 * Parses a regular expression of JavaScript, Rust or Python, as other grammar notations contain
 * them.
 *
 * Lazy repetitions and named groups are read as plain ones, since only the matched texts matter
 * here. `flags` may contain `i` (letters of either case) and `s` (`.` matches any character), other
 * flags are ignored; `classes` are the characters of `\d`, `\w` and `\s`, ASCII by default. For an
 * invalid expression, and for one that a pattern cannot express, such as look-around, the result
 * has `error` and `offset`, in UTF-16 code units of `source`; it does not throw.
 */
export function parseForeignPattern(source: string, flags = "", classes?: CharacterClasses): ParsedPattern {
  const inline = /^\(\?([a-z]+)\)/.exec(source);
  const allFlags = flags + (inline?.[1] ?? "");
  const skipped = inline?.[0].length ?? 0;
  const { text, offsets } = toOurs(source.slice(skipped));
  const lineEnds = allFlags.includes("s") ? [] : [0x0a, 0x0a];
  const parsed = parsePattern(text, undefined, lineEnds, classes);
  if ("error" in parsed) return { error: parsed.error, offset: skipped + (offsets[parsed.offset] ?? source.length) };
  return allFlags.includes("i") ? { pattern: ignoringCase(parsed.pattern) } : parsed;
}

/** `pattern` with each letter in either case, by the case mappings of Unicode. */
export function ignoringCase(pattern: Pattern): Pattern {
  switch (pattern.kind) {
    case "characters":
      return { kind: "characters", set: characterSet([...pattern.set, ...otherCases(pattern.set)]) };
    case "text":
      return sequenceOf(
        Array.from(pattern.text, (character): Pattern => {
          const code = character.codePointAt(0)!;
          const set = characterSet([code, code, ...otherCases([code, code])]);
          return set.length === 2 && set[0] === set[1]
            ? { kind: "text", text: character }
            : { kind: "characters", set };
        }),
      );
    case "sequence":
    case "choice":
      return { kind: pattern.kind, items: pattern.items.map(ignoringCase) };
    case "repeat":
      return { ...pattern, item: ignoringCase(pattern.item) };
  }
}

/** A range above this size contains whole alphabets, with both cases. */
const wholeAlphabets = 5000;

function otherCases(set: readonly number[]): number[] {
  const found: number[] = [];
  for (let i = 0; i < set.length; i += 2) {
    if (set[i + 1]! - set[i]! > wholeAlphabets) continue;
    for (let code = set[i]!; code <= set[i + 1]!; code++) {
      const character = String.fromCodePoint(code);
      for (const other of [character.toLowerCase(), character.toUpperCase()]) {
        const otherCode = other.codePointAt(0)!;
        if (otherCode !== code && other.length === (otherCode > 0xffff ? 2 : 1)) found.push(otherCode, otherCode);
      }
    }
  }
  return found;
}

/** The pieces of a regular expression; the named ones are written differently here. */
const pieces =
  /(?<kept>\\[pP]\{[^{}]*\}|\\u\{[0-9a-fA-F]+\}|\\.)|(?<named>\(\?P?<(?![=!])[^<>]*>)|(?<class>\[\^?\]?(?:[^\]\\]|\\.)*(?:\]|\\?$))|(?<count>[*+?]|\{\d+(?:,\d*)?\})[?+]?|(?<brace>[{}\]])|./gsu;

function toOurs(source: string): { text: string; offsets: number[] } {
  let text = "";
  const offsets: number[] = [];
  for (const piece of source.matchAll(pieces)) {
    const { named, count, brace, class: set } = piece.groups!;
    let ours = piece[0];
    if (named !== undefined) ours = "(";
    else if (count !== undefined) ours = count;
    else if (brace !== undefined) ours = `\\${brace}`;
    // A bracket at the start of a class is a member of it.
    else if (set !== undefined && /^\[\^?\]./s.test(set)) ours = set.replace("]", "\\]");
    for (let i = 0; i < ours.length; i++) offsets.push(piece.index);
    text += ours;
  }
  return { text, offsets };
}

/**
 * The characters of `\d`, `\w` and `\s` in Python, in all scripts. Source: the documentation of
 * Python's `re`, and `str.isalnum`, `str.isspace`.
 */
const pythonClasses = once(
  (): CharacterClasses => ({
    digits: unicodeProperty("Nd")!,
    word: characterSet([...unicodeProperty("L")!, ...unicodeProperty("N")!, 0x5f, 0x5f]),
    space: characterSet([
      ...[0x09, 0x0d, 0x1c, 0x20, 0x85, 0x85, 0xa0, 0xa0, 0x1680, 0x1680],
      ...[0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000],
    ]),
  }),
);

/** The pieces of a pattern, to find lazy and possessive repetitions. */
const pythonPieces = /\\.|\[\^?\]?(?:[^\]\\]|\\.)*(?:\]|\\?$)|(?<count>[*+?]|\{\d+(?:,\d*)?\})(?<mode>[?+])|./gsu;

/**
 * Plain characters, a lazy repetition of one character class, and the one or two characters that
 * end it.
 */
const lazyForm =
  /^((?:\\\W|[^\\[\](){}.*+?^$|])*)(\.|\[\^?\]?(?:[^\]\\]|\\.)*\])\*\?((?:\\\W|[^\\[\](){}.*+?^$|]){1,2})$/su;

/**
 * Parses a regular expression of Python. `X*?` is supported where one or two given characters
 * follow and end the pattern, as in `".*?"`. Any other lazy or possessive repetition is an error,
 * since the lexer takes the longest match.
 */
export function parsePythonPattern(source: string, flags: string): ParsedPattern {
  for (const { index, groups } of source.matchAll(pythonPieces)) {
    const mode = groups!["mode"];
    if (mode === undefined) continue;
    const lazy = tryLazy(source, flags);
    if (lazy !== undefined) return { pattern: lazy };
    const kind = mode === "?" ? "lazy" : "possessive";
    const error = `Write \`${source.slice(index, index + groups!["count"]!.length + 1)}\` another way, such as \`[^"]*\` before \`"\`: the longest match counts here, and a ${kind} repetition asks for another`;
    return { error, offset: index };
  }
  return parseForeignPattern(source, flags, pythonClasses());
}

function tryLazy(source: string, flags: string): Pattern | undefined {
  const [, start, item, end] = lazyForm.exec(source) ?? [];
  if (start === undefined || item === undefined || end === undefined || /[ix]/.test(flags)) return undefined;
  const read = (text: string): Pattern | undefined => {
    const parsed = parseForeignPattern(text, flags, pythonClasses());
    return "pattern" in parsed ? parsed.pattern : undefined;
  };
  const [before, repeated, closing] = [read(start), read(item), read(end)];
  if (before === undefined || repeated?.kind !== "characters" || closing?.kind !== "text") return undefined;
  const [first, second, ...more] = Array.from(closing.text, (character) => character.codePointAt(0)!);
  if (first === undefined || more.length > 0 || first === second) return undefined;
  return sequenceOf([before, untilFirst(repeated.set, first, second)]);
}

/**
 * Characters of `set` up to the first occurrence of `first`, and of `second` right behind it if
 * given.
 */
function untilFirst(set: CharacterSet, first: number, second: number | undefined): Pattern {
  const without = (...codes: number[]): Pattern => ({
    kind: "characters",
    set: sharedCharacters(set, otherCharacters(characterSet(codes.flatMap((code) => [code, code])))),
  });
  const many = (item: Pattern, min: number): Pattern => ({ kind: "repeat", item, min, max: Number.POSITIVE_INFINITY });
  const text = (code: number): Pattern => ({ kind: "text", text: String.fromCodePoint(code) });
  if (second === undefined) return sequenceOf([many(without(first), 0), text(first)]);
  const isRepeated = sharedCharacters(set, [first, first]).length > 0;
  const firsts = isRepeated ? many(text(first), 1) : text(first);
  const others = isRepeated ? choiceOf([without(first), sequenceOf([firsts, without(first, second)])]) : without(first);
  return sequenceOf([many(others, 0), firsts, text(second)]);
}
