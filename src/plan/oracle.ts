import type { Finding } from "./oracles/finding.ts";

/** What an oracle is asked. */
export interface OracleQuestion {
  readonly signal?: AbortSignal | undefined;
  /** The files that differ from the last time, from the workspace's root, for an oracle that can look at these alone. */
  readonly changedPaths?: readonly string[] | undefined;
}

/** What an oracle said. */
export type OracleVerdict =
  /** It is content, and has nothing to say at all. */
  | { readonly kind: "silent" }
  /**
   * It has something to say; whether it is content all the same, {@link isContent} tells. Paths of findings are from the
   * workspace's root.
   */
  | {
      readonly kind: "findings";
      readonly findings: readonly Finding[];
      /** How many more findings there were than are kept. */
      readonly leftOut: number;
      /** Lines of its output that mean nothing to Emend: the first hundred, and how many there are. */
      readonly unread: { readonly count: number; readonly lines: readonly string[] };
      /** Whether the output ended in the middle or was too long, so that there may be more. */
      readonly isCut: boolean;
      /** What it said last, for a person. */
      readonly tail: string;
    }
  /** It could not do its work, so nothing is known of the code. `message` says why and what to do about it. */
  | {
      readonly kind: "failed";
      readonly reason: OracleFailure;
      readonly message: string;
      readonly tail: string;
    }
  /** It was stopped, with all that it had started. */
  | { readonly kind: "timed-out"; readonly timeoutMs: number; readonly tail: string };

/**
 * Why an oracle could not do its work: its command is not there, or may not be run; it could not be started at all; it was
 * killed from outside or crashed; it ended badly and said nothing that can be read as a finding.
 */
export type OracleFailure = "not-found" | "not-executable" | "not-started" | "killed" | "unreadable";

/** Judges a workspace as it lies on the disk: a type checker, a build, tests. */
export interface Oracle {
  /** What a person calls it: its command. */
  readonly name: string;
  /** Rejects with the signal's own reason and with nothing else. */
  run(question?: OracleQuestion): Promise<OracleVerdict>;
}

/** Whether an oracle has no error to tell. What failed or was stopped is not content. */
export function isContent(verdict: OracleVerdict): boolean {
  if (verdict.kind === "findings") return errorsOf(verdict).length === 0 && !verdict.isCut;
  return verdict.kind === "silent";
}

/** The errors among what an oracle found. */
export function errorsOf(verdict: OracleVerdict): readonly Finding[] {
  return verdict.kind === "findings" ? verdict.findings.filter(({ severity }) => severity === "error") : [];
}

/** Prints a verdict on one line: `3 errors, 1 warning`, `silent`, `stopped after 60 s`. */
export function printVerdict(verdict: OracleVerdict): string {
  switch (verdict.kind) {
    case "silent":
      return "silent";
    case "timed-out":
      return `stopped after ${verdict.timeoutMs / 1000} s`;
    case "failed":
      return `failed: ${verdict.message}`;
    case "findings": {
      const names = { error: "error", warning: "warning", info: "remark" } as const;
      const counts = (["error", "warning", "info"] as const).map((severity) => {
        const count = verdict.findings.filter((found) => found.severity === severity).length;
        return count === 0 ? "" : `${count} ${names[severity]}${count === 1 ? "" : "s"}`;
      });
      const more = verdict.leftOut > 0 ? `${verdict.leftOut} more` : "";
      const cut = verdict.isCut ? "the output is cut" : "";
      return [...counts, more, cut].filter((part) => part !== "").join(", ") || "no findings";
    }
  }
}
