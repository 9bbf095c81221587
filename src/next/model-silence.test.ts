import { expect, test } from "vitest";
import type { AskEnd } from "./ask-model.ts";
import { modelSilence } from "./model-silence.ts";

test.each<[end: AskEnd, kind: string]>([
  [{ kind: "read" }, "model-silent"],
  [{ kind: "cut", why: "silent" }, "model-silent"],
  [{ kind: "cut", why: "length" }, "model-cut"],
  [{ kind: "cut", why: "content-filter" }, "model-cut"],
  [{ kind: "unreadable", message: "Hm." }, "model-unreadable"],
  [{ kind: "failed", code: "unreachable", message: "No." }, "model-failed"],
  [{ kind: "timed-out", afterMs: 5 }, "timed-out"],
  [{ kind: "refused", reason: { kind: "says-mark", mark: "<EDIT>" } }, "model-not-asked"],
  [{ kind: "cannot", message: "No." }, "model-not-asked"],
])("%j is told as %s", (end, kind) => expect(modelSilence(end).kind).toBe(kind));
