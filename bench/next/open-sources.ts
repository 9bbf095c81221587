import { disk, filesOfTree, parseScriptTree, TypeScriptSource } from "../../src/codebase/node/index.ts";
import { ExampleSource } from "../../src/next/example/example-source.ts";
import type { NextEditSource, TextIndex, TypeJudge } from "../../src/next/index.ts";
import { NameSource } from "../../src/next/names/name-source.ts";
import { NextEditSources } from "../../src/next/node/next-edit-sources.ts";
import type { Syntax } from "../../src/syntax/index.ts";
import { nodeTypes } from "../impact/case-workspace.ts";

/** Who proposes, and who hears of new texts. */
export interface OpenSources extends AsyncDisposable {
  readonly all: readonly NextEditSource[];
  readonly judge: TypeJudge | undefined;
  tell(path: string, text: string | undefined): void;
}

/** Where the files are that lie nowhere. */
const root = "/repository";

/**
 * Those who propose next edits in the texts of an index, put together as the tool itself does.
 *
 * Types see these texts and nothing of the disk; no package is there but Node's own types. Resolves when they are ready.
 */
export async function openSources({
  index,
  syntax,
  hasTypes,
}: {
  readonly index: TextIndex;
  readonly syntax: Syntax;
  readonly hasTypes: boolean;
}): Promise<OpenSources> {
  const sources = new NextEditSources({
    ...{ root, files: index, syntax, fileSystem: disk },
    whenRead: Promise.resolve(),
    openPaths: () => [],
    openTypes: hasTypes ? openTree : null,
    onProblem: (message) => console.error(message),
  });
  const first = [...index.paths()].find((path) => /\.[cm]?tsx?$/.test(path));
  if (first !== undefined) sources.look(first);
  await sources.settled();
  const known = new Set(sources.all.map(({ origin }) => origin));
  const others = [new NameSource({ parseScript: parseScriptTree }), new ExampleSource()];
  return {
    all: [...others.filter(({ origin }) => !known.has(origin)), ...sources.all],
    judge: sources.judge,
    tell: (path, text) => sources.tell(path, text),
    [Symbol.asyncDispose]: () => sources[Symbol.asyncDispose](),
  };

  async function openTree(options: Parameters<typeof TypeScriptSource.open>[0]): Promise<TypeScriptSource> {
    const texts = new Map(nodeTypes());
    for (const path of index.paths()) texts.set(path, index.textOf(path)!);
    const readText = async (path: string) => texts.get(path);
    return TypeScriptSource.open({ ...options, readText, files: filesOfTree(root, texts) });
  }
}
