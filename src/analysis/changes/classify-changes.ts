import { runSteps, runStepsInTurns, type Steps } from "../../async/index.ts";
import { type Language, languageOf } from "../../syntax/index.ts";
import { countsOf, getOrInsert } from "../../text/index.ts";
import { type ChangedText, comparePaths } from "../../workspace/index.ts";
import type { CodeBlock } from "../graph/code-block.ts";
import type { AtomicChange } from "./atomic-change.ts";
import { codeTokenSteps, meaningOf, type TokenBag } from "./code-tokens.ts";
import { additionOf, type BlockSide, deletionOf, exportOf, modificationsOf, passageOf } from "./compare-blocks.ts";
import {
  type BlockNode,
  blockForest,
  likenessOf,
  mostAlike,
  pairFiles,
  pairSiblings,
  withPlainQuotes,
} from "./pair-blocks.ts";

/** A file on one side of a change. */
export interface FileState {
  readonly text: string;
  /** Its blocks in the order of the text. */
  readonly blocks: readonly CodeBlock[];
}

/** A file before and after a change; a side is absent where the file was added or removed. */
export interface FileChange {
  /** Relative to the workspace's root, with `/`. */
  readonly path: string;
  readonly before?: FileState;
  readonly after?: FileState;
}

/**
 * The atomic changes between two states of files, by path and then in the order of the text.
 *
 * Pass all files of a change at once, since a block that moved between files is a MOVE. Blocks are
 * paired by name, then by similarity (a RENAME; for a block without a name, such as a test or an
 * import, a modification). An added file that is at least half similar to a removed one is that
 * file, moved. A block that was both moved or renamed and modified has both changes. A block that
 * is newly exported, or no longer, has an X besides its other changes. A block whose signature and
 * body changed has a change for each; a class and its members change separately.
 *
 * Formatting is no change: see {@link codeTokens}. `earlier` are the changes that this one follows:
 * where a block only takes the new names of their renames, its change has no effect on other
 * blocks. Law: a state has no changes against itself. Source: CodePlan (Bairi et al. 2024), Table
 * 1, first column, extended.
 */
export function classifyChanges(
  files: readonly FileChange[],
  { earlier = [] }: { readonly earlier?: readonly AtomicChange[] } = {},
): AtomicChange[] {
  return runSteps(classifySteps(files, earlier));
}

/**
 * As {@link classifyChanges}, in steps: yields between them, so that the caller can run other work
 * or stop.
 */
function* classifySteps(files: readonly FileChange[], earlier: readonly AtomicChange[]): Steps<AtomicChange[]> {
  const before = new Map<string, ReadFile>();
  const after = new Map<string, ReadFile>();
  for (const file of files) {
    if (file.before !== undefined) before.set(file.path, yield* readFile(file.path, file.before));
    if (file.after !== undefined) after.set(file.path, yield* readFile(file.path, file.after));
  }
  const removed = [...before.values()].filter(({ path }) => !after.has(path));
  const added = [...after.values()].filter(({ path }) => !before.has(path));
  const moved = pairFiles(removed, added);

  const run = new Classification(earlier);
  for (const [path, old] of before) {
    yield* run.pairFile(old, after.get(moved.get(path) ?? path));
    yield;
  }
  const arrived = new Set(moved.values());
  for (const file of added) if (!arrived.has(file.path)) yield* run.pairFile(undefined, file);
  yield* run.pairAcrossFiles();
  return yield* run.changes();
}

/** A file with its forest of blocks. */
interface ReadFile {
  readonly path: string;
  readonly text: string;
  readonly language: Language;
  readonly roots: readonly BlockNode[];
  readonly bag: TokenBag;
}

/**
 * Files by their blocks, since a caller that classifies a growing change repeatedly passes most
 * states again.
 */
const readFiles = new WeakMap<readonly CodeBlock[], ReadFile>();

/** Yields after tokenizing and after building the forest, since both take long for a long text. */
function* readFile(path: string, { text, blocks }: FileState): Steps<ReadFile> {
  const known = readFiles.get(blocks);
  if (known?.path === path && known.text === text) return known;
  const language = languageOf(path, text.slice(0, Math.max(0, text.indexOf("\n"))));
  const tokens = yield* codeTokenSteps(text, language);
  yield;
  const roots = blockForest(blocks, tokens);
  yield;
  let bag: TokenBag | undefined;
  const read: ReadFile = {
    ...{ path, text, language, roots },
    // Only added and removed files are compared as a whole.
    get bag() {
      bag ??= countsOf(meaningOf(tokens));
      return bag;
    },
  };
  readFiles.set(blocks, read);
  return read;
}

/** A block with its file. */
interface Loose {
  readonly node: BlockNode;
  readonly file: ReadFile;
}

/**
 * The last comparison of two blocks, by the older one, since most files stay the same while a
 * change grows.
 */
const modifications = new WeakMap<BlockNode, KnownModifications>();

