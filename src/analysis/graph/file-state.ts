import { configuresScripts } from "../../names/index.ts";
import { isInRange } from "../../text/index.ts";
import type { BlockId, CodeBlock } from "./code-block.ts";
import type { ModuleSpecifier } from "./reference.ts";

/** What the graph knows of a file's text. */
export interface FileState {
  readonly blocks: readonly CodeBlock[];
  readonly states: ReadonlyMap<BlockId, BlockState>;
  /** The blocks that are visible to files which don't import it. */
  readonly globals: ReadonlySet<BlockId>;
  readonly modules: readonly ModuleSpecifier[];
}

/** A file before and after an update; `undefined` if it doesn't exist. */
export interface FileEdit {
  readonly path: string;
  readonly before: FileState | undefined;
  readonly after: FileState | undefined;
}

/** Hashes of a block's text, kept to find out later which part of it changed. Plain data. */
export interface BlockState {
  readonly block: CodeBlock;
  /**
   * Hash of what is visible to other blocks without type inference: the signature, and whether the
   * block is exported.
   */
  readonly signatureHash: number;
  /** Hash of the block's own text. */
  readonly textHash: number;
  /**
   * Whether its body may change what others see in a way that its printed type doesn't show: it
   * declares a type, or takes over a value from elsewhere. In JavaScript, any body may, because
   * assignments and comments declare.
   */
  readonly isOpen: boolean;
  /** Whether it is a statement that adds a member to a declaration, such as `make.version = 1`. */
  readonly addsMember: boolean;
}

/**
 * Computes the state of a block, with hashes of its signature and of its own text. `text` is the
 * text of the block's file.
 */
export function blockStateOf(block: CodeBlock, text: string): BlockState {
  const own = text.slice(block.ownRange.start, block.ownRange.end);
  const textHash = hashOf(own);
  const isScriptWithoutTypes = isJavaScript(block.path);
  const visible = isScriptWithoutTypes
    ? text.slice(block.range.start, block.ownRange.end)
    : block.signature.map(({ start, end }) => text.slice(start, end)).join("\n");
  return {
    ...{ block, textHash },
    signatureHash: hashOf(`${block.isExported ? "+" : "-"}${block.infersType ? "?" : "!"}${visible}`),
    isOpen: isScriptWithoutTypes || /\.\.\.|\b(?:class|interface|type|enum)\b/.test(own),
    addsMember: block.kind === "statement" && /^\s*[\w$]+(?:\.[\w$]+)+\s*=[^=>]/.test(own),
  };
}

/** Whether a path names a script without type annotations: `.js`, `.jsx`, `.mjs` or `.cjs`. */
export function isJavaScript(path: string): boolean {
  return /\.[cm]?jsx?$/.test(path);
}

/** A 53-bit hash of a text. Source: `cyrb53` by bryc, public domain. */
function hashOf(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}

/** Names of a module that were added or removed; `*` means that any name may have been. */
export type ChangedNames = ReadonlySet<string>;

export const anyName: ChangedNames = new Set(["*"]);

/**
 * The names by which other modules can import what these blocks of a file declare or re-export, and
 * `* from …`, with the block's name, for each whole module that is re-exported.
 */
export function exportedNames(blocks: Iterable<CodeBlock>): Set<string> {
  const names = new Set<string>();
  for (const block of blocks) {
    if (block.kind === "export") {
      names.add(block.simpleName);
      for (const { name } of block.parts ?? []) names.add(name === "*" ? `* from ${block.name}` : name);
    } else if (block.owner === undefined && block.isExported && block.simpleName !== "") {
      names.add(block.simpleName);
      for (const { name } of block.parts ?? []) if (block.kind === "variable") names.add(name);
    }
  }
  names.delete("");
  return names;
}

/**
 * The names that only one of two states of a file exports, and `default` if there are any, because
 * a default export counts under its own name too. {@link anyName} if re-exports of whole modules
 * differ.
 */
export function changedNames(before: ReadonlySet<string>, after: ReadonlySet<string>): ChangedNames {
  const changed = [...before].filter((name) => !after.has(name)).concat([...after].filter((name) => !before.has(name)));
  if (changed.some((name) => name.startsWith("* from "))) return anyName;
  return new Set(changed.length > 0 ? [...changed, "default"] : []);
}

/** Whether an import or export block may refer to one of the names. */
export function importsAnyOf({ parts = [] }: CodeBlock, names: ChangedNames): boolean {
  return names.has("*") || parts.some(({ name }) => name === "*" || names.has(name));
}

