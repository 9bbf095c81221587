import type { CodeBlock } from "./code-block.ts";

/** Names of a module that came or went; `*` where any may have. */
export type ChangedNames = ReadonlySet<string>;

/** Any name. */
export const anyName: ChangedNames = new Set(["*"]);

/**
 * The names by which other modules may import what these blocks of a file declare or give on, and
 * `* from` what it gives on whole.
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
 * The names that only one of two states of a file exports. What is exported by default bears its
 * own name here, too.
 */
export function changedNames(before: ReadonlySet<string>, after: ReadonlySet<string>): ChangedNames {
  const changed = [...before].filter((name) => !after.has(name)).concat([...after].filter((name) => !before.has(name)));
  if (changed.some((name) => name.startsWith("* from "))) return anyName;
  return new Set(changed.length > 0 ? [...changed, "default"] : []);
}

/** Whether an import or an export of these parts may mean one of the names. */
export function takesOne({ parts = [] }: CodeBlock, names: ChangedNames): boolean {
  return names.has("*") || parts.some(({ name }) => name === "*" || names.has(name));
}

/**
 * Whether a file that comes or goes may be what a module's name means, now or before: its last step
 * is the file's name, or that of a folder around it.
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
