import type { ModelFailure } from "../../model/index.ts";

/**
 * The state of the server for a status bar: the notification `emend/didChangeStatus`. It is sent
 * where the client passed `emendStatus: true` in its `initializationOptions`, once at the beginning
 * and then at each change, at most every 250 ms.
 */
export interface EmendStatusParams {
  /**
   * `warning`: a problem prevents suggestions and a person can solve it. `inactive`: switched off,
   * or the file is excluded.
   */
  readonly kind: "normal" | "warning" | "inactive";
  /** Whether the server is working in the background. */
  readonly busy: boolean;
  /**
   * The minutes for which automatic suggestions are snoozed, rounded up; absent where they are not.
   */
  readonly snoozedMinutes?: number;
  /** A message in one line; empty where there is none. */
  readonly message: string;
  /**
   * How many files were learnt, of all sessions that learn; absent where none does, or the total is
   * not known yet.
   */
  readonly learning?: { readonly done: number; readonly of: number };
  /**
   * The first model whose last request failed, with one line that contains what helps; absent where
   * there is none. `isLoading`: its server is still loading it.
   */
  readonly failedModel?: {
    readonly name: string;
    readonly problem: string;
    /** The kind of the failure. */
    readonly failure: ModelFailure;
    readonly isLoading: boolean;
  };
  /**
   * The first model of the settings that takes instructions, as people are shown it; `null` where
   * there is none, so that an edit needs the answer of a chat. A model that has shown that it
   * cannot chat is none. Absent until the settings are read.
   */
  readonly editModel?: string | null;
  /** The problems of the configuration, one line each; absent where there are none. */
  readonly issues?: readonly string[];
  /**
   * Those of the issues about settings that do not count, because the workspace is not trusted;
   * absent where there are none.
   */
  readonly untrustedIssues?: readonly string[];
  /**
   * Why the last request for ghost text had no suggestion, and its document; absent where it had
   * one.
   */
  readonly noSuggestion?: { readonly kind: string; readonly text: string; readonly uri: string };
}
