import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseScriptTree } from "../../names/node/parse-script-tree.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { lawTimeoutMs } from "../../text/node/fixtures/law-runs.ts";
import { BlockReader } from "../graph/block-reader.ts";
import { blockId } from "../graph/code-block.ts";
import { NameReferences } from "../graph/name-references.ts";
import type { FileReferences, ReferenceSource } from "../graph/reference.ts";
import { WorkspaceGraph } from "../graph/workspace-graph.ts";

/** Files of many kinds, each with its possible texts. Most kinds have no source of references. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  "a.ts": [
    "export const a = 1;",
    'import { b } from "./b";\nexport const a = b;',
    "export function a() { return 2 }",
    "} (",
  ],
  "b.ts": [
    'export * from "./a";\nexport const b = 2;',
    "export const b = 2;",
    'import { c } from "./gone";\nexport { c };',
  ],
  "global.d.ts": ["declare global { interface Wide { size: number } }\nexport {};", "interface Wide { size: string }"],
  "main.py": ["import tools\n\ndef main():\n    tools.run()\n", "def main():\n    pass\n", "class Main:\n    x = 1\n"],
  "tools.py": ["def run():\n    return 1\n", "run = 2\n", `k${" ".repeat(40)}+ 1\n`],
  "lib.rs": ["pub fn run() {}\n", "pub struct Run;\n"],
  "package.json": ['{ "name": "x" }', '{ "name": "x", "type": "module" }', "{}", "not JSON"],
  "tsconfig.json": ["{}", '{ "compilerOptions": { "strict": true } }'],
  "data.json": ['{ "a": 1 }', '{ "a": 1, "b": [2] }', "[]"],
  "style.css": ["a { color: red }", "a { color: red }\nb { margin: 0 }"],
  "page.html": ["<p>one</p>", "<p>one</p><script>const a = 1;</script>"],
  "config.yaml": ["a: 1\n", "a: 1\nb: 2\n"],
  "notes.md": ["# One\n", "# One\n\n## Two\n"],
  LICENSE: ["free", "free to all"],
  "App.vue": ["<script>export const a = 1;</script>", "<template><p/></template>"],
};

type Texts = ReadonlyMap<string, string | undefined>;

/** A change of some files; `undefined` removes one. */
const change: fc.Arbitrary<Texts> = fc
  .array(
    fc
      .constantFrom(...Object.entries(kinds))
      .chain(([path, texts]) =>
        fc.constantFrom<string | undefined>(undefined, ...texts).map((text) => [path, text] as const),
      ),
    { minLength: 1, maxLength: 4 },
  )
  .map((pairs) => new Map(pairs));

/**
 * A source for scripts that returns synchronously, for none, some or all of the requested files.
 */
class ScriptNames implements ReferenceSource {
  readonly languages = ["typescript"];
  readonly #texts = new Map<string, string>();
  readonly #share: number;
  #files = 0;

  constructor(share: number) {
    this.#share = share;
  }

  get revision(): number {
    return this.#texts.has("tsconfig.json") ? (this.#texts.get("tsconfig.json")?.length ?? 0) : 0;
  }

  async update(texts: Texts): Promise<void> {
    for (const [path, text] of texts) {
      if (text === undefined) this.#texts.delete(path);
      else this.#texts.set(path, text);
    }
  }

  async typesAt(path: string, starts: readonly number[]): Promise<readonly string[]> {
    return starts.map(() => `{ ${this.#texts.get(path)?.length} }`);
  }

