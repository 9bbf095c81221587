import { describe, expect, test } from "vitest";
import { tryMarkedFolder, tryToolFolder } from "./tool-folder.ts";

describe("tryToolFolder decides by name, siblings and git rules:", () => {
  /** The path, the names beside it, whether git's rules are available, and the result. */
  const cases: readonly (readonly [string, string, "git" | "no git", string])[] = [
    ["a/node_modules", "", "git", "vendored: its name"],
    ["src/pods", "", "git", ""],
    ["third_party", "", "git", "vendored: its name"],
    [".git", "", "git", "version-control: .git"],
    ["a/__pycache__", "", "git", "output: its name"],
    ["vendor", "", "git", "vendored: it lies at the root"],
    ["app/vendor", "go.mod main.go", "git", "vendored: it lies beside go.mod"],
    ["src/com/shop/vendor", "customer", "git", ""],
    ["build", "package.json", "git", ""],
    ["dist", "package.json", "no git", "output: it lies beside package.json"],
    ["dist", "notes.txt", "no git", ""],
    ["a/target", "Cargo.toml", "no git", "output: it lies beside Cargo.toml"],
    ["a/obj", "App.csproj", "no git", "output: it lies beside App.csproj"],
    ["src/bin", "main.rs", "no git", ""],
    ["src", "package.json", "no git", ""],
  ];
  for (const [path, siblings, where, answer] of cases) {
    test(`${path} beside ${siblings || "nothing"}, ${where}`, () => {
      const view = { path, siblings: new Set(siblings.split(" ")), hasGitRules: where === "git" };
      const folder = tryToolFolder(view);
      expect(folder === undefined ? "" : `${folder.kind}: ${folder.detail}`).toBe(answer);
    });
  }
});

test("tryMarkedFolder recognizes a folder by a marker file in it", () => {
  expect(tryMarkedFolder(new Set(["debug", "CACHEDIR.TAG"]))).toEqual({
    kind: "output",
    detail: "it holds CACHEDIR.TAG",
  });
  expect(tryMarkedFolder(new Set(["bin", "pyvenv.cfg"]))?.kind).toBe("vendored");
  expect(tryMarkedFolder(new Set(["index.ts"]))).toBeUndefined();
});
