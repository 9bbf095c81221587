import { quotedCode } from "./message-text.ts";
import type { EmendStatusParams } from "./protocol.ts";

/** The state of the server and of the active document. */
export interface StatusFacts {
  readonly server: "starting" | "running" | "stopped" | "failed";
  /** Whether the workspace is being learnt. */
  readonly isLearning: boolean;
  /** The number of learnt files and of all files, if known. */
  readonly learning?: { readonly done: number; readonly of: number } | undefined;
  /** The reason for no suggestion of the last request; absent if there was one. */
  readonly noSuggestion?: EmendStatusParams["noSuggestion"] | undefined;
  /** The URI of the active document. */
  readonly activeUri?: string | undefined;
  /** The minutes for which automatic suggestions are snoozed; absent where they are not. */
  readonly snoozedMinutes?: number | undefined;
  /** The model whose last request failed, and why. */
  readonly failedModel?: EmendStatusParams["failedModel"];
  /** A short label of the shown next edit. */
  readonly nextEdit?: string | undefined;
  /** Whether the workspace is untrusted. */
  readonly isRestricted: boolean;
}

/** The texts of the status bar item. */
export interface StatusText {
  readonly text: string;
  readonly tooltip: string;
  readonly severity: "normal" | "warning" | "error";
}

/**
 * Labels of reasons that last until the user acts; they are shown next to the icon. All other
 * reasons are shown in the tooltip only.
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

/** Whether a kind of reason lasts until the user acts. */
export function isLasting(kind: string): boolean {
  return kind in lasting;
}

/** The lasting reasons that are shown as warnings. */
const faults = new Set(["no-model", "model-failed", "timed-out"]);

/**
 * The texts of the status bar item. Priority: a failure, a next edit, a snooze, a model that
 * is loading, a lasting reason for no suggestion, a failing model, learning. A model fails until
 * it answers; meanwhile the next model of the setting may have suggestions.
 */
export function statusText(facts: StatusFacts): StatusText {
  const { server, isLearning, learning, nextEdit, snoozedMinutes, failedModel, isRestricted } = facts;
  // A fault concerns all documents, another reason only that of the request.
  const isOfThis = faults.has(facts.noSuggestion?.kind ?? "") || facts.noSuggestion?.uri === facts.activeUri;
  const noSuggestion = isOfThis ? facts.noSuggestion : undefined;
  const more = isRestricted ? "\n\nThe workspace is not trusted: its settings are ignored." : "";
  const status = (
    label: string,
    tooltip: string,
    severity: StatusText["severity"] = "normal",
    icon = "edit-sparkle",
  ) => ({
    ...{ text: `$(${icon}) Emend${label === "" ? "" : `: ${label}`}`, tooltip: quotedCode(tooltip + more), severity },
  });
  if (server === "failed")
    return status("failed", "The language server is not running. See the log for the reason.", "error", "error");
  if (server === "stopped") return status("stopped", "The language server is stopped.", "warning", "circle-slash");
  if (server === "starting") return status("", "The language server is starting.", "normal", "loading~spin");
  if (nextEdit !== undefined) return status(nextEdit, "Tab goes to the next edit and accepts it, Escape rejects it.");
  if (snoozedMinutes !== undefined) {
    const tooltip = "Automatic suggestions are snoozed. Requests by key are not; the menu ends the snooze.";
    return status(`snoozed, ${snoozedMinutes} min`, tooltip, "normal", "bell-slash");
  }
  if (failedModel?.isLoading)
    return status(`loading ${failedModel.name}`, failedModel.problem, "normal", "loading~spin");
  const label = noSuggestion && lasting[noSuggestion.kind];
  if (noSuggestion !== undefined && label !== undefined) {
    const isFault = faults.has(noSuggestion.kind);
    return status(label, noSuggestion.text, isFault ? "warning" : "normal", isFault ? "warning" : "circle-slash");
  }
  if (failedModel !== undefined)
    return status("model failed", `${failedModel.name} failed. ${failedModel.problem}`, "warning", "warning");
  if (isLearning) {
    const files = learning === undefined ? "" : ` ${learning.done} of ${learning.of} files are learnt.`;
    return status("learning", `The workspace is being learnt.${files}`, "normal", "sync~spin");
  }
  if (noSuggestion !== undefined) return status("", `No suggestion: ${noSuggestion.text}`);
  return status("", "Ready.");
}
