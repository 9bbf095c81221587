import type { CodeBlock } from "./code-block.ts";

/** Hashes of a block's text, kept to find out later which part of it changed. Plain data. */
export interface SeenBlock {
  readonly block: CodeBlock;
  /**
   * Hash of what is visible to other blocks without type inference: the signature, and whether the
   * block is exported.
   */
  readonly seen: number;
  /** Hash of the block's own text. */
  readonly whole: number;
  /**
   * Whether its body may change what others see in a way that its printed type doesn't show: it
   * declares a type, or takes over a value from elsewhere. In JavaScript, any body may, because
   * assignments and comments declare.
   */
  readonly isOpen: boolean;
  /** Whether it is a statement that adds a member to a declaration, such as `make.version = 1`. */
  readonly addsMember: boolean;
}

/** Computes the hashes of a block. */
export function seenBlock(block: CodeBlock, text: string): SeenBlock {
  const own = text.slice(block.own.start, block.own.end);
  const whole = hashOf(own);
  const isScriptWithoutTypes = isJavaScript(block.path);
  const shown = isScriptWithoutTypes
    ? text.slice(block.range.start, block.own.end)
    : block.signature.map(({ start, end }) => text.slice(start, end)).join("\n");
  return {
    ...{ block, whole },
    seen: hashOf(`${block.isExported ? "+" : "-"}${block.infersType ? "?" : "!"}${shown}`),
    isOpen: isScriptWithoutTypes || /\.\.\.|\b(?:class|interface|type|enum)\b/.test(own),
    addsMember: block.kind === "statement" && /^\s*[\w$]+(?:\.[\w$]+)+\s*=[^=>]/.test(own),
  };
}

/** Whether a path names a script without type annotations. */
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
 * `* from …` for each whole module that is re-exported.
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
 * The names that only one of two states of a file exports. A default export counts under its own
 * name too.
 */
export function changedNames(before: ReadonlySet<string>, after: ReadonlySet<string>): ChangedNames {
  const changed = [...before].filter((name) => !after.has(name)).concat([...after].filter((name) => !before.has(name)));
  if (changed.some((name) => name.startsWith("* from "))) return anyName;
  return new Set(changed.length > 0 ? [...changed, "default"] : []);
}

/** Whether an import or export block may refer to one of the names. */
export function takesOne({ parts = [] }: CodeBlock, names: ChangedNames): boolean {
  return names.has("*") || parts.some(({ name }) => name === "*" || names.has(name));
}

/**
 * Whether a module specifier may refer to a file that is added or removed: its last segment is the
 * name of the file or of a folder around it.
 */
export function mayMean(specifier: string, path: string): boolean {
  const last = stemOf(specifier.split("/").at(-1)!);
  if (last === "" || /^\.+$/.test(last)) return true;
  const steps = path.split("/");
  return stemOf(steps.at(-1)!) === last || steps.includes(last);
}

function stemOf(name: string): string {
  return name.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, "");
}
