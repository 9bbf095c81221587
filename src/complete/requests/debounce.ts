/** How the debounce time depends on the acceptance score. */
export interface DebounceCurve {
  /** The debounce time for a score of 1, in milliseconds. 25. */
  readonly minMs: number;
  /** How much longer it is for a score of 0, in milliseconds. 250. */
  readonly spanMs: number;
  /** The score at which half of the span is waited, from 0 to 1. 0.3475. */
  readonly middle: number;
  /** How sharply the wait falls around the middle. 7. */
  readonly steepness: number;
}

/**
 * How long to wait for another key before a request to a model, in milliseconds: `minMs + spanMs`
 * for a score of 0, half of the span for the score `middle`, and the less the higher the score.
 *
 * `score` is from 0 to 1. Source: GitHub Copilot's debounce prediction as it was read in 2023.
 */
export function debounceMs(score: number, { minMs, spanMs, middle, steepness }: DebounceCurve): number {
  return minMs + spanMs / (1 + (score / middle) ** steepness);
}
