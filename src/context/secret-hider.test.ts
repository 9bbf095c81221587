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
