import { languageOf } from "../../syntax/language.ts";
import type { Language } from "../../syntax/languages.ts";
import type { CodeBlock } from "../graph/code-block.ts";
import { comparePaths } from "../workspace-path.ts";
import type { AtomicChange } from "./atomic-change.ts";
import { type BlockNode, blockForest, withPlainQuotes } from "./block-forest.ts";
import { codeTokenSteps, meaningOf, type TokenBag, tokenBag } from "./code-tokens.ts";
import { additionOf, type BlockSide, deletionOf, exportOf, modificationsOf, passageOf } from "./compare-blocks.ts";
import { likenessOf, mostAlike, pairFiles, pairSiblings } from "./pair-blocks.ts";

/** A file on one side of a change. */
export interface FileState {
  readonly text: string;
  /** Its blocks in the order of the text. */
  readonly blocks: readonly CodeBlock[];
}

/** A file before and after a change; a side that is absent says that the file came or went. */
export interface FileChange {
  /** From the workspace's root, with `/`. */
  readonly path: string;
  readonly before?: FileState;
  readonly after?: FileState;
}

/**
 * The atomic changes between two states of files, by path and then in the order of the text.
 *
 * Give it all files of a change at once: what went from one and came to another is a MOVE. Blocks
 * are paired by name, then by likeness but for their name (a RENAME; of what has no name, such
 * as a test or an import, a modification). A file that came and is at least half like one that went
 * is that file, moved. What moved or was renamed and changed as well gives both. What is exported
 * no more, or now, is an X of its own beside what else changed. A block whose signature and body
 * changed gives a change for each; a class and its members change separately.
 *
 * Formatting is no change: see {@link codeTokens}. Law: a state has no changes against itself.
 * Source: CodePlan (Bairi et al. 2024), Table 1, first column, extended.
 */
export function classifyChanges(files: readonly FileChange[]): AtomicChange[] {
  const steps = classifySteps(files);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * As {@link classifyChanges}, in steps: it yields between them, so that the caller can run other
 * work, or stop.
 */
function* classifySteps(files: readonly FileChange[]): Generator<void, AtomicChange[]> {
  const before = new Map<string, ReadFile>();
  const after = new Map<string, ReadFile>();
  for (const file of files) {
    if (file.before !== undefined) before.set(file.path, yield* readFile(file.path, file.before));
    if (file.after !== undefined) after.set(file.path, yield* readFile(file.path, file.after));
  }
  const gone = [...before.values()].filter(({ path }) => !after.has(path));
  const come = [...after.values()].filter(({ path }) => !before.has(path));
  const moved = pairFiles(gone, come);

  const run = new Classification();
  for (const [path, old] of before) {
    run.pairFile(old, after.get(moved.get(path) ?? path));
    yield;
  }
  const arrived = new Set(moved.values());
  for (const file of come) if (!arrived.has(file.path)) run.pairFile(undefined, file);
  run.pairAcrossFiles();
  return yield* run.changes();
}

/** A file's blocks as a forest. */
interface ReadFile {
  readonly path: string;
  readonly text: string;
  readonly language: Language;
  readonly roots: readonly BlockNode[];
  readonly bag: TokenBag;
}

/**
 * Files by their blocks: a caller that classifies a growing change again and again has most of its
 * states before.
 */
const readFiles = new WeakMap<readonly CodeBlock[], ReadFile>();

/**
 * Yields after the tokens and after the blocks of a text, each of which takes long for a long text.
 */
function* readFile(path: string, { text, blocks }: FileState): Generator<void, ReadFile> {
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
    // Only files that came or went are compared as a whole.
    get bag() {
      bag ??= tokenBag(meaningOf(tokens));
      return bag;
    },
  };
  readFiles.set(blocks, read);
  return read;
}

/** A block with the file that it is in. */
interface Loose {
  readonly node: BlockNode;
  readonly file: ReadFile;
}

/**
 * What was found of two blocks last, by the older one: of the files of a change that grows most
 * stay as they are.
 */
const modifications = new WeakMap<BlockNode, KnownModifications>();

interface KnownModifications {
  readonly after: BlockNode;
  readonly names: string;
  readonly changes: readonly AtomicChange[];
}

/**
 * `elsewhere` is {@link printNames} of the names that are new elsewhere: the same for all blocks.
 */
function knownModifications(elsewhere: string, ...asked: Parameters<typeof modificationsOf>): readonly AtomicChange[] {
  const [before, after, { newNames }] = asked;
  const names = `${printNames(newNames.around)}\n\n${elsewhere}`;
  const known = modifications.get(before.node);
  if (known?.after === after.node && known.names === names) return known.changes;
  const changes = modificationsOf(...asked);
  modifications.set(before.node, { after: after.node, names, changes });
  return changes;
}

/** How many blocks are compared in one step. */
const blocksAtOnce = 64;

function printNames(names: ReadonlyMap<string, string>): string {
  return Array.from(names, (pair) => pair.join(" ")).join("\n");
}

