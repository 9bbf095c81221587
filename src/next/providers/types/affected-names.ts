import { type CodeBlock, type FileState, printCodeBlock } from "../../../analysis/index.ts";

/**
 * Returns the names by which other files refer to what changed between two states of a file: of
 * exported declarations that were added, removed or changed their signature, and of their members
 * that changed. Types inferred from bodies are not followed. An absent state has no declarations.
 */
export function affectedNames(before: FileState | undefined, after: FileState | undefined): ReadonlySet<string> {
  return changedNames(seenOf(before, isExported), seenOf(after, isExported));
}

/**
 * Returns the names of declarations whose signature changed between two states of a file, without
 * the names of members. Declarations that are not exported count, because another declaration of
 * the file may re-export them.
 *
 * A class that got a field or an abstract member is included, because its subclasses and the object
 * literals of its type must have it too.
 */
export function affectedDeclarations(before: FileState | undefined, after: FileState | undefined): ReadonlySet<string> {
  const [old, now] = [seenOf(before, isNamed), seenOf(after, isNamed)];
  const names = new Set<string>();
  for (const [key, { block }] of [...old, ...now])
    if (old.get(key)?.signature !== now.get(key)?.signature) names.add(block.simpleName);
  for (const [key, one] of now) {
    const { owner } = one.block;
    if (owner !== undefined && !old.has(key) && isRequiredOfSubtypes(one))
      names.add(owner.slice(owner.lastIndexOf(".") + 1));
  }
  return names;
}

/** Whether subclasses or object literals must declare the new member of their class. */
function isRequiredOfSubtypes({ block, signature }: SeenDeclaration): boolean {
  if (/(^|\s)(private|static)\s|^\s*#/.test(signature)) return false;
  return /(^|\s)abstract\s/.test(signature) || (block.kind === "field" && !/^[^:=]*\?/.test(signature));
}

/** Like {@link affectedNames}, but for all named declarations of the file, exported or not. */
export function redeclaredNames(before: FileState | undefined, after: FileState | undefined): ReadonlySet<string> {
  return changedNames(seenOf(before, isNamed), seenOf(after, isNamed));
}

function changedNames(
  old: ReadonlyMap<string, SeenDeclaration>,
  now: ReadonlyMap<string, SeenDeclaration>,
): ReadonlySet<string> {
  const names = new Set<string>();
  const add = ({ block, parts }: SeenDeclaration, other: SeenDeclaration | undefined) => {
    names.add(block.simpleName);
    for (const [part, text] of parts) if (other?.parts.get(part) !== text) names.add(part);
  };
  for (const [key, one] of old) if (now.get(key)?.signature !== one.signature) add(one, now.get(key));
  for (const [key, one] of now) if (old.get(key)?.signature !== one.signature) add(one, old.get(key));
  names.delete("");
  return names;
}

/**
 * Returns the part of a state that other files can see, as a text: the names and signatures of
 * exports. Types inferred from bodies are not part of it.
 */
export function seenByOthers(state: FileState): string {
  return [...seenOf(state, isExported)].map(([name, { signature }]) => `${name} ${signature}`).join("\n");
}

/** The part of a declaration that other code can see. */
interface SeenDeclaration {
  readonly block: CodeBlock;
  readonly signature: string;
  readonly parts: ReadonlyMap<string, string>;
}

function isExported(block: CodeBlock): boolean {
  return block.isExported;
}

function isNamed({ kind }: CodeBlock): boolean {
  return !/^(import|statement|test)$/.test(kind);
}

function seenOf(
  state: FileState | undefined,
  counts: (block: CodeBlock) => boolean,
): ReadonlyMap<string, SeenDeclaration> {
  const seen = new Map<string, SeenDeclaration>();
  for (const block of state?.blocks ?? []) {
    if (!counts(block) || block.simpleName === "") continue;
    const textOf = ({ start, end }: { readonly start: number; readonly end: number }) =>
      state!.text.slice(start, end).replaceAll(/\s+/g, " ");
    const members = (block.parts ?? []).filter(({ kind }) => kind !== "parameter");
    seen.set(printCodeBlock(block), {
      block,
      signature: block.signature.map(textOf).join("\n"),
      parts: new Map(members.map(({ name, range }) => [name, textOf(range)])),
    });
  }
  return seen;
}
