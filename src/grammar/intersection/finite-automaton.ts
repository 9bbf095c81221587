/** A step of an automaton: `terminal` leads on to the state `to`. */
export interface Transition {
  readonly terminal: string;
  readonly to: number;
}

/**
 * A nondeterministic finite automaton without empty steps. It starts in state 0; a word belongs to
 * its language when it can lead to `accepting`.
 */
export class FiniteAutomaton {
  readonly accepting: number;
  /** The steps from each state. */
  readonly transitions: readonly (readonly Transition[])[];

  constructor(accepting: number, transitions: readonly (readonly Transition[])[]) {
    this.accepting = accepting;
    this.transitions = transitions;
  }

  /** That of all words of `terminals`. */
  static anyWord(terminals: readonly string[]): FiniteAutomaton {
    return new FiniteAutomaton(0, [terminals.map((terminal) => ({ terminal, to: 0 }))]);
  }

  /** That of one word. */
  static word(terminals: readonly string[]): FiniteAutomaton {
    const steps = terminals.map((terminal, i) => [{ terminal, to: i + 1 }]);
    return new FiniteAutomaton(terminals.length, [...steps, []]);
  }

  /**
   * That of `prefix`, then words of `vocabulary` in any number and order, then `suffix`.
   *
   * States 0 to the length of `prefix` are its places, the last of them the hole; then come those
   * within `suffix`, and then those within words of the vocabulary. An empty word adds nothing.
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
