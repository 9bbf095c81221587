import { expect, test } from "vitest";
import { filesOf, type ModuleCase, ownCases, resolutionOf, typeScriptCases } from "./fixtures/module-cases.ts";
import { typeScriptResolution } from "./fixtures/typescript-resolution.ts";
import { ModuleResolver } from "./module-resolver.ts";

function resolverOf(files: ReadonlyMap<string, string>, layout = 0): ModuleResolver {
  return new ModuleResolver({
    ...{ layout, paths: () => files.keys(), has: (path) => files.has(path) },
    textOf: (path) => files.get(path),
  });
}

const titled = (cases: readonly ModuleCase[]) => cases.map((one) => [one.what, one.resolution, one] as const);

test.each(titled(typeScriptCases))("as TypeScript: %s (%s)", (_what, _resolution, one) => {
  const { from, specifier, file } = resolutionOf(one);
  expect(typeScriptResolution(filesOf(one), specifier, from)).toBe(file);
  expect(resolverOf(filesOf(one)).resolve(specifier, from)).toBe(file);
});

test.each(titled(ownCases))("beyond TypeScript: %s (%s)", (_what, _resolution, one) => {
  const { from, specifier, file } = resolutionOf(one);
  expect(resolverOf(filesOf(one)).resolve(specifier, from)).toBe(file);
});

test("rootDirs are not supported", () => {
  const files = new Map([
    ["tsconfig.json", '{ "compilerOptions": { "rootDirs": ["src", "generated"] } }'],
    ["generated/b.ts", ""],
  ]);
  expect(typeScriptResolution(files, "./b", "src/a.ts")).toBe("generated/b.ts");
  expect(resolverOf(files).resolve("./b", "src/a.ts")).toBeUndefined();
});

const aliases = '{ "compilerOptions": { "baseUrl": "lib", "paths": { "@/*": ["one/*", "../two/*", "../../*"] } } }';

test.each([
  ["@/b", "lib/one/b two/b lib/@/b"],
  ["c.js", "lib/c.js"],
  ["./b", ""],
  ["../..", ""],
])("the compiler's paths for %s are %j, whether they exist or not", (specifier, expected) => {
  const resolver = resolverOf(new Map([["tsconfig.json", aliases]]));
  expect(resolver.candidates(specifier, "src/a.ts").join(" ")).toBe(expected);
});

test.each([
  ["packages/a/src/b.ts", "@w/a"],
  ["packages/a/fixtures/b.ts", "@w/a"],
  ["b.ts", undefined],
])("%s is in the package %s", (path, expected) => {
  const files = new Map([
    ["packages/a/package.json", '{ "name": "@w/a" }'],
    ["packages/a/fixtures/package.json", '{ "private": true }'],
  ]);
  expect(resolverOf(files).packageOf(path)).toBe(expected);
});

test("results follow the files", () => {
  const texts = new Map<string, string>();
  let layout = 0;
  const resolver = new ModuleResolver({
    ...{ paths: () => texts.keys(), has: (path) => texts.has(path), textOf: (path) => texts.get(path) },
    get layout() {
      return layout;
    },
  });
  const after = (path: string, text: string | undefined) => {
    if (text === undefined) texts.delete(path);
    else texts.set(path, text);
    layout++;
    return [resolver.resolve("lib", "a.ts"), resolver.resolve("@/b", "a.ts")];
  };
  const exported = (path: string) => `{ "name": "lib", "exports": "./${path}" }`;
  const aliased = (folder: string) => `{ "compilerOptions": { "paths": { "@/*": ["./${folder}/*"] } } }`;
  after("lib/one.ts", "");
  after("lib/b.ts", "");
  expect(after("lib/package.json", exported("one.ts"))).toEqual(["lib/one.ts", undefined]);
  expect(after("lib/package.json", exported("two.ts"))).toEqual([undefined, undefined]);
  expect(after("lib/two.ts", "")).toEqual(["lib/two.ts", undefined]);
  expect(after("tsconfig.json", aliased("src"))).toEqual(["lib/two.ts", undefined]);
  expect(after("tsconfig.json", aliased("lib"))).toEqual(["lib/two.ts", "lib/b.ts"]);
  expect(after("lib/package.json", undefined)).toEqual([undefined, "lib/b.ts"]);
});
