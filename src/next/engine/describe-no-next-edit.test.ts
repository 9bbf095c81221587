import { expect, test } from "vitest";
import { describeNoNextEdit } from "./describe-no-next-edit.ts";
import type { NoNextEditReason } from "./outcome.ts";

test.each<[reason: NoNextEditReason, line: RegExp]>([
  [{ kind: "language-off", language: "go", setting: "enabled" }, /everywhere by next\.enabled/],
  [{ kind: "language-off", language: "go", setting: "languages.go" }, /for go by next\.languages\.go/],
  [{ kind: "secret-file", path: ".env" }, /^\.env may contain keys/],
  [{ kind: "ignored-file", path: "a.log", by: ".gitignore:1: *.log" }, /ignored by \.gitignore:1: \*\.log;/],
  [{ kind: "too-large", characters: 3_000_000, limit: 2_000_000 }, /3,000,000 characters, more than 2,000,000/],
  [{ kind: "rejected-lately", leftMs: 1_540 }, /another 1\.5 s/],
  [{ kind: "cancelled" }, /was cancelled/],
  [{ kind: "superseded" }, /newer request/],
  [{ kind: "hidden" }, /move back there/],
  [{ kind: "nothing-edited" }, /no recent edit/],
  [{ kind: "nothing-follows" }, /follows from the recent edits/],
  [{ kind: "model-failed", code: "no-server", message: "It is\naway." }, /\(no-server\): It is away\./],
  [{ kind: "timed-out", afterMs: 10_000 }, /within 10\.0 s, the limit of next\.timeoutMs/],
  [{ kind: "model-silent" }, /proposes no change/],
  [{ kind: "model-withheld", reason: { kind: "rejected" } }, /filtered out: it was rejected before\./],
  [{ kind: "model-cut", why: "length" }, /length limit.*raise the limit/],
  [{ kind: "model-cut", why: "content-filter" }, /content filter/],
  [{ kind: "model-unreadable", message: "A tag is open." }, /cannot be read: A tag is open\./],
  [{ kind: "model-not-asked", why: "The line is too long." }, /sent to the model: The line is too long\./],
])("describeNoNextEdit(%j)", (reason, line) => {
  expect(describeNoNextEdit(reason)).toMatch(line);
});