interface KnownModifications {
  readonly after: BlockNode;
  readonly names: string;
  readonly changes: readonly AtomicChange[];
}

/**
 * `elsewhere` is {@link printNames} of the names that changed elsewhere, which is the same for all
 * blocks.
 */
function knownModifications(elsewhere: string, ...sides: Parameters<typeof modificationsOf>): readonly AtomicChange[] {
  const [before, after, { newNames }] = sides;
  const names = `${printNames(newNames.around)}\n\n${elsewhere}`;
  const known = modifications.get(before.node);
  if (known?.after === after.node && known.names === names) return known.changes;
  const changes = modificationsOf(...sides);
  modifications.set(before.node, { after: after.node, names, changes });
  return changes;
}

/** The number of blocks that are compared in one step. */
const blocksAtOnce = 64;

function printNames(names: ReadonlyMap<string, string>): string {
  return Array.from(names, (pair) => pair.join(" ")).join("\n");
}

class Classification {
  readonly #earlier: readonly AtomicChange[];
  readonly #changes: AtomicChange[] = [];
  /** Paired blocks, which are compared when all renames are known. */
  readonly #stayed: {
    readonly before: BlockSide;
    readonly after: BlockSide;
    readonly language: Language;
    readonly newNames: ReadonlyMap<string, string>;
  }[] = [];
  readonly #removed: Loose[] = [];
  readonly #added: Loose[] = [];

  constructor(earlier: readonly AtomicChange[]) {
    this.#earlier = earlier;
  }

  *pairFile(before: ReadFile | undefined, after: ReadFile | undefined): Steps<void> {
    if (before && after) yield* this.#pairLists(before, after, before.roots, after.roots, new Map());
    else if (before) for (const node of before.roots) this.#removed.push({ node, file: before });
    else if (after) for (const node of after.roots) this.#added.push({ node, file: after });
  }

  /** Pairs blocks that moved between files; the rest are deletions and additions. */
  *pairAcrossFiles(): Steps<void> {
    const byName = new Map<string, Set<Loose>>();
    for (const loose of this.#added) {
      if (!canMove(loose.node)) continue;
      getOrInsert(byName, loose.node.localName, () => new Set()).add(loose);
    }
    const moved = new Set<BlockNode>();
    for (const [index, { node, file }] of this.#removed.entries()) {
      if (index % blocksAtOnce === blocksAtOnce - 1) yield;
      const list = canMove(node) ? byName.get(node.localName) : undefined;
      const targets = firstOf(list ?? [], (one) => one.file !== file, maxTargets);
      const [best] = yield* mostAlike(
        [node],
        targets.map((one) => one.node),
      );
      if (best === undefined) {
        this.#delete({ node, file });
        continue;
      }
      const target = targets.find((one) => one.node === best[1])!;
      moved.add(target.node);
      list?.delete(target);
      yield* this.#changed(file, target.file, node, target.node, new Map());
    }
    for (const loose of this.#added) if (!moved.has(loose.node)) this.#add(loose);
  }

  *changes(): Steps<AtomicChange[]> {
    const elsewhere = renamedNames([...this.#earlier, ...this.#changes]);
    const printed = printNames(elsewhere);
    for (const [index, { before, after, language, newNames }] of this.#stayed.splice(0).entries()) {
      const names = { around: newNames, elsewhere };
      this.#changes.push(...knownModifications(printed, before, after, { language, newNames: names }));
      if (index % blocksAtOnce === blocksAtOnce - 1) yield;
    }
    const at = ({ before, after }: AtomicChange) => (after ?? before)!;
    return this.#changes.sort(
      (a, b) => comparePaths(at(a).path, at(b).path) || at(a).ownRange.start - at(b).ownRange.start,
    );
  }

  *#pairLists(
    before: ReadFile,
    after: ReadFile,
    oldNodes: readonly BlockNode[],
    newNodes: readonly BlockNode[],
    newNames: ReadonlyMap<string, string>,
  ): Steps<void> {
    const { pairs, removed, added } = yield* pairSiblings(oldNodes, newNodes);
    for (const [index, pair] of pairs.entries()) {
      if (index % blocksAtOnce === blocksAtOnce - 1) yield;
      yield* this.#changed(before, after, pair.before, pair.after, newNames);
    }
    // A member of a paired block can't move alone.
    const isTop = oldNodes === before.roots;
    for (const node of removed)
      isTop ? this.#removed.push({ node, file: before }) : this.#delete({ node, file: before });
    for (const node of added) isTop ? this.#added.push({ node, file: after }) : this.#add({ node, file: after });
  }

  /** Records the changes of a paired block and of its children. */
  *#changed(
    oldFile: ReadFile,
    newFile: ReadFile,
    oldNode: BlockNode,
    newNode: BlockNode,
    namesAround: ReadonlyMap<string, string>,
  ): Steps<void> {
    const before = { node: oldNode, text: oldFile.text };
    const after = { node: newNode, text: newFile.text };
    const oldName = oldNode.block.simpleName;
    const newName = newNode.block.simpleName;
    const isRenamed = withPlainQuotes(oldName) !== withPlainQuotes(newName) && oldName !== "" && newName !== "";
    const newNames = isRenamed ? new Map([...namesAround, [oldName, newName]]) : namesAround;
    const alike = () => Math.max(Number.EPSILON, likenessOf(oldNode, newNode));
    // In some languages a constructor has the name of its class and is renamed with it.
    if (isRenamed && newNode.block.kind !== "constructor")
      this.#changes.push(passageOf("RENAME", before, after, alike()));
    if (
      oldFile.path !== newFile.path &&
      newNode.parent === undefined &&
      (canMove(newNode) || newNode.block.kind === "export")
    ) {
      this.#changes.push(passageOf("MOVE", before, after, alike()));
    }
    const isExported = newNode.block.isExported;
    const isTop = oldNode.parent === undefined && newNode.parent === undefined && canMove(newNode);
    if (isTop && oldNode.block.isExported !== isExported && isModule(oldFile) && isModule(newFile)) {
      this.#changes.push(exportOf(isExported ? "AX" : "DX", before, after));
    }
    this.#stayed.push({ before, after, language: newFile.language, newNames });
    if (oldNode.children.length + newNode.children.length === 0) return;
    yield* this.#pairLists(oldFile, newFile, oldNode.children, newNode.children, newNames);
  }

  #delete({ node, file }: Loose): void {
    this.#changes.push(deletionOf({ node, text: file.text }));
    for (const child of node.children) this.#delete({ node: child, file });
  }

  #add({ node, file }: Loose): void {
    this.#changes.push(additionOf({ node, text: file.text }));
    for (const child of node.children) this.#add({ node: child, file });
  }
}

