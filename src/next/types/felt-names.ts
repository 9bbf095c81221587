import { type CodeBlock, type FileState, printCodeBlock } from "../../codebase/index.ts";

/**
 * The names by which other files know what changed between two states of a file: of exported declarations that came or went, or of which others see something
 * else, and of members of theirs that did. What is inferred from bodies is not followed.
 */
export function feltNames(before: FileState | undefined, after: FileState | undefined): ReadonlySet<string> {
  return changedNames(seenOf(before, isExported), seenOf(after, isExported));
}

/**
 * The names of declarations of which somebody sees something else, without those of members. Exported or not: another one of the file may give them on. A class that
 * got a field, or a member that is abstract, is among them: more is asked of who extends it, or writes one out.
 */
export function feltDeclarations(before: FileState | undefined, after: FileState | undefined): ReadonlySet<string> {
  const [old, now] = [seenOf(before, isNamed), seenOf(after, isNamed)];
  const names = new Set<string>();
  for (const [key, { block }] of [...old, ...now])
    if (old.get(key)?.signature !== now.get(key)?.signature) names.add(block.simpleName);
  for (const [key, one] of now) {
    const { owner } = one.block;
    if (owner !== undefined && !old.has(key) && isAsked(one)) names.add(owner.slice(owner.lastIndexOf(".") + 1));
  }
  return names;
}

/** Whether a new member of a class is asked of others. */
function isAsked({ block, signature }: SeenDeclaration): boolean {
  if (/(^|\s)(private|static)\s|^\s*#/.test(signature)) return false;
  return /(^|\s)abstract\s/.test(signature) || (block.kind === "field" && !/^[^:=]*\?/.test(signature));
}

/** The same of all declarations of a file, whoever may name them. */
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
    for (const [part, said] of parts) if (other?.parts.get(part) !== said) names.add(part);
  };
  for (const [key, one] of old) if (now.get(key)?.signature !== one.signature) add(one, now.get(key));
  for (const [key, one] of now) if (old.get(key)?.signature !== one.signature) add(one, old.get(key));
  names.delete("");
  return names;
}

/** All that other files see of a state of a file, as a text: what of it is not inferred from bodies. */
export function seenByOthers(state: FileState): string {
  return [...seenOf(state, isExported)].map(([name, { signature }]) => `${name} ${signature}`).join("\n");
}

/** What others see of a declaration. */
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
    const said = ({ start, end }: { readonly start: number; readonly end: number }) =>
      state!.text.slice(start, end).replaceAll(/\s+/g, " ");
    const members = (block.parts ?? []).filter(({ kind }) => kind !== "parameter");
    seen.set(printCodeBlock(block), {
      block,
      signature: block.signature.map(said).join("\n"),
      parts: new Map(members.map(({ name, range }) => [name, said(range)])),
    });
  }
  return seen;
}
