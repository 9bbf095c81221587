import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { blockId, type CodeBlock } from "../graph/code-block.ts";
import { DependencyGraph } from "../graph/dependency-graph.ts";
import type { ReferenceSource } from "../graph/reference.ts";

/** A source under test, and four files with the same meaning in each language. */
export interface ReferenceContract {
  /** Opens a source of these files. */
  readonly open: (files: ReadonlyMap<string, string>) => Promise<ReferenceSource>;
  readonly blocksOf: (path: string, text: string) => readonly CodeBlock[];
  /** Path and text of a file with a class `Shape` and a method `area`. */
  readonly shape: readonly [path: string, text: string];
  /** A file with a class `Circle` that derives from `Shape` and has `area` too. */
  readonly circle: readonly [path: string, text: string];
  /** A file that re-exports `Circle` under the name `Round`. */
  readonly barrel: readonly [path: string, text: string];
  /** A file with a function `use` that makes a `Round` and calls its `area`. */
  readonly use: readonly [path: string, text: string];
}

/** The contract suite of {@link ReferenceSource}. */
export function describeReferenceSource(name: string, contract: ReferenceContract): void {
  const { shape, circle, barrel, use, blocksOf } = contract;
  const files = new Map([shape, circle, barrel, use]);
  let source: ReferenceSource;

  beforeAll(async () => {
    source = await contract.open(files);
  });
  afterAll(() => source[Symbol.asyncDispose]());

  /** The edges of the graph of these texts, one line each. */
  async function edges(tested: ReferenceSource, texts: ReadonlyMap<string, string>): Promise<string[]> {
    const graph = new DependencyGraph();
    const references = await tested.referencesOf([...texts.keys()]);
    graph.update(
      [...texts].map(([path, text], index) => ({ path, blocks: blocksOf(path, text), references: references[index]! })),
    );
    return [...graph.edges()].map(({ from, relation, to }) => `${from} ${relation} ${to}`).sort();
  }

  const block = ([path, text]: readonly [string, string], wanted: string) =>
    blockId(blocksOf(path, text).find((one) => one.name === wanted)!);

  describe(`${name} as a source of references`, () => {
    test("follows imports through what gives a name on, makes and calls", async () => {
      const [round, area] = [block(circle, "Circle"), block(circle, "Circle.area")];
      expect(await edges(source, files)).toEqual(
        expect.arrayContaining([
          `${round} derives-from ${block(shape, "Shape")}`,
          `${area} overrides ${block(shape, "Shape.area")}`,
          `${block(use, "use")} instantiates ${round}`,
          `${block(use, "use")} calls ${area}`,
        ]),
      );
    });

    test("answers in the requested order, and with nothing for unknown files", async () => {
      const paths = [use[0], `not-there-${shape[0]}`, shape[0]];
      const answers = await source.referencesOf(paths);
      expect(answers.map(({ path }) => path)).toEqual(paths);
      expect(answers[1]!.references).toEqual([]);
    });

    test("returns places that lie in the updated texts", async () => {
      const answers = await source.referencesOf([...files.keys()]);
      const outside = answers.flatMap(({ path, references }) =>
        references.filter(
          ({ start, targetPath, targetStart }) =>
            !(start >= 0 && start < files.get(path)!.length) ||
            !(targetStart >= 0 && targetStart < files.get(targetPath)!.length),
        ),
      );
      expect(outside).toEqual([]);
    });

    test("after updates it answers as one that was opened with the last texts", async () => {
      const [path, text] = circle;
      const last = new Map(files).set(path, `\n\n${text.replaceAll("area", "size")}`);
      await source.update(new Map([[path, `\n${text}`]]));
      await source.referencesOf([...files.keys()]);
      await source.update(new Map([[path, last.get(path)!]]));
      const fresh = await contract.open(last);
      try {
        expect(await edges(source, last)).toEqual(await edges(fresh, last));
      } finally {
        await fresh[Symbol.asyncDispose]();
        await source.update(new Map([[path, text]]));
      }
    });

    test("stops with the signal's own reason", async () => {
      const stop = new AbortController();
      const reason = new Error("enough");
      stop.abort(reason);
      const pending = source.referencesOf([use[0]], { signal: stop.signal });
      await expect(pending).rejects.toBe(reason);
    });

    test("is closed twice without harm", async () => {
      const one = await contract.open(files);
      await one[Symbol.asyncDispose]();
      await one[Symbol.asyncDispose]();
    });
  });
}
