// Imports are read by patterns, although `names` reads those of Python and C# from trees: a prompt
// has no time to parse. Of 231 files of Python's library and pip, patterns and the search for the
// files take 0.28 ms a file at p50, tree and facts 17 ms; with the rest of a line cut off, patterns
// find 99.4 % of the imports, facts 98.8 %.

import { type FilesByEnding, nearestFiles, pythonModuleFiles } from "../names/index.ts";
import { folderOf, joinPath, nameOf } from "../workspace/index.ts";
import type { CodeIndex } from "./code-index.ts";

/** Files of a workspace that a text names in an import, and what it wants of them. */
export interface ImportTarget {
  /** The files in which what is wanted may be declared, the likeliest first. */
  readonly paths: readonly string[];
  /** The names that are wanted; `undefined` for all those that the text uses. */
  readonly names: readonly string[] | undefined;
}

/** What finds the targets of a language's imports, in a file at `path` with this text. */
export type ImportReader = (index: CodeIndex, path: string, text: string) => ImportTarget[];

/**
 * The targets of `from a.b import c`, `from . import d` and `import a.b as m`, whose names are
 * those that follow `m.`. Modules that the index does not have are left out.
 *
 * A module is looked for from the folder of the file upwards, then anywhere its path ends so.
 */
export const pythonTargets: ImportReader = (index, path, text) => {
  const targets: ImportTarget[] = [];
  const statement =
    /^[ \t]*(?:from[ \t]+(?<from>[\w.]+)[ \t]+import[ \t]+(?![ \t])(?:\((?<many>[^()#]*(?:#.*[\n\r\u2028\u2029][^()#]*)*)\)|(?<list>(?:[^\n#(\\]|\\\r?\n)+))|import[ \t]+(?![ \t])(?<modules>(?:[^\n#\\]|\\\r?\n)+))/gm;
  for (const match of text.matchAll(statement)) {
    const { from, many, list, modules } = match.groups!;
    if (from === undefined) {
      for (const [module, alias] of aliases(modules!)) {
        const file = pythonModule(index, path, module);
        if (file !== undefined) targets.push({ paths: [file], names: membersOf(text, alias) });
      }
      continue;
    }
    const names: string[] = [];
    for (const [name, alias] of aliases((many ?? list)!)) {
      const inner = pythonModule(index, path, from.endsWith(".") || from === "" ? from + name : `${from}.${name}`);
      if (inner === undefined) names.push(name);
      else targets.push({ paths: [inner], names: membersOf(text, alias) });
    }
    const file = pythonModule(index, path, from);
    if (file !== undefined && names.length > 0) targets.push({ paths: pythonSources(index, file), names });
  }
  return targets;
};

/** A package's `__init__.py`, and the modules from which it passes names on. */
function pythonSources(index: CodeIndex, file: string): string[] {
  if (!file.endsWith("__init__.py")) return [file];
  const passed = [...index.text(file)!.matchAll(/^from[ \t]+(\.[\w.]*)[ \t]+import/gm)];
  const inner = passed.flatMap(([, module]) => pythonModule(index, file, module!) ?? []);
  return [file, ...inner.slice(0, 30)];
}

function pythonModule(index: CodeIndex, path: string, module: string): string | undefined {
  return pythonModuleFiles(filesOf(index), module, path)[0];
}

/**
 * The targets of `import "example.com/mod/store"`: all files but tests of the folder with the
 * longest path that the import ends with. Imports of the file's own folder, and of folders that the
 * index does not have, are left out.
 */
export const goTargets: ImportReader = (index, path, text) => {
  const targets: ImportTarget[] = [];
  const statement = /^[ \t]*(?:import[ \t]+)?(?:(?<alias>[\w.]+)[ \t]+)?"(?<module>[\w.\-~/]+)"[ \t]*(?:\/\/.*)?$/gm;
  const header = text.slice(0, /^(?:func|type|var|const)\b/m.exec(text)?.index ?? text.length);
  for (const match of header.matchAll(statement)) {
    const { alias, module } = match.groups!;
    const folder = longestFolder(index, module!);
    if (folder === undefined || folder === folderOf(path)) continue;
    const parts = module!.split("/");
    const last = /^v\d+$/.test(parts.at(-1)!) ? parts.at(-2)! : parts.at(-1)!;
    const paths = index.pathsIn(folder).filter((file) => file.endsWith(".go") && !file.endsWith("_test.go"));
    targets.push({ paths, names: membersOf(text, alias ?? last) });
  }
  return targets;
};

/**
 * The targets of `import a.b.C;`, `import static a.b.C.m;` and `import a.b.*;`: the file of the
 * class, or all files of the package. Imports that the index does not have are left out.
 */
export const javaTargets: ImportReader = (index, path, text) => {
  const targets: ImportTarget[] = [];
  for (const match of text.matchAll(/^[ \t]*import[ \t]+(static[ \t]+)?([\w.]+?)(\.\*)?[ \t]*;/gm)) {
    const [, isStatic, name, star] = match;
    const parts = name!.split(".");
    if (star !== undefined && isStatic === undefined) {
      const folder = folderEndingWith(index, parts.join("/"));
      if (folder !== undefined) {
        const paths = index.pathsIn(folder).filter((file) => file.endsWith(".java"));
        targets.push({ paths, names: undefined });
      }
      continue;
    }
    if (isStatic !== undefined && star === undefined) parts.pop();
    // The class of a nested one is the first name with a capital letter.
    const outer = parts.findIndex((part) => /^[A-Z]/.test(part));
    const type = outer < 0 ? parts : parts.slice(0, outer + 1);
    const file = fileEndingWith(index, path, [`${type.join("/")}.java`]);
    if (file !== undefined) targets.push({ paths: [file], names: [type.at(-1)!] });
  }
  return targets;
};

/**
 * The targets of `use crate::a::{B, c as d};`, from the crate's root, from `self` and `super`, and
 * from other crates of the workspace; and of `mod a;`. Imports that the index does not have are
 * left out.
 */
export const rustTargets: ImportReader = (index, path, text) => {
  const targets: ImportTarget[] = [];
  for (const match of text.matchAll(
    /^[ \t]*(?:pub(?:\([^()]{0,60}\))?[ \t]+)?use[ \t]+((?:[^;/]|\/\/.*[\n\r\u2028\u2029]){1,2000});/gm,
  )) {
    for (const parts of usedPaths(match[1]!.replace(/\/\/[^\n]*/g, "").replace(/\s+/g, " "))) {
      const target = rustTarget(index, path, parts);
      if (target !== undefined) targets.push(target);
    }
  }
  for (const match of text.matchAll(/^[ \t]*(?:pub(?:\([^()]{0,60}\))?[ \t]+)?mod[ \t]+(\w+)[ \t]*;/gm)) {
    const file = rustFile(index, rustFolder(path), [match[1]!]);
    if (file !== undefined) targets.push({ paths: [file], names: membersOf(text, match[1]!, "::") });
  }
  return targets;
};

function rustTarget(index: CodeIndex, path: string, parts: readonly string[]): ImportTarget | undefined {
  const [head] = parts;
  let rest = parts.slice(1);
  let folder: string | undefined;
  if (head === "crate") folder = crateFolder(index, path);
  else if (head === "self") folder = rustFolder(path);
  else if (head === "super") {
    folder = folderOf(rustFolder(path));
    for (; rest[0] === "super"; rest = rest.slice(1)) folder = folderOf(folder);
  } else folder = otherCrate(index, head!);
  if (folder === undefined) return undefined;
  const name = rest.at(-1);
  if (name === undefined) return undefined;
  const file = rustFile(index, folder, rest.slice(0, -1));
  const whole = rustFile(index, folder, rest);
  if (whole !== undefined && whole !== file) return { paths: [whole], names: undefined };
  return file === undefined ? undefined : { paths: [file], names: name === "*" ? undefined : [name] };
}

/** The `src` folder of the workspace's crate with this name. */
function otherCrate(index: CodeIndex, name: string): string | undefined {
  const folders = index.pathsNamed("lib.rs").map(folderOf);
  return folders.find((folder) => {
    const crate = folderOf(folder).split("/").at(-1)!;
    return folder.endsWith("/src") && (crate === name || crate === name.replaceAll("_", "-"));
  });
}

/**
 * The file of a module below a folder: `a/b.rs`, `a/b/mod.rs`, or for the folder itself `lib.rs`,
 * `main.rs`, `mod.rs`.
 */
function rustFile(index: CodeIndex, folder: string, parts: readonly string[]): string | undefined {
  const path = joinPath(folder, parts.join("/"));
  const candidates =
    parts.length === 0
      ? [`${folder}.rs`, ...["lib.rs", "main.rs", "mod.rs"].map((name) => joinPath(folder, name))]
      : [`${path}.rs`, `${path}/mod.rs`];
  return candidates.find((one) => index.has(one));
}

/** The folder in which a file's own modules lie. */
function rustFolder(path: string): string {
  return /(?:^|\/)(?:lib|main|mod)\.rs$/.test(path) ? folderOf(path) : path.replace(/\.rs$/, "");
}

function crateFolder(index: CodeIndex, path: string): string | undefined {
  for (let at = folderOf(path); ; at = folderOf(at)) {
    if (index.has(joinPath(at, "lib.rs")) || index.has(joinPath(at, "main.rs"))) return at;
    if (at === "") return undefined;
  }
}

/** `a::{b, c::{d, e as f}}` as `a::b`, `a::c::d` and `a::c::e`. */
function usedPaths(tree: string): string[][] {
  const open = tree.indexOf("{");
  if (open < 0) {
    const parts = tree
      .split(/\sas\s/, 1)[0]!
      .split("::")
      .map((part) => part.trim());
    return parts.some((part) => part === "") ? [] : [parts];
  }
  const head = tree
    .slice(0, open)
    .split("::")
    .map((part) => part.trim())
    .filter(Boolean);
  const inner: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open; at < tree.length; at++) {
    if (tree[at] === "{") depth++;
    const closes = tree[at] === "}" && --depth === 0;
    if (closes || (tree[at] === "," && depth === 1)) {
      inner.push(tree.slice(start, at));
      start = at + 1;
    }
    if (closes) break;
  }
  return inner
    .filter((part) => part.trim() !== "")
    .flatMap((part) => (part.trim() === "self" ? [head] : usedPaths(part).map((parts) => [...head, ...parts])));
}

/**
 * The targets of `using A.B;`: at most 50 other files that declare the namespace `A.B`, in folders
 * whose path has the last name of the namespace.
 */
export const csharpTargets: ImportReader = (index, path, text) => {
  const targets: ImportTarget[] = [];
  for (const match of text.matchAll(
    /^[ \t]*(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?(?:\w+[ \t]*=[ \t]*)?([\w.]+)[ \t]*;/gm,
  )) {
    const paths = namespaceFiles(index, match[1]!).filter((file) => file !== path);
    if (paths.length > 0) targets.push({ paths, names: undefined });
  }
  return targets;
};

/**
 * Namespaces mostly follow folders, so that those whose path has the last name of the namespace
 * come first.
 */
function namespaceFiles(index: CodeIndex, namespace: string): string[] {
  const last = namespace.slice(namespace.lastIndexOf(".") + 1);
  const declared = new RegExp(`^[ \\t]*namespace[ \\t]+${namespace.replaceAll(".", "\\.")}[ \\t]*[;{\\r\\n]`, "m");
  const found: string[] = [];
  for (const folder of index.folders) {
    if (!`/${folder}/`.includes(`/${last}/`) && !`/${folder}/`.includes(`.${last}/`)) continue;
    for (const path of index.pathsIn(folder)) {
      if (path.endsWith(".cs") && declared.test(index.text(path)!)) found.push(path);
    }
  }
  return found.slice(0, 50);
}

/**
 * The targets of `#include "store/ring.h"` and `<store/ring.h>`: the nearest file with that path,
 * beside the including file or in a folder above it, otherwise anywhere. Leading `./` and `../` are
 * ignored; files that the index does not have are left out.
 */
export const includeTargets: ImportReader = (index, path, text) =>
  [...text.matchAll(/^[ \t]*#[ \t]*(?:include|import)[ \t]*["<]([^">\r\n\u2028\u2029]+)[">]/gm)].flatMap(([, name]) => {
    const file = fileEndingWith(index, path, [name!.replace(/^(?:\.\.?\/)+/, "")]);
    return file === undefined || file === path ? [] : [{ paths: [file], names: undefined }];
  });

/** The first of {@link nearestFiles}. */
function fileEndingWith(index: CodeIndex, path: string, endings: readonly string[]): string | undefined {
  return nearestFiles(filesOf(index), path, endings)[0];
}

function filesOf(index: CodeIndex): FilesByEnding {
  return {
    has: (path) => index.has(path),
    endingWith: (ending) => index.pathsNamed(nameOf(ending)).filter((path) => `/${path}`.endsWith(`/${ending}`)),
  };
}

function folderEndingWith(index: CodeIndex, ending: string): string | undefined {
  for (const folder of index.folders) if (`/${folder}`.endsWith(`/${ending}`)) return folder;
  return undefined;
}

/** The longest folder of the index that `path` ends with. */
function longestFolder(index: CodeIndex, path: string): string | undefined {
  for (let at = path; ; ) {
    if (index.pathsIn(at).length > 0) return at;
    const slash = at.indexOf("/");
    if (slash < 0) return undefined;
    at = at.slice(slash + 1);
  }
}

/** `a, b as c` as `[a, a]` and `[b, c]`; of `a.b` without another name the last part is its own. */
function aliases(list: string): [string, string][] {
  const bare = list.replace(/#[^\n]*|\\(?=\r?\n)/g, "");
  return bare.split(",").flatMap((part): [string, string][] => {
    const match = /^\s*([\w.]+)(?:\s+as\s+(\w+))?\s*$/.exec(part);
    return match === null ? [] : [[match[1]!, match[2] ?? match[1]!]];
  });
}

/** The distinct names that follow `name.` in a text, or `name` and another `dot`, in text order. */
export function membersOf(text: string, name: string, dot = "."): string[] {
  const found = new Set<string>();
  const start = name + dot;
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
    if (/[\w.]/.test(text[at - 1] ?? "")) continue;
    const member = /^\w+/.exec(text.slice(at + start.length, at + start.length + 100))?.[0];
    if (member !== undefined) found.add(member);
  }
  return [...found];
}
