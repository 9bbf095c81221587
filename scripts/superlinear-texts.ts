/**
 * Finds texts on which a regular expression takes time that grows faster than their length.
 *
 * The criterion is that of polynomial ambiguity of automata (Weber and Seidl 1991): two states that
 * each return to themselves with a word, the first of which also reaches the second with it. An
 * attempt at each place of a text is a state that returns to itself with every word, so that
 * openers without their end (`/*` in `/\/\*[\s\S]*?\*\//`) are found, too. Assertions are ignored
 * and alternatives with a back-reference left out, so that each word is then tried on the engine.
 */

import { createContext, Script } from "node:vm";
import { type CharSet, JS, NFA } from "refa";

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** Steps of the search for a word, for each pair of states. */
const maxSteps = 4_000;
/** States of an automaton beyond which only the first ones are compared. */
const maxStates = 400;

type State = NFA.ReadonlyNode;

/**
 * A text on which the pattern was measured to take more than linear time; `undefined` where none
 * was found.
 */
export function findSuperlinearText(pattern: Pattern): string | undefined {
  for (const { lead, pump } of candidatesOf(pattern)) {
    for (const word of new Set([pump, `${pump} `, ` ${pump}`, `\n${pump}`, `\r${pump}`, `${pump}\n`])) {
      for (const end of ["", "\n", "\0", "\n\0x", "\u{10ffff}"]) {
        if (isSuperlinear(pattern, (count) => lead + word.repeat(count) + end, word.length))
          return `${JSON.stringify(lead)} + ${JSON.stringify(word)}.repeat(n) + ${JSON.stringify(end)}`;
      }
    }
  }
  return undefined;
}

interface Candidate {
  readonly lead: string;
  readonly pump: string;
}

function candidatesOf(pattern: Pattern): readonly Candidate[] {
  let nfa: NFA;
  try {
    const parsed = JS.Parser.fromLiteral({ ...pattern, flags: pattern.flags.replace(/[dy]/g, "") }).parse({
      assertions: "ignore",
      backreferences: "disable",
    });
    nfa = NFA.fromRegex(parsed.expression, { maxCharacter: parsed.maxCharacter });
  } catch {
    return [];
  }
  const states = statesOf(nfa.initial);
  const components = componentsOf(states);
  const loops = [...components.keys()].filter((state) => isLoop(state, components));
  const leads = leadsOf(nfa.initial);
  const candidates = new Map<string, Candidate>();
  const add = (lead: string, pump: string | undefined) => {
    if (pump !== undefined) candidates.set(`${lead}\0${pump}`, { lead, pump });
  };
  const isAnchored = pattern.flags.includes("y") || (pattern.source.startsWith("^") && !pattern.flags.includes("m"));
  for (const usual of usualCharacters) {
    for (const second of loops) {
      if (!isAnchored) add("", wordBetween(undefined, nfa.initial, second, components, usual));
      for (const first of loops)
        if (first !== second) add(leads.get(first) ?? "", wordBetween(first, first, second, components, usual));
    }
  }
  return [...candidates.values()];
}

/**
 * A word that leads from `first` back to `first`, from `start` to `second`, and from `second` back
 * to `second`; without `first`, every word leads back.
 */
function wordBetween(
  first: State | undefined,
  start: State,
  second: State,
  components: ReadonlyMap<State, number>,
  usual: string,
): string | undefined {
  const isSame = (a: State, b: State) => components.get(a) === components.get(b);
  const ids = new Map<State, number>([...components.keys()].map((state, index) => [state, index]));
  const keyOf = (triple: Triple) => triple.map((state) => (state ? ids.get(state) : "")).join(",");
  type Triple = readonly [State | undefined, State, State];
  const queue: { readonly triple: Triple; readonly word: string }[] = [{ triple: [first, start, second], word: "" }];
  const seen = new Set([keyOf(queue[0]!.triple)]);
  for (let at = 0; at < queue.length && at < maxSteps; at += 1) {
    const { triple, word } = queue[at]!;
    const [one, middle, two] = triple;
    for (const [nextTwo, twoSet] of two.out) {
      if (!isSame(nextTwo, second)) continue;
      for (const [nextMiddle, middleSet] of middle.out) {
        const both = twoSet.intersect(middleSet);
        if (both.isEmpty) continue;
        for (const [nextOne, oneSet] of one?.out ?? [[undefined, both] as const]) {
          if (one && !isSame(nextOne!, first!)) continue;
          const all = both.intersect(oneSet);
          if (all.isEmpty) continue;
          const next: Triple = [nextOne, nextMiddle, nextTwo];
          const longer = word + characterOf(all, usual);
          if (nextOne === first && nextMiddle === second && nextTwo === second) return longer;
          const key = keyOf(next);
          if (seen.has(key)) continue;
          seen.add(key);
          queue.push({ triple: next, word: longer });
        }
      }
    }
  }
  return undefined;
}

