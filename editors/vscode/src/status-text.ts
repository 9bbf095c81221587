/** What is known of the server and of the document that is looked at. */
export interface StatusFacts {
  readonly server: "starting" | "running" | "stopped" | "failed";
  /** Whether the workspace is being learnt. */
  readonly isLearning: boolean;
  /** How many files are learnt, where that is known. */
  readonly learning?: { readonly done: number; readonly of: number } | undefined;
  /** Why the last request was offered nothing; absent where something was. */
  readonly silence?: { readonly kind: string; readonly text: string } | undefined;
  /** A next edit that is to be seen, in a few words. */
  readonly nextEdit?: string | undefined;
  /** Whether the person has not trusted the workspace. */
  readonly isRestricted: boolean;
}

/** What the item of the status bar says. */
export interface StatusText {
  readonly text: string;
  readonly tooltip: string;
  readonly severity: "normal" | "warning" | "error";
}

/**
 * Reasons that stay until somebody does something; they are told beside the icon, others where one
 * asks for them.
 */
const lasting: Readonly<Record<string, string>> = {
  "language-off": "off here",
  "secret-file": "secret file",
  "ignored-file": "ignored file",
  "too-large": "too large",
  "not-text": "no text",
  "no-model": "no model",
  "model-failed": "model failed",
  "timed-out": "model too slow",
};

/** Those of them that somebody should look into. */
const faults = new Set(["no-model", "model-failed", "timed-out"]);

/**
 * What the status bar says: a failure before a next edit, that before a reason that lasts, that
 * before learning.
 */
export function statusText(facts: StatusFacts): StatusText {
  const { server, isLearning, learning, silence, nextEdit, isRestricted } = facts;
  const more = isRestricted ? "\n\nThe workspace is not trusted: its own settings are not used." : "";
  const say = (label: string, tooltip: string, severity: StatusText["severity"] = "normal", icon = "edit-sparkle") => ({
    ...{ text: `$(${icon}) Emend${label === "" ? "" : `: ${label}`}`, tooltip: tooltip + more, severity },
  });
  if (server === "failed")
    return say("failed", "The language server does not run. The log says why.", "error", "error");
  if (server === "stopped") return say("stopped", "The language server is stopped.", "warning", "circle-slash");
  if (server === "starting") return say("", "The language server starts.", "normal", "loading~spin");
  if (nextEdit !== undefined) return say(nextEdit, "Tab goes to it and accepts it, Escape rejects it.");
  const label = silence && lasting[silence.kind];
  if (silence !== undefined && label !== undefined) {
    const isFault = faults.has(silence.kind);
    return say(label, silence.text, isFault ? "warning" : "normal", isFault ? "warning" : "circle-slash");
  }
  if (isLearning) {
    const files = learning === undefined ? "" : ` ${learning.done} of ${learning.of} files are.`;
    return say("learning", `The workspace is being learnt.${files}`, "normal", "sync~spin");
  }
  if (silence !== undefined) return say("", `Nothing offered: ${silence.text}`);
  return say("", "Ready.");
}
