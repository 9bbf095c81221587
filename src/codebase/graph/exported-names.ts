import type { CodeBlock } from "./code-block.ts";

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