/**
 * Whether a module specifier may refer to a file that is added or removed: its last segment,
 * without a script's extension, is the name of the file or of a folder around it. Also true for
 * `.`, `..` and the like.
 */
export function mayResolveTo(specifier: string, path: string): boolean {
  const last = stemOf(specifier.split("/").at(-1)!);
  if (last === "" || /^\.+$/.test(last)) return true;
  const steps = path.split("/");
  return stemOf(steps.at(-1)!) === last || steps.includes(last);
}

function stemOf(name: string): string {
  return name.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, "");
}

/**
 * The ids of blocks in both states with the same signature and a changed body of which others see
 * only an inferred type. Whether the type changed is checked later. Blocks whose body may change
 * more than a printed type shows are left out (`BlockState.isOpen`), among them all of JavaScript.
 */
export function blocksWithInferredChange({ before, after }: FileEdit): BlockId[] {
  const found: BlockId[] = [];
  for (const [id, one] of before?.states ?? []) {
    const now = after?.states.get(id);
    if (now === undefined || now.signatureHash !== one.signatureHash || now.textHash === one.textHash) continue;
    if (now.block.infersType === true && !hasOpenBody(one, now)) found.push(id);
  }
  return found;
}

/**
 * Whether a change of a block's body may be visible in a way that its printed type doesn't show:
 * always in JavaScript; elsewhere where the type is inferred and one of the two states is open, see
 * {@link BlockState.isOpen}.
 */
export function hasOpenBody(before: BlockState, after: BlockState): boolean {
  if (isJavaScript(after.block.path)) return true;
  return (after.block.infersType ?? before.block.infersType) === true && (before.isOpen || after.isOpen);
}

/**
 * The exports of one state of a file that the other lacks or declares differently, and the export
 * lists of a state with an import that the other lacks.
 */
export function changedExports(state: FileState | undefined, other: FileState | undefined): CodeBlock[] {
  const isNew = (id: BlockId, { signatureHash }: BlockState) => other?.states.get(id)?.signatureHash !== signatureHash;
  const all = [...(state?.states ?? [])];
  const hasNewImport = all.some(([id, one]) => one.block.kind === "import" && isNew(id, one));
  return all.flatMap(([id, one]) => {
    const isList = one.block.kind === "export" && /^(\{\}|default)(#\d+)?$/.test(one.block.name);
    return one.block.kind === "export" && (isNew(id, one) || (isList && hasNewImport)) ? [one.block] : [];
  });
}

/**
 * Whether both sides of an edit have blocks with the same ids, in any order, whatever their texts;
 * a side without a file has no blocks.
 */
export function hasSameBlocks({ before, after }: FileEdit): boolean {
  const ids = [...(before?.states.keys() ?? [])];
  return ids.length === (after?.states.size ?? 0) && ids.every((id) => after?.states.has(id));
}

/**
 * Whether an edit changes something that is visible without importing the file, or how files are
 * parsed.
 */
export function changesGlobals({ path, before, after }: FileEdit): boolean {
  if (configuresScripts(path)) return true;
  return [...new Set([...(before?.globals ?? []), ...(after?.globals ?? [])])].some((id) => {
    const isInBoth = before?.globals.has(id) === true && after?.globals.has(id) === true;
    return !isInBoth || before.states.get(id)!.textHash !== after.states.get(id)!.textHash;
  });
}

/**
 * The blocks of a script that are visible to files which don't import it, without tests: those in
 * `declare module` and `declare global` of a module, and all blocks of a script that isn't a
 * module, or that has no import or export outside of such declarations.
 */
export function globalBlocks(blocks: readonly CodeBlock[], text: string, isModule: boolean): readonly CodeBlock[] {
  const declared = blocks.filter(({ kind }) => kind !== "test");
  const ambient = declared.filter(
    ({ kind, ownRange }) => kind === "namespace" && ambientHead.test(text.slice(ownRange.start, ownRange.end)),
  );
  // Code in `declare module` can look like an import or export of the file.
  const hasOwnImport = declared.some(
    ({ kind, owner }) => (kind === "import" || kind === "export") && owner === undefined,
  );
  if (!isModule || (ambient.length > 0 && !hasOwnImport)) return declared;
  return declared.filter(({ range }) => ambient.some((one) => isInRange(range, one.range)));
}

const ambientHead = /^\s*(?:export\s+)?declare\s+(?:module\s*["']|global\b)/;