  async referencesOf(paths: readonly string[]): Promise<readonly FileReferences[]> {
    return paths
      .filter(() => this.#answers())
      .map((path) => {
        const text = this.#texts.get(path) ?? "";
        const modules = Array.from(text.matchAll(/from "\.\/(\w+)"/g), ({ 0: whole, 1: name, index }) => {
          const target = `${name}.ts`;
          const start = index + whole.length - 2;
          return { specifier: `./${name}`, start, ...(this.#texts.has(target) && { path: target }) };
        });
        const references = modules.flatMap(({ start, path: targetPath }) =>
          targetPath === undefined ? [] : [{ start, role: "import" as const, targetPath, targetStart: 13 }],
        );
        return { path, references, modules, unresolved: 0, precision: "names" as const };
      });
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #answers(): boolean {
    this.#files += 1;
    return Math.floor(this.#files * this.#share) > Math.floor((this.#files - 1) * this.#share);
  }
}

describe("row 10: the queue of the graph becomes empty", () => {
  const syntax = openSyntax();
  const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
  beforeAll(() => reader.load(Object.keys(kinds)));
  afterAll(() => syntax[Symbol.dispose]());

  const updated = async (changes: readonly Texts[], share: number) => {
    const scripts = new ScriptNames(share);
    const graph = new WorkspaceGraph({ reader, sources: [scripts, new NameReferences({ syntax })], yieldThread });
    const first = new Map(Object.entries(kinds).map(([path, [text]]) => [path, text]));
    for (const source of [scripts]) await source.update(first);
    await graph.build([...first.keys()], async (path) => first.get(path));
    const resolved: (readonly string[])[] = [];
    for (const texts of changes) resolved.push((await graph.update(texts)).resolved);
    return { graph, resolved };
  };
  const yieldThread = () => setImmediate();

  it.each([
    ["package.json gains a key", "package.json", '{ "name": "x", "type": "module" }'],
    ["package.json loses a key", "package.json", "{}"],
    ["a JSON file gains a key", "data.json", '{ "a": 1, "b": [2] }'],
    ["a style sheet gains a rule", "style.css", "a { color: red }\nb { margin: 0 }"],
    ["a page goes", "page.html", undefined],
    ["a YAML file comes", "other.yaml", "a: 1\n"],
  ])("row 10: when %s", async (_name, path, text) => {
    const { graph, resolved } = await updated([new Map([[path, text]])], 1);
    expect(resolved.flat()).not.toContain(path);
    expect((await graph.update(new Map())).resolved).toEqual([]);
  });

  it("row 10: the queue becomes empty after any changes of files", { timeout: lawTimeoutMs(600_000) }, async () => {
    let withoutSource = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(1, 0.5, 0),
        async (changes, share) => {
          const { graph, resolved } = await updated(changes, share);
          if (changes.some((texts) => texts.has("package.json") || texts.has("data.json"))) withoutSource += 1;
          for (const paths of resolved) expect(new Set(paths).size).toBe(paths.length);
          expect((await graph.update(new Map())).resolved).toEqual([]);
        },
      ),
    );
    expect(withoutSource).toBeGreaterThan(10);
  });

  it("row 10: timers run while sources answer at once, and the signal ends an update and a build", async () => {
    const paths = Array.from({ length: 500 }, (_, index) => `m${index}.py`);
    const texts = new Map(paths.map((path, index) => [path, `def f${index}():\n    pass\n`]));
    const names = () => new NameReferences({ syntax, yieldThread });
    const graph = new WorkspaceGraph({ reader, sources: [names()], yieldThread });
    for (const run of [
      (signal: AbortSignal) => graph.build(paths, async (path) => texts.get(path), { signal }),
      (signal: AbortSignal) => graph.update(texts, { signal }),
    ]) {
      const stop = new AbortController();
      const timer = setTimeout(() => stop.abort(new Error("enough")), 0);
      await expect(run(stop.signal)).rejects.toThrow("enough");
      clearTimeout(timer);
    }
  });
});

/** A source that aborts a signal once, after a method has done its work. */
class AbortingNames extends ScriptNames {
  readonly stop = new AbortController();
  abortsIn: string | undefined;

  #isStrict = false;

  override get revision(): number {
    return this.#isStrict ? 1 : 0;
  }

  override async update(texts: Texts): Promise<void> {
    await super.update(texts);
    this.#isStrict ||= [...texts.values()].some((text) => text?.includes("// strict"));
    this.#abortIn("update");
  }

  override async typesAt(path: string, starts: readonly number[]): Promise<readonly string[]> {
    const types = await super.typesAt(path, starts);
    this.#abortIn("typesAt");
    return types;
  }

  override async referencesOf(paths: readonly string[]): Promise<readonly FileReferences[]> {
    const found = await super.referencesOf(paths);
    this.#abortIn("referencesOf");
    return found;
  }

  #abortIn(method: string): void {
    if (this.abortsIn !== method) return;
    this.abortsIn = undefined;
    this.stop.abort(new Error("enough"));
    this.stop.signal.throwIfAborted();
  }
}

describe("an update that is aborted", () => {
  const syntax = openSyntax();
  const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
  beforeAll(() => reader.load(Object.keys(kinds)));
  afterAll(() => syntax[Symbol.dispose]());

  const before = new Map([
    ["a.ts", "export function a() { return 2 }"],
    ["b.ts", 'export * from "./a";'],
    ["c.ts", 'export * from "./b";'],
    ["gone.ts", "export const gone = 1;"],
    ["tsconfig.json", "{}"],
  ]);
  const changes = new Map([
    ["a.ts", 'import { c } from "./c";\nexport function a() { return c }'],
    ["gone.ts", undefined],
    ["late.ts", 'import { a } from "./a";\nexport const late = a;'],
  ]);
  const all = new Map([...before, ...changes]);
  const after = new Map([...all].filter((one): one is [string, string] => one[1] !== undefined));

  const built = async (texts: ReadonlyMap<string, string>) => {
    const source = new AbortingNames(1);
    await source.update(texts);
    const graph = new WorkspaceGraph({ reader, sources: [source], yieldThread: () => setImmediate() });
    await graph.build([...texts.keys()], async (path) => texts.get(path));
    return { graph, source };
  };
  const contentOf = ({ graph }: WorkspaceGraph) =>
    [...after.keys(), "gone.ts"].map((path) =>
      graph.blocksOf(path).map((block) => [block, graph.dependenciesOf(blockId(block))]),
    );

  it.each(["update", "typesAt", "referencesOf"])("in %s leaves its texts to the next one", async (method) => {
    const { graph, source } = await built(before);
    source.abortsIn = method;
    await expect(graph.update(changes, { signal: source.stop.signal })).rejects.toThrow("enough");
    await graph.update(new Map());
    expect(contentOf(graph)).toEqual(contentOf((await built(after)).graph));
  });

  it("leaves the change of a source's options to the next one", async () => {
    const { graph, source } = await built(before);
    source.abortsIn = "update";
    const strict = new Map([["a.ts", "export function a() { return 2 } // strict"]]);
    await expect(graph.update(strict, { signal: source.stop.signal })).rejects.toThrow("enough");
    expect((await graph.update(new Map())).resolved).toEqual(["a.ts", "b.ts", "c.ts", "gone.ts"]);
  });
});
