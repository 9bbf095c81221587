/** A transition over `terminal` to the state `to`. */
export interface Transition {
  readonly terminal: string;
  readonly to: number;
}

/**
 * A nondeterministic finite automaton without empty transitions. It starts in state 0, and accepts
 * a word that can lead to the state `accepting`.
 */
export class FiniteAutomaton {
  readonly accepting: number;
  /** The transitions from each state. */
  readonly transitions: readonly (readonly Transition[])[];

  constructor(accepting: number, transitions: readonly (readonly Transition[])[]) {
    this.accepting = accepting;
    this.transitions = transitions;
  }

  /** The automaton of all words over `terminals`. */
  static anyWord(terminals: readonly string[]): FiniteAutomaton {
    return new FiniteAutomaton(0, [terminals.map((terminal) => ({ terminal, to: 0 }))]);
  }

  /** The automaton of one word. */
  static word(terminals: readonly string[]): FiniteAutomaton {
    const steps = terminals.map((terminal, i) => [{ terminal, to: i + 1 }]);
    return new FiniteAutomaton(terminals.length, [...steps, []]);
  }

  /**
   * The automaton of `prefix`, any number of words of `vocabulary` in any order, and `suffix`.
   *
   * States 0 to the length of `prefix` are the positions in it, the last of them the hole; then
   * come the positions in `suffix`, then those inside of words. An empty word adds nothing.
   */
  static fill(
    prefix: readonly string[],
    vocabulary: readonly (readonly string[])[],
    suffix: readonly string[],
  ): FiniteAutomaton {
    const hole = prefix.length;
    const accepting = hole + suffix.length;
    const transitions: Transition[][] = Array.from({ length: accepting + 1 }, () => []);
    for (const [i, terminal] of [...prefix, ...suffix].entries()) transitions[i]!.push({ terminal, to: i + 1 });
    for (const word of vocabulary) {
      let state = hole;
      for (const [i, terminal] of word.entries()) {
        const to = i + 1 === word.length ? hole : transitions.push([]) - 1;
        transitions[state]!.push({ terminal, to });
        state = to;
      }
    }
    return new FiniteAutomaton(accepting, transitions);
  }

  get stateCount(): number {
    return this.transitions.length;
  }
}
