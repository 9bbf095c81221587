import { expect, test } from "vitest";
import { noSuggestionFromModel } from "./model-request-queue.ts";
import type { ModelRequestEnd } from "./request-next-edits.ts";

test.each<[end: ModelRequestEnd, kind: string]>([
  [{ kind: "read" }, "model-silent"],
  [{ kind: "cut", why: "silent" }, "model-silent"],
  [{ kind: "cut", why: "length" }, "model-cut"],
  [{ kind: "cut", why: "content-filter" }, "model-cut"],
  [{ kind: "unreadable", message: "Hm." }, "model-unreadable"],
  [{ kind: "failed", code: "unreachable", message: "No." }, "model-failed"],
  [{ kind: "timed-out", afterMs: 5 }, "timed-out"],
  [{ kind: "refused", reason: { kind: "says-mark", mark: "<EDIT>" } }, "model-not-requested"],
  [{ kind: "cannot", message: "No." }, "model-not-requested"],
])("an answer that ended with %j gives the reason %s", (end, kind) =>
  expect(noSuggestionFromModel(end).kind).toBe(kind),
);
