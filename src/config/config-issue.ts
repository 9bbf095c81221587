import type { Origin } from "./entries.ts";

/**
 * What is wrong with the configuration. The message is one line: the key, where it came from, and
 * what to write.
 *
 * An `error` is a mistake; the setting is left as if it were not there. A `warning` is a setting of
 * a workspace that is not trusted, put aside.
 */
export interface ConfigIssue {
  readonly code:
    | "unknown-key"
    | "wrong-value"
    | "key-in-file"
    | "not-trusted"
    | "not-yours"
    | "several-files"
    | "unreadable-file"
    | "broken-file"
    | "failed-file";
  readonly severity: "error" | "warning";
  /** Such as `complete.maxLines`; absent where a whole file is meant. */
  readonly key?: string;
  readonly origin: Origin;
  readonly message: string;
}