class Classification {
  readonly #changes: AtomicChange[] = [];
  /** Blocks that stayed, which are compared when all names are known that became others. */
  readonly #stayed: {
    readonly before: BlockSide;
    readonly after: BlockSide;
    readonly language: Language;
    readonly newNames: ReadonlyMap<string, string>;
  }[] = [];
  readonly #gone: Loose[] = [];
  readonly #come: Loose[] = [];

  pairFile(before: ReadFile | undefined, after: ReadFile | undefined): void {
    if (before && after) this.#pairLists(before, after, before.roots, after.roots, new Map());
    else if (before) for (const node of before.roots) this.#gone.push({ node, file: before });
    else if (after) for (const node of after.roots) this.#come.push({ node, file: after });
  }

  /** Finds what moved from one file to another, and tells what is left as gone and come. */
  pairAcrossFiles(): void {
    const byName = new Map<string, Set<Loose>>();
    for (const loose of this.#come) {
      if (!canMove(loose.node)) continue;
      const list = byName.get(loose.node.localName);
      if (list === undefined) byName.set(loose.node.localName, new Set([loose]));
      else list.add(loose);
    }
    const moved = new Set<BlockNode>();
    for (const { node, file } of this.#gone) {
      const list = canMove(node) ? byName.get(node.localName) : undefined;
      const targets = firstOf(list ?? [], (one) => one.file !== file, maxTargets);
      const [best] = mostAlike(
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
      this.#changed(file, target.file, node, target.node, new Map());
    }
    for (const loose of this.#come) if (!moved.has(loose.node)) this.#add(loose);
  }

  *changes(): Generator<void, AtomicChange[]> {
    const elsewhere = renamedNames(this.#changes);
    const printed = printNames(elsewhere);
    for (const [index, { before, after, language, newNames }] of this.#stayed.splice(0).entries()) {
      const names = { around: newNames, elsewhere };
      this.#changes.push(...knownModifications(printed, before, after, { language, newNames: names }));
      if (index % blocksAtOnce === blocksAtOnce - 1) yield;
    }
    const at = ({ before, after }: AtomicChange) => (after ?? before)!;
    return this.#changes.sort((a, b) => comparePaths(at(a).path, at(b).path) || at(a).own.start - at(b).own.start);
  }

  #pairLists(
    before: ReadFile,
    after: ReadFile,
    oldNodes: readonly BlockNode[],
    newNodes: readonly BlockNode[],
    newNames: ReadonlyMap<string, string>,
  ): void {
    const { pairs, gone, come } = pairSiblings(oldNodes, newNodes);
    for (const pair of pairs) this.#changed(before, after, pair.before, pair.after, newNames);
    // Members of what stayed are no candidates for a move: their class would have to move with
    // them.
    const isTop = oldNodes === before.roots;
    for (const node of gone) isTop ? this.#gone.push({ node, file: before }) : this.#delete({ node, file: before });
    for (const node of come) isTop ? this.#come.push({ node, file: after }) : this.#add({ node, file: after });
  }

  /** Tells what changed of a block that is still there, and of those in it. */
  #changed(
    oldFile: ReadFile,
    newFile: ReadFile,
    oldNode: BlockNode,
    newNode: BlockNode,
    namesAround: ReadonlyMap<string, string>,
  ): void {
    const before = { node: oldNode, text: oldFile.text };
    const after = { node: newNode, text: newFile.text };
    const oldName = oldNode.block.simpleName;
    const newName = newNode.block.simpleName;
    const isRenamed = withPlainQuotes(oldName) !== withPlainQuotes(newName) && oldName !== "" && newName !== "";
    const newNames = isRenamed ? new Map([...namesAround, [oldName, newName]]) : namesAround;
    const alike = () => Math.max(Number.EPSILON, likenessOf(oldNode, newNode));
    // A constructor has the name of its class in some languages, and is called by no other name.
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
    this.#pairLists(oldFile, newFile, oldNode.children, newNode.children, newNames);
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

/** The first of a list that `fits`, at most `count`; no more than twice as many are looked at. */
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

/** Of so many blocks that came elsewhere under the same name the most alike is searched. */
const maxTargets = 256;

/**
 * Old names to new ones: of those that one alone took the place of, and that nothing else is called
 * now.
 */
function renamedNames(changes: readonly AtomicChange[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const doubtful = new Set<string>();
  for (const { label, before, after } of changes) {
    if (after !== undefined) doubtful.add(after.simpleName);
    if (label !== "RENAME") continue;
    const [from, to] = [before!.simpleName, after!.simpleName];
    if (names.has(from) && names.get(from) !== to) doubtful.add(from);
    names.set(from, to);
  }
  for (const name of doubtful) names.delete(name);
  return names;
}

/**
 * Whether a file says itself what it exports; all of a script that is no module can be named
 * anywhere.
 */
function isModule({ language, roots }: ReadFile): boolean {
  if (language.script === undefined) return true;
  return roots.some((node) => /^(import|export)$/.test(node.block.kind) || node.meaning.includes("export"));
}

/** Whether other files could name a block, so that it matters which file it is in. */
function canMove({ block }: BlockNode): boolean {
  return block.simpleName !== "" && !/^(import|export|test|statement)$/.test(block.kind);
}

/** What {@link classifiedChanges} is given. */
export interface ClassifyRequest {
  /** The texts of the changed files, before and after; `undefined` where there is none. */
  readonly changed: ReadonlyMap<string, { readonly before: string | undefined; readonly after: string | undefined }>;
  readonly blocksOf: (path: string, text: string) => readonly CodeBlock[] | Promise<readonly CodeBlock[]>;
  readonly signal?: AbortSignal | undefined;
  /** Lets timers, signals and I/O run; called between files, and between the two texts of one. */
  readonly yieldThread?: (() => Promise<void>) | undefined;
}

/**
 * The atomic changes of a change of any number of files, without blocking the event loop for longer
 * than one text takes: see `classifyChanges`. Rejects with the signal's reason.
 */
export async function classifiedChanges({
  changed,
  blocksOf,
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
  const steps = classifySteps(files);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await rest();
  }
}
