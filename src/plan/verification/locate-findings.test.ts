import { describe, expect, test } from "vitest";
import { finding } from "./finding.ts";
import { locateFindings, type VerifierGround } from "./locate-findings.ts";

const files = new Set(["src/a.ts", "add/add_test.go", "a_test.go"]);
const linux: VerifierGround = { roots: ["/home/ada/copy", "/mnt/ada/copy"], isFile: (path) => files.has(path) };
const below: VerifierGround = { roots: ["/home/ada"], folder: "packages/one" };
const windows: VerifierGround = { roots: ["C:/code/sums"] };

describe("locateFindings resolves a path", () => {
  const cases: readonly (readonly [name: string, ground: VerifierGround, path: string, expected: string])[] = [
    ["from the root", linux, "src/a.ts", "src/a.ts"],
    ["with a dot", linux, "./src/./a.ts", "src/a.ts"],
    ["absolute", linux, "/home/ada/copy/src/a.ts", "src/a.ts"],
    ["by the root's other name", linux, "/mnt/ada/copy/src/a.ts", "src/a.ts"],
    ["as an address", linux, "file:///home/ada/copy/src/a.ts", "src/a.ts"],
    ["outside, absolute", linux, "/usr/lib/a.ts", "/usr/lib/a.ts"],
    ["outside, relative", linux, "../other/a.ts", "/home/ada/other/a.ts"],
    ["beside, with a like name", linux, "/home/ada/copy2/a.ts", "/home/ada/copy2/a.ts"],
    ["with a module in front", linux, "example.com/sums/add/add_test.go", "add/add_test.go"],
    ["with a module in front, at the root", linux, "example.com/sums/a_test.go", "a_test.go"],
    ["of a file that is gone", linux, "src/gone.ts", "src/gone.ts"],
    ["from the folder it ran in", below, "src/a.ts", "packages/one/src/a.ts"],
    ["from the folder above", below, "../two/a.ts", "packages/two/a.ts"],
    ["of Windows", windows, "C:\\code\\sums\\src\\a.cs", "src/a.cs"],
    ["of Windows, with another drive letter", windows, "c:\\code\\sums\\src\\A.cs", "src/A.cs"],
    ["of Windows, outside", windows, "D:\\lib\\a.cs", "D:/lib/a.cs"],
    ["of Windows, relative", windows, "src\\a.cs", "src/a.cs"],
  ];
  for (const [name, ground, printedPath, expected] of cases) {
    test(`${name}: ${printedPath}`, () => {
      const parts = { severity: "error", message: "", source: "t" } as const;
      const [found] = locateFindings(
        [finding({ ...parts, path: printedPath, related: [{ path: printedPath, line: 2 }] })],
        ground,
      );
      expect(found).toMatchObject({ path: expected, related: [{ path: expected, line: 2 }] });
    });
  }
});

test("locateFindings leaves a finding without a path unchanged", () => {
  const general = finding({ severity: "error", message: "no configuration", source: "t" });
  expect(locateFindings([general], linux)).toEqual([general]);
});
