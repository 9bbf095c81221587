import { EmendError } from "../../text/index.ts";
import type { GrammarSource } from "../tables/grammar-source.ts";
import { ContextFreeGrammar, type Word } from "./context-free-grammar.ts";
import { FiniteAutomaton } from "./finite-automaton.ts";
import { type ContextFreeProduction, type ContextFreeSymbol, Spans } from "./spans.ts";

/** Options of {@link intersect}. */
export interface IntersectionOptions {
  /** The most productions of the result; default: 100,000. */
  readonly maxProductions?: number;
}

/**
 * The intersection of a context-free grammar and a finite automaton: the grammar of the words that
 * both accept.
 *
 * Its nonterminals are triples, printed `A_p_q`: the words of `A` that lead from state `p` to state
 * `q`. Only productive and reachable ones are made; their number still grows with the square of the
 * states, and the productions grow faster, so that this is for small grammars and short texts.
 * Throws an `EmendError` `intersection-too-large` as soon as there are more than `maxProductions`.
 * Source: Bar-Hillel, Perles and Shamir 1961; Hopcroft and Ullman 1979, theorem 6.5.
 */
export function intersect(
  grammar: ContextFreeGrammar,
  automaton: FiniteAutomaton,
  options: IntersectionOptions = {},
): ContextFreeGrammar {
  return new Intersection(grammar, automaton, options.maxProductions ?? 100_000).run();
}

/** Options of {@link fillLanguage}. */
export interface FillLanguageOptions extends IntersectionOptions {
  readonly prefix: Word;
  readonly suffix: Word;
  /**
   * The words that a filling consists of, in any number and order; default: the grammar's
   * terminals.
   */
  readonly vocabulary?: readonly Word[];
}

/**
 * The grammar of the words of `grammar` that begin with `prefix`, continue with words of the
 * vocabulary and end with `suffix`.
 *
 * A filling `x` is complete exactly if the language contains `prefix x suffix`; it is completable
 * exactly if the language for the prefix `prefix x` is not empty. A hole of the engine (`openHole`)
 * answers both without making a grammar, for whole programs. Source: Mündler 2024, "Leveraging
 * Constrained Sampling for Fill-In-the-Middle Code Completion".
 */
export function fillLanguage(
  grammar: ContextFreeGrammar | GrammarSource,
  { prefix, suffix, vocabulary, ...options }: FillLanguageOptions,
): ContextFreeGrammar {
  const plain = grammar instanceof ContextFreeGrammar ? grammar : ContextFreeGrammar.of(grammar);
  const words = (vocabulary ?? plain.terminals.map((terminal) => [terminal])).map((word) => [...word]);
  return intersect(plain, FiniteAutomaton.fill([...prefix], words, [...suffix]), options);
}

/** A symbol that leads from one state to another. */
interface Step {
  readonly symbol: ContextFreeSymbol;
  readonly from: number;
  readonly to: number;
}

class Intersection {
  readonly #grammar: ContextFreeGrammar;
  readonly #automaton: FiniteAutomaton;
  readonly #maxProductions: number;
  readonly #spans: Spans;
  readonly #found: ContextFreeProduction[] = [];
  /** The reachable triples so far, by name. */
  readonly #triples = new Map<string, Step>();

  constructor(grammar: ContextFreeGrammar, automaton: FiniteAutomaton, maxProductions: number) {
    this.#grammar = grammar;
    this.#automaton = automaton;
    this.#maxProductions = maxProductions;
    this.#spans = new Spans(grammar.productions, automaton);
  }

  run(): ContextFreeGrammar {
    const start = { kind: "nonterminal", name: this.#grammar.start } as const;
    const { name } = this.#symbolFor({ symbol: start, from: 0, to: this.#automaton.accepting });
    // The map grows during the loop.
    for (const [left, { symbol, from, to }] of this.#triples) {
      for (const { right } of this.#grammar.productionsOf.get(symbol.name) ?? []) this.#add(left, right, from, to);
    }
    return new ContextFreeGrammar(name, this.#found);
  }

  /** Adds a production for each path of `right` from one state to another. */
  #add(left: string, right: readonly ContextFreeSymbol[], from: number, to: number): void {
    const canReach = this.#leadingTo(right, to);
    const walk = (dot: number, state: number, steps: readonly Step[]): void => {
      if (dot === right.length) {
        if (this.#found.length === this.#maxProductions) throw this.#tooLarge();
        this.#found.push({ left, right: steps.map((step) => this.#symbolFor(step)) });
        return;
      }
      const symbol = right[dot]!;
      for (const end of this.#endsOf(symbol, state)) {
        if (canReach[dot + 1]!.has(end)) walk(dot + 1, end, [...steps, { symbol, from: state, to: end }]);
      }
    };
    if (canReach[0]!.has(from)) walk(0, from, []);
  }

  /**
   * For each position in `right`, the states from which the rest of it can lead to the state `to`.
   */
  #leadingTo(right: readonly ContextFreeSymbol[], to: number): readonly ReadonlySet<number>[] {
    const canReach: Set<number>[] = Array.from({ length: right.length + 1 }, () => new Set());
    canReach[right.length]!.add(to);
    for (let dot = right.length - 1; dot >= 0; dot--) {
      for (let state = 0; state < this.#automaton.stateCount; state++) {
        const ends = this.#endsOf(right[dot]!, state);
        if ([...ends].some((end) => canReach[dot + 1]!.has(end))) canReach[dot]!.add(state);
      }
    }
    return canReach;
  }

  #endsOf({ kind, name }: ContextFreeSymbol, from: number): ReadonlySet<number> {
    if (kind === "nonterminal") return this.#spans.endsOf(name, from);
    const steps = this.#automaton.transitions[from]!.filter(({ terminal }) => terminal === name);
    return new Set(steps.map(({ to }) => to));
  }

  /** The symbol of the intersection for a step. */
  #symbolFor(step: Step): ContextFreeSymbol {
    if (step.symbol.kind === "terminal") return step.symbol;
    const name = `${step.symbol.name}_${step.from}_${step.to}`;
    if (!this.#triples.has(name)) this.#triples.set(name, step);
    return { kind: "nonterminal", name };
  }

  #tooLarge(): EmendError {
    const states = this.#automaton.stateCount;
    const { productions } = this.#grammar;
    const nonterminals = productions.map(({ right }) => right.filter(({ kind }) => kind === "nonterminal").length);
    const most = nonterminals.reduce((sum, count) => sum + states ** (count + 1), 0);
    return new EmendError(
      "intersection-too-large",
      `The intersection has more than ${this.#maxProductions} productions: ${productions.length} of the grammar over ` +
        `${states} states can become as many as ${most.toExponential(1)}. Take a smaller grammar or a shorter text, or open a hole, ` +
        "which needs no such grammar.",
    );
  }
}
