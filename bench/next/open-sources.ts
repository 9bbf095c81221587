import { filesOfTree, TypeScriptSource } from "../../src/analysis/node/index.ts";
import { defaultNextEditSettings } from "../../src/next/engine/settings.ts";
import type { TextIndex } from "../../src/next/index.ts";
import { NextEditProviders } from "../../src/next/node/next-edit-providers.ts";
import type { Syntax } from "../../src/syntax/index.ts";
import { disk, systemClock } from "../../src/workspace/node/index.ts";
import { nodeTypes } from "../impact/case-workspace.ts";

/** Where the files are that lie nowhere. */
const root = "/repository";

/**
 * Those who propose next edits in the texts of an index, put together as the tool itself does.
 *
 * Types see these texts and nothing of the disk; no package is there but Node's own types. Resolves
 * when they are ready.
 */
export async function openSources({
  index,
  syntax,
  hasTypes,
  edited = [],
}: {
  readonly index: TextIndex;
  readonly syntax: Syntax;
  readonly hasTypes: boolean;
  /**
   * Files that are going to be edited: what depends on them is found before, where it is not types
   * that tell.
   */
  readonly edited?: readonly string[];
}): Promise<NextEditProviders> {
  const sources = new NextEditProviders({
    ...{ root, files: index, syntax, fileSystem: disk, clock: systemClock },
    whenRead: Promise.resolve(),
    openPaths: () => [],
    typesMs: () => defaultNextEditSettings.typesMs,
    yieldThread: () => new Promise((resolve) => void setImmediate(resolve)),
    openTypes: hasTypes ? openTree : null,
    onProblem: (message) => console.error(message),
  });
  const first = [...index.paths()].find((path) => /\.[cm]?tsx?$/.test(path));
  if (first !== undefined) sources.look(first);
  for (const path of edited) sources.edited(path);
  await sources.settled({ dependencies: true });
  return sources;

  async function openTree(options: Parameters<typeof TypeScriptSource.open>[0]): Promise<TypeScriptSource> {
    const texts = new Map(nodeTypes());
    for (const path of index.paths()) texts.set(path, index.textOf(path)!);
    const readText = async (path: string) => texts.get(path);
    return TypeScriptSource.open({ ...options, readText, files: filesOfTree(root, texts) });
  }
}
