import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { law } from "./edit.laws.ts";
import { quotePath, tryReadQuotedPath, unquotePath } from "./git-path.ts";

describe("a path in a patch", () => {
  it.each([
    ["src/a b.ts", "src/a b.ts"],
    ["tschüß.txt", "tschüß.txt"],
    ['say "hi"', String.raw`"say \"hi\""`],
    ["back\\slash", String.raw`"back\\slash"`],
    ["tab\tline\n", String.raw`"tab\tline\n"`],
    ["bell\u0007 escape\u001b", String.raw`"bell\a escape\033"`],
  ])("%j is written %s", (path, written) => {
    expect(quotePath(path)).toBe(written);
    expect(unquotePath(written)).toBe(path);
  });

  it("may contain the bytes of UTF-8 in octal, which is the default of git", () => {
    expect(unquotePath(String.raw`"tsch\303\274\303\237 \360\237\230\200.txt"`)).toBe("tschüß 😀.txt");
  });

  it("ends at its closing quote", () => {
    expect(tryReadQuotedPath(String.raw`"a/x\"y" "b/x"`)).toEqual({ path: 'a/x"y', length: 8 });
  });

  it.each(['"open', String.raw`"bad \q"`, String.raw`"\777"`, "plain"])("%s is not quoted", (text) => {
    expect(tryReadQuotedPath(text)).toBeUndefined();
    expect(unquotePath(text)).toBe(text);
  });

  law("reading gives back what was written", [fc.string({ unit: "binary" })], (path) => {
    expect(unquotePath(quotePath(path))).toBe(path);
  });
});
