import { expect, test } from "vitest";
import type { ServerSilence } from "./ghost-text-service.ts";
import { SilenceLog } from "./silence-log.ts";

test("a line for each change of reason, and none for what a newer request took the place of", () => {
  const lines: string[] = [];
  const log = new SilenceLog((line) => lines.push(line));
  const silent = (reason: ServerSilence) => log.take({ kind: "silent", reason });
  const few = (characters: number): ServerSilence => ({ kind: "too-little-context", characters, needed: 10 });

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
  silent({ kind: "stale-version", asked: 1, known: 2 });

  expect(lines.map((line) => line.replace(/^Nothing offered: /, "").slice(0, 40))).toEqual([
    "Only 1 character of text where 10 are ne",
    ".env may hold keys or passwords, so no m",
    "a.pem may hold keys or passwords, so no ",
    "The model failed (unreachable): no serve",
    "The model failed (unreachable): still no",
    "The editor asks about version 1 of a doc",
  ]);
});
