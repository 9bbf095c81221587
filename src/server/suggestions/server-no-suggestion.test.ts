import { expect, test } from "vitest";
import type { ServerNoSuggestionReason } from "./ghost-text-service.ts";
import { NoSuggestionLog } from "./server-no-suggestion.ts";

test("logs a line for each change of reason, and none for superseded requests", () => {
  const lines: string[] = [];
  const log = new NoSuggestionLog((line) => lines.push(line));
  const silent = (reason: ServerNoSuggestionReason) => log.take({ kind: "no-suggestion", reason });
  const few = (characters: number): ServerNoSuggestionReason => ({
    kind: "too-little-context",
    characters,
    needed: 10,
  });

  silent(few(1));
  silent(few(2));
  silent({ kind: "superseded" });
  silent({ kind: "cancelled" });
  log.take({ kind: "offered", suggestions: [] });
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
