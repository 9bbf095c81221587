import { expect, test } from "vitest";
import { ErrorCodes } from "vscode-languageserver";
import { checkParams, type ParamKind } from "./check-params.ts";

test.each<[params: unknown, path: string, kind: ParamKind, isFine: boolean]>([
  [{ a: { b: "x" } }, "a.b", "text", true],
  [{ a: { b: 1 } }, "a.b", "text", false],
  [{ a: "x" }, "a.b", "text", false],
  [{ a: [] }, "a", "position", false],
  [{ a: [] }, "a", "list", true],
  [{ a: { line: 0, character: -1 } }, "a", "position", true],
  [{ a: { line: 0 } }, "a", "position", false],
  [{ a: { line: "0", character: 1 } }, "a", "position", false],
  [{ a: {} }, "a", "position", false],
  [{}, "a?.b", "position", true],
  [{ a: null }, "a?.b", "position", true],
  [{ a: {} }, "a?.b", "position", false],
  [undefined, "a", "position", false],
  [null, "a?.b", "text", true],
  [["x"], "0", "text", false],
])("%j has %s, of kind %s: %s", (params, path, kind, isFine) => {
  let code: number | undefined;
  try {
    checkParams("m", params, { [path]: kind });
  } catch (error) {
    ({ code } = error as { readonly code: number });
  }
  expect(code).toBe(isFine ? undefined : ErrorCodes.InvalidParams);
});

test("names the method, the member and its required kind in the message", () => {
  expect(() => checkParams("m", {}, { "a?.b": "text", "c.d": "list" })).toThrow("m requires `c.d`, which is a list.");
});
