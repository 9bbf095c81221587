import { characterSet, otherCharacters, sharedCharacters, unicodeProperty } from "../lexing/character-set.ts";
import { type CharacterClasses, choiceOf, type ParsedPattern, sequenceOf } from "../lexing/parse-pattern.ts";
import type { CharacterSet, Pattern } from "../lexing/pattern.ts";
import { parseForeignPattern } from "./foreign-pattern.ts";

/**
 * What `\d`, `\w` and `\s` stand for in Python: characters of all scripts.
 * Source: the documentation of Python's `re`, and `str.isalnum`, `str.isspace`.
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

/** Finds what takes long when it is first needed. */
function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

/** The pieces of a pattern among which a lazy or possessive repetition is looked for. */
const pieces = /\\.|\[\^?\]?(?:[^\]\\]|\\.)*(?:\]|\\?$)|(?<count>[*+?]|\{\d+(?:,\d*)?\})(?<mode>[?+])|./gsu;

/**
 * Plain characters, then one character of a set any number of times but as seldom as possible, then
 * the one or two that end it.
 */
const lazyForm =
  /^((?:\\\W|[^\\[\](){}.*+?^$|])*)(\.|\[\^?\]?(?:[^\]\\]|\\.)*\])\*\?((?:\\\W|[^\\[\](){}.*+?^$|]){1,2})$/su;

/**
 * Reads a regular expression of Python. `X*?` is read where it ends at the first one or two given
 * characters, as in `".*?"`; any other lazy or possessive repetition is an error: the lexer here
 * finds the longest match.
 */
export function parsePythonPattern(source: string, flags: string): ParsedPattern {
  for (const { index, groups } of source.matchAll(pieces)) {
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
 * Characters of `set` up to the first place where `first`, and `second` behind it if there is one,
 * stand.
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
