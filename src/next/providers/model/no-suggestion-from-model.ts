import type { NoNextEditReason } from "../../engine/outcome.ts";
import type { ModelRequestEnd } from "./request-next-edits.ts";

/** Returns the reason for an empty answer of a model. */
export function noSuggestionFromModel(answer: ModelRequestEnd): NoNextEditReason {
  switch (answer.kind) {
    case "read":
      return { kind: "model-silent" };
    case "cut":
      return answer.why === "silent" ? { kind: "model-silent" } : { kind: "model-cut", why: answer.why };
    case "unreadable":
      return { kind: "model-unreadable", message: answer.message };
    case "failed":
      return { kind: "model-failed", code: answer.code, message: answer.message };
    case "timed-out":
      return answer;
    case "refused":
      return {
        kind: "model-not-asked",
        why: `The file contains ${answer.reason.mark}, which the model's format uses as a marker.`,
      };
    case "cannot":
      return { kind: "model-not-asked", why: answer.message };
  }
}
