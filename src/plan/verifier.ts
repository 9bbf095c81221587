import type { Finding } from "./verification/finding.ts";

/** The options of a run of {@link Verifier}. */
export interface VerifierRunOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * The files that differ from the previous run, relative to the root, for a command that can check
   * them alone.
   */
  readonly changedPaths?: readonly string[] | undefined;
}

/** The result of a verification command. */
export type VerifierResult =
  /** It succeeded without any finding. */
  | { readonly kind: "no-findings" }
  /**
   * It has findings; {@link isSuccess} decides whether it succeeded. Paths of findings are relative
   * to the workspace's root.
   */
  | {
      readonly kind: "findings";
      readonly findings: readonly Finding[];
      /** The number of findings that are not kept. */
      readonly leftOut: number;
      /** Lines of the output that could not be parsed: the first hundred, and their number. */
      readonly unread: { readonly count: number; readonly lines: readonly string[] };
      /** Whether the output is incomplete, so that there may be more findings. */
      readonly isCut: boolean;
      /** The end of the output, for people. */
      readonly tail: string;
    }
  /** It could not run, so nothing is known about the code. `message` is for people. */
  | {
      readonly kind: "failed";
      readonly reason: VerifierFailure;
      readonly message: string;
      readonly tail: string;
    }
  /** It timed out and was ended together with all that it started. */
  | { readonly kind: "timed-out"; readonly timeoutMs: number; readonly tail: string };

/**
 * Why a command could not run: there is no such program; the file is not executable; it could not
 * be started; it was killed or crashed; it failed and its output could not be parsed.
 */
export type VerifierFailure = "not-found" | "not-executable" | "not-started" | "killed" | "unreadable";

/**
 * A verification command: checks a workspace on the disk by a type checker, a build or tests.
 * Papers call it an _oracle_.
 */
export interface Verifier {
  /** Its name for people, which is its command. */
  readonly name: string;
  /** Runs the command. Rejects with the signal's reason and with nothing else. */
  run(options?: VerifierRunOptions): Promise<VerifierResult>;
}

/**
 * Whether a verification command succeeded: complete output without an error. Failures and timeouts
 * are no success.
 */
export function isSuccess(result: VerifierResult): boolean {
  if (result.kind === "findings") return errorsOf(result).length === 0 && !result.isCut;
  return result.kind === "no-findings";
}

/** The findings of severity `error`; none for other kinds of results. */
export function errorsOf(result: VerifierResult): readonly Finding[] {
  return result.kind === "findings" ? result.findings.filter(({ severity }) => severity === "error") : [];
}

/** A result in one line: `3 errors, 1 warning`, `no findings`, `stopped after 60 s`. */
export function printVerifierResult(result: VerifierResult): string {
  switch (result.kind) {
    case "no-findings":
      return "no findings";
    case "timed-out":
      return `stopped after ${result.timeoutMs / 1000} s`;
    case "failed":
      return `failed: ${result.message}`;
    case "findings": {
      const names = { error: "error", warning: "warning", info: "remark" } as const;
      const counts = (["error", "warning", "info"] as const).map((severity) => {
        const count = result.findings.filter((found) => found.severity === severity).length;
        return count === 0 ? "" : `${count} ${names[severity]}${count === 1 ? "" : "s"}`;
      });
      const more = result.leftOut > 0 ? `${result.leftOut} more` : "";
      const cut = result.isCut ? "the output is incomplete" : "";
      return [...counts, more, cut].filter((part) => part !== "").join(", ") || "no findings";
    }
  }
}
