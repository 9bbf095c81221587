import { expect, test, vi } from "vitest";
import * as hiding from "./hide-secrets.ts";
import type { ContextPiece } from "./prompt.ts";
import { SecretHider } from "./secret-hider.ts";

const piece = (text: string, path = "a.ts", kind: ContextPiece["kind"] = "similar"): ContextPiece => ({
  ...{ kind, path, text, priority: 0.8 },
});

test("the secret hider returns a piece without secrets unchanged, and otherwise the number of secrets", () => {
  const hider = new SecretHider();
  const plain = piece("const a = 1;");
  expect(hider.hide(plain)).toBe(plain);
  expect(hider.hide(piece(`const password = "hunter2";`))).toEqual({
    ...piece(`const password = "…";`),
    hidden: 1,
  });
});

test("the secret hider searches a recent text once, whatever its position in the prompt", () => {
  const look = vi.spyOn(hiding, "hideSecrets");
  const hider = new SecretHider(2);
  for (const text of ["a", "b", "a", "b"]) hider.hide(piece(text));
  hider.hide({ ...piece("a"), path: "b.ts", kind: "retrieved" });
  expect(look).toHaveBeenCalledTimes(2);
  for (const text of ["c", "d", "e", "f", "g"]) hider.hide(piece(text));
  expect(hider.size).toBe(2);
  hider.hide(piece("a"));
  expect(look).toHaveBeenCalledTimes(8);
  look.mockRestore();
});

test("the secret hider finds values without quotes by the language of the file, also in a diff", () => {
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
