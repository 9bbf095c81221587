import { characterSet } from "../lexing/character-set.ts";
import { type CharacterClasses, type ParsedPattern, parsePattern, sequenceOf } from "../lexing/parse-pattern.ts";
import type { Pattern } from "../lexing/pattern.ts";

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
