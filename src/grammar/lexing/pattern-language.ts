import { characterSet, sharedCharacters } from "./character-set.ts";
import { choiceOf, sequenceOf } from "./parse-pattern.ts";
import type { CharacterSet, Pattern } from "./pattern.ts";

/** Whether `pattern` matches the empty text. */
export function matchesEmpty(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case "characters":
      return false;
    case "text":
      return pattern.text === "";
    case "sequence":
      return pattern.items.every(matchesEmpty);
    case "choice":
      return pattern.items.some(matchesEmpty);
    case "repeat":
      return pattern.min === 0 || matchesEmpty(pattern.item);
  }
}

/** A pattern for the non-empty texts of `pattern`; `undefined` where there are none. */
export function withoutEmpty(pattern: Pattern): Pattern | undefined {
  if (!matchesEmpty(pattern)) return pattern;
  switch (pattern.kind) {
    case "choice": {
      const items = pattern.items.flatMap((item) => withoutEmpty(item) ?? []);
      return items.length === 0 ? undefined : choiceOf(items);
    }
    case "repeat": {
      const item = withoutEmpty(pattern.item);
      if (item === undefined || pattern.max === 0) return undefined;
      return pattern.max === 1 ? item : { kind: "repeat", item, min: 1, max: pattern.max };
    }
    case "sequence": {
      // The first part that is not empty is one of the items.
      const items = pattern.items.flatMap((item, i) => {
        const first = withoutEmpty(item);
        return first === undefined ? [] : [sequenceOf([first, ...pattern.items.slice(i + 1)])];
      });
      return items.length === 0 ? undefined : choiceOf(items);
    }
    default:
      return undefined;
  }
}

/**
 * Whether some text is matched by both patterns as a whole. Counts above 64 are treated as
 * unlimited.
 */
export function patternsOverlap(a: Pattern, b: Pattern): boolean {
  const [left, right] = [automatonOf(a), automatonOf(b)];
  const width = right.length;
  const seen = new Set([0]);
  const work = [0];
  const visit = (pair: number) => {
    if (seen.has(pair)) return;
    seen.add(pair);
    work.push(pair);
  };
  for (let pair = work.pop(); pair !== undefined; pair = work.pop()) {
    const [i, j] = [Math.floor(pair / width), pair % width];
    const [x, y] = [left[i]!, right[j]!];
    if (x.isEnd && y.isEnd) return true;
    for (const next of x.epsilon) visit(next * width + j);
    for (const next of y.epsilon) visit(i * width + next);
    for (const [set, next] of x.steps) {
      for (const [other, after] of y.steps) {
        if (sharedCharacters(set, other).length > 0) visit(next * width + after);
      }
    }
  }
  return false;
}

/** A state of a nondeterministic automaton over characters; state 0 is where it starts. */
interface State {
  isEnd: boolean;
  readonly epsilon: number[];
  readonly steps: (readonly [set: CharacterSet, next: number])[];
}

/** Optional repetitions beyond this count are treated as unlimited. */
const maxCopies = 64;

function automatonOf(pattern: Pattern): readonly State[] {
  const states: State[] = [];
  const add = () => states.push({ isEnd: false, epsilon: [], steps: [] }) - 1;
  const build = (pattern: Pattern, from: number): number => {
    switch (pattern.kind) {
      case "characters": {
        const to = add();
        states[from]!.steps.push([pattern.set, to]);
        return to;
      }
      case "text":
        return Array.from(pattern.text).reduce((at, character) => {
          const to = add();
          const code = character.codePointAt(0)!;
          states[at]!.steps.push([characterSet([code, code]), to]);
          return to;
        }, from);
      case "sequence":
        return pattern.items.reduce((at, item) => build(item, at), from);
      case "choice": {
        const to = add();
        for (const item of pattern.items) states[build(item, from)]!.epsilon.push(to);
        return to;
      }
      case "repeat": {
        let at = from;
        for (let i = 0; i < Math.min(pattern.min, maxCopies); i++) at = build(pattern.item, at);
        if (pattern.max - pattern.min > maxCopies) {
          const loop = add();
          states[at]!.epsilon.push(loop);
          states[build(pattern.item, loop)]!.epsilon.push(loop);
          return loop;
        }
        const to = add();
        for (let i = pattern.min; i < pattern.max; i++) {
          states[at]!.epsilon.push(to);
          at = build(pattern.item, at);
        }
        states[at]!.epsilon.push(to);
        return to;
      }
    }
  };
  states[build(pattern, add())]!.isEnd = true;
  return states;
}
