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
 * Reads a regular expression of JavaScript, Rust or Python, as the grammars of others hold them.
 *
 * Lazy and named groups mean what plain ones do, since only what is matched counts here. `flags`
 * may hold `i` (letters of either case) and `s` (`.` is any character); `classes` are what `\d`,
 * `\w` and `\s` stand for, in ASCII by default. Other flags change nothing that there is. What a
 * pattern cannot say, such as look-around, is an error.
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

/** `pattern` with each letter in either case. */
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

/** Past this size a range holds whole alphabets, both cases of them. */
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

/** The pieces of a regular expression that are written another way here. */
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
    // A bracket that comes first in a class is itself.
    else if (set !== undefined && /^\[\^?\]./s.test(set)) ours = set.replace("]", "\\]");
    for (let i = 0; i < ours.length; i++) offsets.push(piece.index);
    text += ours;
  }
  return { text, offsets };
}

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
const pythonPieces = /\\.|\[\^?\]?(?:[^\]\\]|\\.)*(?:\]|\\?$)|(?<count>[*+?]|\{\d+(?:,\d*)?\})(?<mode>[?+])|./gsu;

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
