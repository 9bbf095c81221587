import { specialTokens } from "./answers/special-tokens.ts";

/** Every limit and switch of the ghost text engine, complete: the engine has no second defaults. */
export interface GhostTextSettings {
  /** Where automatic ghost text is allowed. Invoked ghost text is allowed everywhere. */
  readonly switches: Switches;
  /** Whether it comes by itself in comments, and in strings. Both true. */
  readonly comments: boolean;
  readonly strings: boolean;
  /** The fewest UTF-16 units of a document with ghost text that comes by itself. 10. */
  readonly minDocumentCharacters: number;
  /** The most UTF-16 units of a document. 2,000,000. */
  readonly maxDocumentCharacters: number;
  /**
   * The least score, from 0 to 1, with which ghost text comes by itself; see `AcceptanceModel`.
   * 0.15.
   */
  readonly acceptanceThreshold: number;
  /** How long to wait for the next key before a request is sent. */
  readonly debounce: DebounceCurve;
  /** `auto`: one line or several, by the syntax of the place. `never`: always one line. */
  readonly multiLine: "auto" | "never";
  /** The most lines of a statement, and of a block that is filled. 8 and 16. */
  readonly maxStatementLines: number;
  readonly maxBlockLines: number;
  /** The most tokens a model may spend on each line. 40. */
  readonly tokensPerLine: number;
  /**
   * The most UTF-16 units of a line that a model writes: what comes behind them is not waited for.
   * 1000.
   */
  readonly maxLineCharacters: number;
  /** The most milliseconds to make a prompt in while a person types. 1200. */
  readonly promptMs: number;
  /**
   * The most milliseconds from asking a model to the end of its answer; where a person asked, also
   * to make the prompt. 15,000.
   */
  readonly timeoutMs: number;
  /**
   * After so many milliseconds of an answer of several lines the lines that are there will do.
   * 1500.
   */
  readonly patienceMs: number;
  /**
   * After so many milliseconds without an answer the draft of an instant model is offered instead.
   * 150.
   */
  readonly draftAfterMs: number;
  /** How long a request may continue without a waiting caller, in milliseconds. 1000. */
  readonly orphanMs: number;
  /**
   * A suggestion that the host never reports as shown counts as seen after so many milliseconds.
   * 400.
   */
  readonly seenAfterMs: number;
  /**
   * The names of models that answer within milliseconds: they are requested without a pause.
   * `builtin`.
   */
  readonly instantModels: readonly string[];
  /** The most answers that are remembered. 200. */
  readonly cacheEntries: number;
  /** The most UTF-16 units typed since the request for an answer. 500. */
  readonly lookBack: number;
  /** Whether the request for what comes after a suggestion is sent when it is shown. True. */
  readonly ahead: boolean;
  /** How freely a model chooses where several alternatives are wanted, from 0 to 2. 0.6. */
  readonly alternativesTemperature: number;
  /**
   * Whether answers are held to the language's grammar, where the text around the cursor is not
   * broken itself. `auto`: those of models that follow a guide while they write. `always`: those of
   * others too, which are cut where they leave it. `auto`.
   */
  readonly guide: "auto" | "off" | "always";
  /** Whether answers name only members that there are, where types are known. Off. */
  readonly members: "on" | "off";
  /**
   * Tokens that models use among themselves; no suggestion holds one. Those of all known families.
   */
  readonly specialTokens: readonly string[];
}

/**
 * Where ghost text is on or off. A folder's word counts more than a file type's, and that more than
 * a language's.
 */
export interface Switches {
  /** Whether it comes by itself at all; the others count only where it does. */
  readonly enabled: boolean;
  /** By the language's id; `*` is for those that are not named. */
  readonly languages: Readonly<Record<string, boolean>>;
  /** By the ending of the file's name, such as `.md`; the longest that fits counts. */
  readonly fileTypes: Readonly<Record<string, boolean>>;
  /**
   * By folders from the workspace's root, with `/`, such as `docs/old`; the longest that fits
   * counts.
   */
  readonly folders: Readonly<Record<string, boolean>>;
}

/**
 * The default settings. Prose is off: ghost text in it is less often right, and more in the way.
 */
export const defaultGhostTextSettings: GhostTextSettings = {
  switches: { enabled: true, languages: { "*": true, plaintext: false, markdown: false }, fileTypes: {}, folders: {} },
  comments: true,
  strings: true,
  minDocumentCharacters: 10,
  maxDocumentCharacters: 2_000_000,
  acceptanceThreshold: 0.15,
  debounce: { minMs: 25, spanMs: 250, middle: 0.3475, steepness: 7 },
  multiLine: "auto",
  maxStatementLines: 8,
  maxBlockLines: 16,
  tokensPerLine: 40,
  maxLineCharacters: 1000,
  promptMs: 1200,
  timeoutMs: 15_000,
  patienceMs: 1500,
  draftAfterMs: 150,
  orphanMs: 1000,
  seenAfterMs: 400,
  instantModels: ["builtin"],
  cacheEntries: 200,
  lookBack: 500,
  ahead: true,
  alternativesTemperature: 0.6,
  guide: "auto",
  members: "off",
  specialTokens,
};

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
