import { expect, test } from "vitest";
import {
  NoSuggestionLog,
  type ServerNoNextEditReason,
  type ServerNoSuggestionReason,
  tryRepeatAfterMs,
} from "./server-no-suggestion.ts";

test("logs a line for each change of reason, and none for superseded requests", () => {
  const lines: string[] = [];
  const log = new NoSuggestionLog((line) => lines.push(line));
  const silent = (reason: ServerNoSuggestionReason) => log.take(reason);
  const few = (characters: number): ServerNoSuggestionReason => ({
    kind: "too-little-context",
    characters,
    needed: 10,
  });

  silent(few(1));
  silent(few(2));
  silent({ kind: "superseded" });
  silent({ kind: "cancelled" });
  log.take(undefined);
  silent(few(3));
  silent({ kind: "secret-file", path: ".env" });
  silent({ kind: "secret-file", path: ".env" });
  silent({ kind: "secret-file", path: "a.pem" });
  silent({ kind: "model-failed", code: "unreachable", message: "no server" });
  silent({ kind: "model-failed", code: "unreachable", message: "still none" });
  silent({ kind: "stale-version", requested: 1, known: 2 });

  expect(lines.map((line) => line.replace(/^No suggestion: /, "").slice(0, 40))).toEqual([
    "Only 1 character of text where 10 are ne",
    ".env may hold keys or passwords, so no m",
    "a.pem may hold keys or passwords, so no ",
    "The model failed (unreachable): no serve",
    "The model failed (unreachable): still no",
    "The request is for version 1 of a docume",
  ]);
});

test("a request for a next edit is repeated where the reason for none passes by itself", () => {
  const cases: readonly (readonly [reason: ServerNoNextEditReason, afterMs: number | undefined])[] = [
    [{ kind: "cancelled" }, 300],
    [{ kind: "superseded" }, 300],
    [{ kind: "stale-version", requested: 1, known: 2 }, 300],
    [{ kind: "nothing-follows" }, undefined],
    [{ kind: "nothing-follows", leftOut: [{ kind: "types", characters: 2, limit: 1 }] }, undefined],
    [{ kind: "nothing-follows", leftOut: [{ kind: "types-opening" }] }, 1_000],
    [{ kind: "nothing-follows", leftOut: [{ kind: "types-late", limitMs: 1 }] }, 1_000],
    [{ kind: "nothing-follows", leftOut: [{ kind: "names", limitMs: 1 }] }, 1_000],
    [{ kind: "nothing-edited" }, undefined],
    [{ kind: "ghost-text-shown" }, undefined],
    // Another request to a model that is too slow would not end either.
    [{ kind: "timed-out", afterMs: 10_000 }, undefined],
  ];
  expect(cases.map(([reason]) => [reason, tryRepeatAfterMs(reason)])).toEqual(cases);
});
