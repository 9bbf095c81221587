import { codeTokens, meaningOf } from "../../src/analysis/changes/code-tokens.ts";
import type { CodeBlock } from "../../src/analysis/graph/code-block.ts";
import { languageOf } from "../../src/languages/languages.ts";
import { caseKey } from "../impact/impact-case.ts";

/** A text of a file, with its blocks. */
export interface TextWithBlocks {
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly CodeBlock[];
}

/** The texts of the blocks of files by the keys of the cases: their own part, as tokens. */
export function textsOfBlocks(files: readonly TextWithBlocks[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { path, text, blocks } of files) {
    for (const { kind, name, ownRange } of blocks) {
      const tokens = codeTokens(text.slice(ownRange.start, ownRange.end), languageOf(path, text));
      texts.set(caseKey({ file: path, kind, name }), meaningOf(tokens).join(" "));
    }
  }
  return texts;
}

/**
 * How a block that a commit changed came out.
 *
 * - `exact`: its text is that of the commit.
 * - `silent`: it was edited, differs from the commit, and the checker has nothing
 *   against it.
 * - `begun`: names in it are written again, and the checker has something against how they are
 *   used: the rest is left to do.
 * - `wrong`: it was edited otherwise, and the checker has something against it.
 * - `obligation`: it was not edited, and the checker has something against it, or it still has to
 *   change.
 */
export type BlockOutcome = "exact" | "silent" | "begun" | "wrong" | "obligation";

/**
 * The outcome of a block by its text before, its text now and its text in the commit; `undefined`:
 * it is not there.
 */
export function outcomeOf(block: {
  readonly before: string | undefined;
  readonly now: string | undefined;
  readonly wanted: string | undefined;
  readonly hasFinding: boolean;
  /** The rules that edited it; what was renamed with an import is no rule of its own. */
  readonly rules: readonly string[];
}): BlockOutcome {
  const { before, now, wanted, hasFinding, rules } = block;
  if (now === before) return "obligation";
  if (hasFinding) return rules.every((rule) => aboutNames.has(rule)) ? "begun" : "wrong";
  return now === wanted ? "exact" : "silent";
}

/**
 * The rules that say what is meant by another name or from another place, and change nothing else.
 */
const aboutNames: ReadonlySet<string> = new Set(["rename", "missing import", "moved import", "moved module"]);

/** The keys of blocks that came, went or say something else. */
export function changedKeys(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Set<string> {
  return new Set([...before.keys(), ...after.keys()].filter((key) => before.get(key) !== after.get(key)));
}
