import type { AskEnd } from "./ask-model.ts";
import type { NextSilence } from "./outcome.ts";

/** Why a model has nothing to offer. */
export function modelSilence(answer: AskEnd): NextSilence {
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
        why: `The file says ${answer.reason.mark}, which the model's format uses as a mark.`,
      };
    case "cannot":
      return { kind: "model-not-asked", why: answer.message };
  }
}
