import { expect, test } from "vitest";
import type { NextSilence } from "./outcome.ts";
import { printNextSilence } from "./print-next-silence.ts";

test.each<[reason: NextSilence, line: RegExp]>([
  [{ kind: "language-off", language: "go", setting: "enabled" }, /everywhere by next\.enabled/],
  [{ kind: "language-off", language: "go", setting: "languages.go" }, /for go by next\.languages\.go/],
  [{ kind: "secret-file", path: ".env" }, /^\.env may hold keys/],
  [{ kind: "ignored-file", path: "a.log", by: ".gitignore:1: *.log" }, /ignored by \.gitignore:1: \*\.log;/],
  [{ kind: "too-large", characters: 3_000_000, limit: 2_000_000 }, /3,000,000 characters, more than 2,000,000/],
  [{ kind: "rejected-lately", leftMs: 1_540 }, /another 1\.5 s/],
  [{ kind: "cancelled" }, /taken back/],
  [{ kind: "superseded" }, /newer request/],
  [{ kind: "hidden" }, /go back there/],
  [{ kind: "nothing-edited" }, /Nothing was edited/],
  [{ kind: "nothing-follows" }, /follows from the last edits/],
  [{ kind: "model-failed", code: "no-server", message: "It is\naway." }, /\(no-server\): It is away\./],
  [{ kind: "timed-out", afterMs: 10_000 }, /within 10\.0 s, the limit of next\.timeoutMs/],
  [{ kind: "model-silent" }, /nothing to change/],
  [{ kind: "model-withheld", reason: { kind: "rejected" } }, /withheld: it was rejected before\./],
  [{ kind: "model-cut", why: "length" }, /cut at its longest.*more length/],
  [{ kind: "model-cut", why: "content-filter" }, /held its answer back/],
  [{ kind: "model-unreadable", message: "A tag is open." }, /cannot be read: A tag is open\./],
  [{ kind: "model-not-asked", why: "The line is too long." }, /asked here: The line is too long\./],
])("%j", (reason, line) => {
  expect(printNextSilence(reason)).toMatch(line);
});
