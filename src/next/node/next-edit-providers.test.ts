import { setImmediate } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { filesOfTree, TypeScriptSource, type TypeScriptSourceOptions } from "../../analysis/node/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { Edit } from "../../text/index.ts";
import { MemoryFileSystem } from "../../workspace/index.ts";
import { systemClock } from "../../workspace/node/index.ts";
import { defaultNextEditSettings, type NextEditSettings } from "../engine/settings.ts";
import { NextEditWorkspace } from "./next-edit-workspace.ts";

let close: () => Promise<void> = async () => undefined;
afterEach(() => close());

/**
 * The suggestions after each `from` became its `to` in the first file, one after the other until
 * there is none: `file:line text | text` with the new lines, or `file:line ?` for a location to
 * look at.
 */
async function offersAfter(
  files: Readonly<Record<string, string>>,
  settings: Partial<NextEditSettings> & { readonly hasTypes?: boolean },
  ...edits: readonly (readonly [from: string, to: string])[]
): Promise<readonly string[]> {
  const absolute = Object.fromEntries(Object.entries(files).map(([path, text]) => [`/w/${path}`, text]));
  const syntax = openSyntax();
  const seen = filesOfTree("/w", new Map(Object.entries(files)));
  const openTypes = settings.hasTypes
    ? (options: TypeScriptSourceOptions) => TypeScriptSource.open({ ...options, files: seen })
    : null;
  const workspace = new NextEditWorkspace({
    ...{ root: "/w", fileSystem: new MemoryFileSystem(absolute), clock: systemClock, syntax, openTypes },
    settings: { ...defaultNextEditSettings, ...settings },
    yieldThread: () => setImmediate(),
  });
  close = async () => {
    await workspace[Symbol.asyncDispose]();
    syntax[Symbol.dispose]();
  };
  await workspace.ready;
  const [path, before] = Object.entries(files)[0]!;
  workspace.open(path, before);
  // The dependency graph is that of the workspace before the edit.
  workspace.change(path, before, Edit.empty);
  await workspace.settled({ dependencies: true });
  let text = before;
  let offset = 0;
  for (const [from, to] of edits) {
    const start = text.indexOf(from);
    const edit = Edit.replace({ start, end: start + from.length }, to);
    workspace.change(path, text, edit);
    text = edit.apply(text);
    offset = start + to.length;
  }
  const document = { uri: `file:///w/${path}`, language: workspace.files.languageOf(path), version: 1, text };
  const offers: string[] = [];
  while (offers.length < 10) {
    const outcome = await workspace.engine.suggest({ document, path, offset, trigger: "invoked" });
    if (outcome.kind === "no-suggestion") break;
    const { id, path: at, place, text: there, edit: offered } = outcome.suggestion;
    const line = there.slice(0, place.start).split("\n").length;
    const diagnostics = offered?.rangesAfter().map((range) => lineAt(offered.apply(there), range.start));
    offers.push(`${at}:${line} ${diagnostics === undefined ? "?" : [...new Set(diagnostics)].join(" | ")}`);
    workspace.engine.rejected(id);
  }
  return offers;
}

function lineAt(text: string, offset: number): string {
  return text
    .slice(text.lastIndexOf("\n", offset - 1) + 1)
    .split("\n")[0]!
    .trim();
}

test("the providers of a workspace propose the rest of a rename", async () => {
  const files = {
    "a.ts": "export function area(w: number) {\n  return w;\n}\nexport const two = area(2);\n",
    "b.ts": 'import { area } from "./a.ts";\nexport const one = area(1);\n',
    "c.ts": "const area = 5;\n",
  };
  // A rejection makes the next location unlikelier; that likelihood has tests of its own.
  const any = { origins: ["name"], leastLikelihoodByEagerness: { quiet: 0, normal: 0, eager: 0 } } as const;
  const offers = await offersAfter(files, any, ["area", "size"]);
  expect(offers).toContain("a.ts:4 export const two = size(2);");
  expect(offers).toContain('b.ts:1 import { size } from "./a.ts"; | export const one = size(1);');
  expect(offers.filter((offer) => offer.startsWith("c.ts"))).toEqual([]);
});

test("the providers of a workspace propose a repeated edit at another site", async () => {
  const uses = ["open(userTable);", "// about it", "close(userTable);", 'done("it");', 'log("userTable");'];
  // The likelihood is tested with the provider.
  const all = { origins: ["example"], leastLikelihoodByEagerness: { quiet: 0, normal: 0, eager: 0 } } as const;
  const offers = await offersAfter({ "a.ts": `${uses.join("\n")}\n` }, all, ["userTable", "memberTable"]);
  expect(offers).toContain("a.ts:3 close(memberTable);");
});

test("the providers of a workspace propose dependents of a changed declaration where no types are available", async () => {
  const files = {
    "price.py": "def price_of(count):\n    return count * 3\n",
    "shop.py": "from price import price_of\n\ndef bill(counts):\n    return sum(price_of(count) for count in counts)\n",
    "other.py": "def other():\n    return 1\n",
  };
  const offers = await offersAfter(files, {}, ["(count)", "(count, currency)"]);
  expect(offers.some((offer) => /^shop\.py:\d+ \?$/.test(offer))).toBe(true);
  expect(offers.some((offer) => offer.startsWith("other.py"))).toBe(false);
});

test("the providers of a workspace propose dependents of the last edited declaration first, then those of earlier ones", async () => {
  const files = {
    "base.ts": `export function base(a: number) {
  return a;
}
export function middle(a: number) {
  return base(a);
}
`,
    "a-side.ts": 'import { base } from "./base.ts";\nexport const side = base(1);\n',
    "b-both.ts":
      'import { base } from "./base.ts";\nimport { side } from "./a-side.ts";\nexport const both = base(side);\n',
    "c-top.ts": 'import { middle } from "./base.ts";\nexport const top = middle(1);\n',
    "d-other.ts": "export function base() {}\nexport const other = base();\n",
  };
  const impact = { origins: ["impact"], hasTypes: true } as const;
  const grown = ["base(a: number)", "base(a: number, b: number)"] as const;
  expect(await offersAfter(files, impact, grown)).toEqual(["base.ts:5 ?", "a-side.ts:2 ?", "b-both.ts:3 ?"]);
  await close();
  // The fix provider proposes the same locations: each is shown once.
  const both = { origins: ["fix", "impact"], hasTypes: true } as const;
  expect((await offersAfter(files, both, grown)).toSorted()).toEqual(["a-side.ts:2 ?", "b-both.ts:3 ?", "base.ts:5 ?"]);
  await close();
  const handed = ["middle(a: number)", "middle(a: number, b: number)"] as const;
  const passed = ["return base(a)", "return base(a, b)"] as const;
  expect(await offersAfter(files, impact, grown, handed, passed)).toEqual([
    ...["c-top.ts:2 ?", "a-side.ts:2 ?", "b-both.ts:3 ?"],
  ]);
});
