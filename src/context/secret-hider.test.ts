import { expect, test, vi } from "vitest";
import * as hiding from "./hide-secrets.ts";
import type { ContextPiece } from "./prompt.ts";
import { SecretHider } from "./secret-hider.ts";

const piece = (text: string, path = "a.ts", kind: ContextPiece["kind"] = "similar"): ContextPiece => ({
  ...{ kind, path, text, priority: 0.8 },
});

test("a piece without secrets is itself, and one with them says how many there were", () => {
  const hider = new SecretHider();
  const plain = piece("const a = 1;");
  expect(hider.hide(plain)).toBe(plain);
  expect(hider.hide(piece(`const password = "hunter2";`))).toEqual({
    ...piece(`const password = "…";`),
    hidden: 1,
  });
});

test("a text is looked through once, whatever its place in the prompt, while it is among the latest", () => {
  const look = vi.spyOn(hiding, "hideSecrets");
  const hider = new SecretHider(2);
  for (const text of ["a", "b", "a", "b"]) hider.hide(piece(text));
  hider.hide({ ...piece("a"), path: "b.ts", kind: "retrieved" });
  expect(look).toHaveBeenCalledTimes(2);
  for (const text of ["c", "d", "e", "f", "g"]) hider.hide(piece(text));
  expect(hider.size).toBeLessThanOrEqual(4);
  hider.hide(piece("a"));
  expect(look).toHaveBeenCalledTimes(8);
  look.mockRestore();
});

test("a name's value without quotes is told by the language of its file, also in a diff", () => {
  const hider = new SecretHider();
  expect(hider.hide(piece("password: hunter2", "a.yaml")).text).toBe("password: …");
  expect(hider.hide(piece("password: hunter2", "a.ts")).text).toBe("password: hunter2");
  const diff = (path: string, value: string) =>
    `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-password: hunter1\n+password: ${value}\n`;
  const hidden = diff("a.yml", "…").replace("hunter1", "…");
  expect(hider.hide(piece(diff("a.yml", "hunter2") + diff("a.ts", "hunter2"), "git diff", "git-diff"))).toEqual({
    ...piece(hidden + diff("a.ts", "hunter2"), "git diff", "git-diff"),
    hidden: 2,
  });
});
