import type { CodeBlock } from "./code-block.ts";

/** What is remembered of a block's text, to tell later what of it changed. Plain data. */
export interface SeenBlock {
  readonly block: CodeBlock;
  /**
   * A number for what others see of it without asking for types: its signature, and whether they
   * can name it.
   */
  readonly seen: number;
  /** A number for all of its own text. */
  readonly whole: number;
  /**
   * Whether others may see something of its body that the name of a type does not tell: a type that
   * it declares, a value that it takes over from elsewhere. In JavaScript that is any body, where
   * assignments and comments declare.
   */
  readonly isOpen: boolean;
  /** Whether it is a statement that gives a declaration a member, such as `make.version = 1`. */
  readonly addsMember: boolean;
}

/** Reads what is to be remembered of a file's block. */
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

/** Whether a path names a script in which types are nowhere written. */
export function isJavaScript(path: string): boolean {
  return /\.[cm]?jsx?$/.test(path);
}

/**
 * 53 bits of a text, so that two of them are hardly ever taken for one. Source: `cyrb53` by bryc,
 * public domain.
 */
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
