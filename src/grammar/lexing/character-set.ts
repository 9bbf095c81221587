import type { CharacterSet, Pattern } from "./pattern.ts";

/** All characters that UTF-8 can encode: every code point but the surrogates. */
export const anyCharacter: CharacterSet = [0, 0xd7ff, 0xe000, 0x10ffff];

/**
 * The set of the code points in these inclusive ranges, `[first, last, first, last, ...]`, in any
 * order; they may overlap and touch. Surrogates are left out.
 */
export function characterSet(ranges: readonly number[]): CharacterSet {
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0; i < ranges.length; i += 2) {
    const [first, last] = [ranges[i]!, ranges[i + 1]!];
    if (first <= Math.min(last, 0xd7ff)) pairs.push([first, Math.min(last, 0xd7ff)]);
    if (Math.max(first, 0xe000) <= last) pairs.push([Math.max(first, 0xe000), last]);
  }
  pairs.sort((a, b) => a[0] - b[0]);
  const joined: number[] = [];
  for (const [first, last] of pairs) {
    const end = joined.length - 1;
    if (end > 0 && first <= joined[end]! + 1) joined[end] = Math.max(joined[end]!, last);
    else joined.push(first, last);
  }
  return joined;
}

/** The union of two sets. */
export function unionOfCharacters(a: CharacterSet, b: CharacterSet): CharacterSet {
  return characterSet([...a, ...b]);
}

/** The complement of `set`, without surrogates. */
export function otherCharacters(set: CharacterSet): CharacterSet {
  const others: number[] = [];
  let next = 0;
  for (let i = 0; i < set.length; i += 2) {
    if (next < set[i]!) others.push(next, set[i]! - 1);
    next = set[i + 1]! + 1;
  }
  if (next <= 0x10ffff) others.push(next, 0x10ffff);
  return characterSet(others);
}

/** The intersection of two sets. */
export function sharedCharacters(a: CharacterSet, b: CharacterSet): CharacterSet {
  const shared: number[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const first = Math.max(a[i]!, b[j]!);
    const last = Math.min(a[i + 1]!, b[j + 1]!);
    if (first <= last) shared.push(first, last);
    if (a[i + 1]! < b[j + 1]!) i += 2;
    else j += 2;
  }
  return shared;
}

/** Whether `character`, a code point, is in `set`. */
export function holdsCharacter(set: CharacterSet, character: number): boolean {
  let low = 0;
  let high = set.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (set[2 * middle + 1]! < character) low = middle + 1;
    else high = middle;
  }
  return 2 * low < set.length && set[2 * low]! <= character;
}

/**
 * The characters that `pattern` matches; `undefined` where it matches a text that is not a single
 * character.
 */
export function charactersOf(pattern: Pattern): CharacterSet | undefined {
  switch (pattern.kind) {
    case "characters":
      return pattern.set;
    case "text": {
      const [character, ...more] = Array.from(pattern.text, (text) => text.codePointAt(0)!);
      return character === undefined || more.length > 0 ? undefined : [character, character];
    }
    case "choice": {
      const sets = pattern.items.map(charactersOf);
      return sets.includes(undefined) ? undefined : characterSet(sets.flatMap((set) => set ?? []));
    }
    default:
      return undefined;
  }
}

/**
 * The characters with a Unicode property, such as `ID_Start`, `L` or `Script=Greek`; `undefined`
 * for an unknown property.
 *
 * The names and the version of Unicode are those of the JavaScript engine's regular expressions.
 */
export function unicodeProperty(name: string): CharacterSet | undefined {
  const known = properties.get(name);
  if (known !== undefined) return known;
  if (!/^\w+(=\w+)?$/.test(name)) return undefined;
  let runs: RegExp;
  try {
    runs = new RegExp(`\\p{${name}}+`, "gu");
  } catch {
    return undefined;
  }
  const set = charactersMatching(runs);
  properties.set(name, set);
  return set;
}

const properties = new Map<string, CharacterSet>();

/** The characters that `\s` of JavaScript matches: white space and line ends. */
export const whiteSpace: CharacterSet = charactersMatching(/\s+/gu);

/** All characters in the matches of `runs`, a global regular expression of the form `[class]+`. */
function charactersMatching(runs: RegExp): CharacterSet {
  const found: number[] = [];
  // In blocks, so that no match is a text of a million characters.
  for (let base = 0; base <= 0x10ffff; base += 0x4000) {
    let text = "";
    for (let character = base; character < base + 0x4000; character += 1) {
      // A space replaces a surrogate, which could combine with its neighbour. `characterSet` drops
      // its code point.
      text += character >= 0xd800 && character <= 0xdfff ? " " : String.fromCodePoint(character);
    }
    // Beyond the first plane each character takes two code units.
    const units = base < 0x10000 ? 1 : 2;
    for (const run of text.matchAll(runs)) {
      found.push(base + run.index / units, base + (run.index + run[0].length) / units - 1);
    }
  }
  return characterSet(found);
}
