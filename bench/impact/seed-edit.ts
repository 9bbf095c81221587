import type { CodeBlock } from "../../src/analysis/graph/code-block.ts";
import type { CommitTree } from "./commit-tree.ts";
import type { ImpactCase, NamedBlock } from "./impact-case.ts";

/**
 * The texts of files once the first edit of a case is made: its declaration, and the imports and
 * declarations that this needs.
 */
export function seedTexts(
  { seed }: ImpactCase,
  before: CommitTree,
  after: CommitTree,
  blocksOf: (path: string, text: string) => readonly CodeBlock[],
): Map<string, string> {
  const texts = new Map<string, string>();
  const side = (tree: CommitTree, path: string) => {
    const text = tree.text(path) ?? "";
    return { text, blocks: blocksOf(path, text) };
  };
  const old = side(before, seed.file);
  const now = side(after, seed.file);
  const from = find(old.blocks, seed);
  const to = find(now.blocks, seed.after);
  if (from === undefined || to === undefined) throw new Error(`${seed.file} has no ${seed.kind} ${seed.name}`);
  const parts = new Map<string, Part[]>();
  const put = (path: string, part: Part) => parts.set(path, [...(parts.get(path) ?? []), part]);
  put(seed.file, {
    start: from.ownRange.start,
    end: from.ownRange.end,
    text: now.text.slice(to.ownRange.start, to.ownRange.end),
  });
  for (const support of seed.support) {
    const came = side(after, support.file);
    const was = before.text(support.file);
    if (was === undefined) {
      texts.set(support.file, came.text);
      continue;
    }
    if (support.kind === "import") {
      const text = importOf(support.name, came.text, came.blocks);
      if (text !== undefined) put(support.file, { start: was.length, end: was.length, text: `\n${text}` });
      continue;
    }
    const block = find(came.blocks, support);
    if (block === undefined) continue;
    const own = came.text.slice(block.ownRange.start, Math.max(block.ownRange.end, block.range.end));
    const owner = blocksOf(support.file, was).find(({ kind, name }) => kind === "class" && name === block.owner);
    const at = owner?.ownRange.end ?? was.length;
    put(support.file, { start: at, end: at, text: `\n${own}\n` });
  }
  for (const [path, list] of parts) {
    let text = texts.get(path) ?? before.text(path) ?? "";
    for (const { start, end, text: own } of [...list].sort((a, b) => b.start - a.start || b.end - a.end)) {
      text = text.slice(0, start) + own + text.slice(end);
    }
    texts.set(path, text);
  }
  return texts;
}

interface Part {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function find(blocks: readonly CodeBlock[], { kind, name }: Pick<NamedBlock, "kind" | "name">): CodeBlock | undefined {
  return blocks.find((block) => block.kind === kind && block.name === name);
}

/** An import statement for one local name, as the file has it after the commit. */
function importOf(local: string, text: string, blocks: readonly CodeBlock[]): string | undefined {
  for (const block of blocks) {
    if (block.kind !== "import") continue;
    const statement = text.slice(block.ownRange.start, block.ownRange.end);
    const read = /^import\s+(type\s+)?([\s\S]*?)\s+from\s+(['"][^'"]+['"])/.exec(statement);
    if (read === null) continue;
    const [, type = "", clause, from] = read;
    const keyword = type === "" ? "import" : "import type";
    if (new RegExp(`\\*\\s+as\\s+${escaped(local)}\\b`).test(clause!)) return `${keyword} * as ${local} from ${from};`;
    const named = /\{([\s\S]*)\}/.exec(clause!)?.[1] ?? "";
    for (const one of named.split(",")) {
      const [, isType, imported, alias] = /^\s*(type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(one) ?? [];
      if (imported === undefined || (alias ?? imported) !== local) continue;
      return `${isType === undefined ? keyword : "import type"} { ${one.trim().replace(/^type\s+/, "")} } from ${from};`;
    }
    if (new RegExp(`^${escaped(local)}\\b`).test(clause!.replace(/\{[\s\S]*\}/, "").trim()))
      return `${keyword} ${local} from ${from};`;
  }
  return undefined;
}

function escaped(name: string): string {
  return name.replaceAll(/[$]/g, "\\$&");
}
