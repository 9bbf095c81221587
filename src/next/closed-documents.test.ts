import { expect, test } from "vitest";
import { ScriptedTypeChecker } from "../analysis/fixtures/scripted-type-checker.ts";
import { type FileReferences, ParseCache, TypeCheckCache } from "../analysis/index.ts";
import { NameTables } from "../names/name-tables.ts";
import { SyntaxErrorCache } from "../syntax/index.ts";
import type { TextOverlay } from "../workspace/index.ts";
import { ReferenceCache } from "./providers/types/references.ts";

/** Caches of parsed texts: a text is read once, and again after its path was dropped. */
const memories: readonly (readonly [string, (onRead: () => void) => Memory])[] = [
  [
    "syntax errors",
    (onRead) => {
      const known = new SyntaxErrorCache({
        async syntaxErrors() {
          onRead();
          return [];
        },
      });
      const ask = (path: string) => known.syntaxErrors({ uri: path, language: "typescript", text: "a" });
      return { ask, forget: (path) => known.forget(path) };
    },
  ],
  [
    "blocks and trees",
    (onRead) => {
      const known = new ParseCache({
        tryBlocks() {
          onRead();
          return [];
        },
        tryBlocksInSlices: async () => [],
        tryScript: () => undefined,
      });
      return { ask: async (path) => known.blocksOf(path, "a"), forget: (path) => known.forget(path) };
    },
  ],
  [
    "names",
    (onRead) => {
      const known = new NameTables({
        parseScript() {
          onRead();
          return { program: { type: "Program", body: [] } as never, comments: [] };
        },
      });
      return { ask: async (path) => known.of(path, "typescript", "a"), forget: (path) => known.forget(path) };
    },
  ],
  [
    "references",
    (onRead) => {
      const texts = Object.entries({ "a.ts": "a", "b.ts": "b" });
      const types = Object.assign(new TypeCheckCache({ checker: new ScriptedTypeChecker(texts), texts }), {
        async referencesWith(_: TextOverlay, path: string) {
          onRead();
          return { path, references: [], unresolved: 0, precision: "types" } satisfies FileReferences;
        },
      });
      const known = new ReferenceCache({ blocksOf: () => [] });
      const ask = (path: string) => known.of(path, new Set(["a"]), new Map(), { types });
      return { ask, forget: (path) => known.forget(path) };
    },
  ],
];

interface Memory {
  ask(path: string): Promise<unknown>;
  forget(path: string): void;
}

test.each(memories)("row 14: caches drop the %s of a closed document and keep those of others", async (_, open) => {
  let reads = 0;
  const memory = open(() => {
    reads += 1;
  });
  for (const path of ["a.ts", "b.ts", "a.ts"]) await memory.ask(path);
  expect(reads).toBe(2);
  memory.forget("a.ts");
  await memory.ask("b.ts");
  expect(reads).toBe(2);
  await memory.ask("a.ts");
  expect(reads).toBe(3);
});
