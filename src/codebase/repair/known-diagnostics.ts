import type { TypeDiagnostic } from "../graph/reference.ts";

/**
 * What a checker said of a state, to tell what it says newly of another one. Findings are counted
 * for each key, such as their block and code: lines move, and messages name types that change.
 */
export class KnownDiagnostics {
  readonly #counts = new Map<string, number>();
  readonly #messages = new Map<string, number>();

  /** Findings without a key are left out, here and in what is asked about. */
  constructor(before: readonly TypeDiagnostic[], keyOf: (finding: TypeDiagnostic) => string | undefined) {
    for (const finding of before) {
      const key = keyOf(finding);
      if (key === undefined) continue;
      add(this.#counts, key);
      add(this.#messages, `${key}\n${finding.message}`);
    }
  }

  /**
   * The findings of which there were fewer; among those of one key not the ones that were there
   * word by word.
   */
  freshOf(
    found: readonly TypeDiagnostic[],
    keyOf: (finding: TypeDiagnostic) => string | undefined,
  ): readonly TypeDiagnostic[] {
    const groups = new Map<string, TypeDiagnostic[]>();
    for (const finding of found) {
      const key = keyOf(finding);
      if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), finding]);
    }
    return [...groups].flatMap(([key, group]) => {
      if (group.length <= (this.#counts.get(key) ?? 0)) return [];
      const left = new Map<string, number>();
      return group.filter(({ message }) => {
        const said = `${key}\n${message}`;
        const times = left.get(said) ?? this.#messages.get(said) ?? 0;
        left.set(said, times - 1);
        return times <= 0;
      });
    });
  }
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
