import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { CodeBlock } from "../../src/analysis/graph/code-block.ts";
import type { NameReferences } from "../../src/analysis/graph/name-references.ts";
import type { ReferenceSource } from "../../src/analysis/graph/reference.ts";
import { PyrightSource } from "../../src/analysis/node/pyright-source.ts";
import { pyrightIn } from "../../src/analysis/node/pyright-types.ts";

/** How often pyright was queried, and knew. */
export interface PyrightCounts {
  queried: number;
  known: number;
}

/**
 * What names mean with every doubtful one settled by pyright. The texts of the source are written
 * to a folder of their own, for pyright finds modules on the disk.
 */
export function pyrightReferences(
  source: ReadonlyMap<string, string>,
  names: NameReferences,
  blocksOf: (path: string, text: string) => readonly CodeBlock[],
): { readonly references: ReferenceSource; readonly counts: PyrightCounts } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "emend-codeplan-")));
  for (const [path, text] of source) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const open = pyrightIn({ root });
  if (open === undefined) throw new Error("There is no pyright. Install it: npm install --no-save pyright");
  const texts = new Map<string, string>(source);
  const counts = { queried: 0, known: 0 };
  const settled = new PyrightSource({
    ...{ root, names, open },
    textOf: (path) => texts.get(path),
    blocksOf: (path) => blocksOf(path, texts.get(path) ?? ""),
  });
  const references: ReferenceSource = {
    languages: settled.languages,
    update: async (changed, options) => {
      for (const [path, text] of changed) {
        if (text === undefined) texts.delete(path);
        else texts.set(path, text);
      }
      await settled.update(changed, options);
    },
    referencesOf: async (paths, options) => {
      const { queried, known } = await settled.resolveMembers({ paths }, options);
      counts.queried += queried;
      counts.known += known;
      return settled.referencesOf(paths, options);
    },
    [Symbol.asyncDispose]: async () => {
      await settled[Symbol.asyncDispose]();
      rmSync(root, { recursive: true });
    },
  };
  return { references, counts };
}