/**
 * Characters of words, the first ones preferred: `\b` asks for a name in some patterns and for its
 * end in others.
 */
const usualCharacters = ["a0 \t\n", " \ta0\n"].map((first) => `${first}(<{["'/*-:=.,;#x`);

/** A character of a set, a usual one where there is one. */
function characterOf(set: CharSet, usual: string): string {
  const found = [...usual].find((character) => set.has(character.codePointAt(0)!));
  return found ?? String.fromCodePoint(set.ranges[0]!.min);
}

function statesOf(initial: State): readonly State[] {
  const states = new Set([initial]);
  for (const state of states) for (const next of state.out.keys()) if (states.size < maxStates) states.add(next);
  return [...states];
}

/** The shortest text that leads to each state. */
function leadsOf(initial: State): ReadonlyMap<State, string> {
  const leads = new Map([[initial, ""]]);
  for (const [state, lead] of leads)
    for (const [next, set] of state.out)
      if (!leads.has(next)) leads.set(next, lead + characterOf(set, usualCharacters[0]!));
  return leads;
}

/** The strongly connected component of each state (Tarjan 1972). */
function componentsOf(states: readonly State[]): ReadonlyMap<State, number> {
  const known = new Set(states);
  const components = new Map<State, number>();
  const order = new Map<State, number>();
  const stack: State[] = [];
  let count = 0;
  const visit = (state: State): number => {
    const own = order.size;
    order.set(state, own);
    stack.push(state);
    let low = own;
    for (const next of state.out.keys()) {
      if (!known.has(next)) continue;
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (!components.has(next)) low = Math.min(low, order.get(next)!);
    }
    if (low === own) {
      let last: State;
      do {
        last = stack.pop()!;
        components.set(last, count);
      } while (last !== state);
      count += 1;
    }
    return low;
  };
  for (const state of states) if (!order.has(state)) visit(state);
  return components;
}

function isLoop(state: State, components: ReadonlyMap<State, number>): boolean {
  return (
    state.out.has(state) ||
    [...components].some(([other, component]) => other !== state && component === components.get(state))
  );
}

const context = createContext({});
const script = new Script("pattern.lastIndex = 0; pattern.test(text)");
/**
 * A run longer than this can be compared with another; linear work on texts of {@link maxLength}
 * takes a tenth of it.
 */
const measurableMs = 15;
const maxLength = 70_000;
/** The least of so many runs counts, because some include the compilation of the pattern. */
const repeats = 6;
/** So long that a busy machine does not end a run of linear work. */
const timeoutMs = 1_500;

/** Whether the engine takes more than linear time on longer and longer texts. */
function isSuperlinear({ source, flags }: Pattern, textOf: (count: number) => string, pumpLength: number): boolean {
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, flags);
  } catch {
    return false;
  }
  // Processor time: on a busy machine a run is interrupted by other programs.
  const msFor = (length: number) => {
    Object.assign(context, { pattern, text: textOf(Math.ceil(length / pumpLength)) });
    const before = process.cpuUsage();
    try {
      script.runInContext(context, { timeout: timeoutMs });
    } catch {
      return Number.POSITIVE_INFINITY;
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  const least = (length: number) => {
    const first = msFor(length);
    if (first === Number.POSITIVE_INFINITY) return first;
    return Math.min(first, ...Array.from({ length: repeats }, () => msFor(length)));
  };
  for (let length = 64; length <= maxLength; length *= 4) {
    if (msFor(length) < measurableMs || least(length) < measurableMs) continue;
    // What a run costs at all hides the growth of short texts.
    if (least(length) > 7 * least(length / 4)) return true;
  }
  return false;
}