/** At most `count` items that `fits`; looks at no more than twice as many. */
function firstOf<T>(list: Iterable<T>, fits: (one: T) => boolean, count: number): T[] {
  const found: T[] = [];
  let looked = 0;
  for (const one of list) {
    if (fits(one)) found.push(one);
    looked += 1;
    if (found.length >= count || looked >= 2 * count) break;
  }
  return found;
}

/** The most blocks of one name in other files that are compared. */
const maxTargets = 256;

/**
 * Old names to new ones: where exactly one block replaced the name, and no other block has it now.
 */
function renamedNames(changes: readonly AtomicChange[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const doubtful = new Set<string>();
  for (const { label, before, after } of changes) {
    // A modified block had its name before.
    if (after !== undefined && (label === "MOVE" || !label.startsWith("M"))) doubtful.add(after.simpleName);
    if (label !== "RENAME") continue;
    const [from, to] = [before!.simpleName, after!.simpleName];
    if (names.has(from) && names.get(from) !== to) doubtful.add(from);
    names.set(from, to);
  }
  for (const name of doubtful) names.delete(name);
  return names;
}

/**
 * Whether a file declares its exports. Everything in a script that is no module is visible
 * everywhere.
 */
function isModule({ language, roots }: ReadFile): boolean {
  if (language.script === undefined) return true;
  return roots.some((node) => /^(import|export)$/.test(node.block.kind) || node.meaning.includes("export"));
}

/** Whether other files can refer to a block, so that its file matters. */
function canMove({ block }: BlockNode): boolean {
  return block.simpleName !== "" && !/^(import|export|test|statement)$/.test(block.kind);
}

/** Input of {@link classifiedChanges}. */
export interface ClassifyRequest {
  /** The texts of the changed files, before and after; `undefined` where there is none. */
  readonly changed: ReadonlyMap<string, ChangedText>;
  readonly blocksOf: (path: string, text: string) => readonly CodeBlock[] | Promise<readonly CodeBlock[]>;
  /** The changes that this one follows; see {@link classifyChanges}. */
  readonly earlier?: readonly AtomicChange[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Yields to the event loop; called between files, and between the two texts of a file. */
  readonly yieldThread?: (() => Promise<void>) | undefined;
}

/**
 * The atomic changes of a change, in the order of {@link classifyChanges}. Blocks the event loop
 * for no longer than one text takes, if `yieldThread` is given. Rejects with the signal's reason on
 * abort.
 */
export async function classifiedChanges({
  changed,
  blocksOf,
  earlier = [],
  signal,
  yieldThread,
}: ClassifyRequest): Promise<readonly AtomicChange[]> {
  const rest = async () => {
    await yieldThread?.();
    signal?.throwIfAborted();
  };
  const files: FileChange[] = [];
  for (const [path, { before, after }] of changed) {
    await rest();
    const old = before === undefined ? undefined : { text: before, blocks: await blocksOf(path, before) };
    if (old !== undefined && after !== undefined) await rest();
    files.push({
      path,
      ...(old !== undefined && { before: old }),
      ...(after !== undefined && { after: { text: after, blocks: await blocksOf(path, after) } }),
    });
  }
  return runStepsInTurns(classifySteps(files, earlier), rest);
}
