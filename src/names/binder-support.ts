import type { PlainNode } from "../syntax/index.ts";
import { csharpNames } from "./csharp-names.ts";
import type { NameFacts } from "./name-facts.ts";
import { pythonNames } from "./python-names.ts";

/** What the resolution of names without a type checker knows of a language. One row a language. */
export interface BinderSupport {
  /**
   * Reads the names of a file with its classes, types and modules. Default: blocks are
   * declarations, and every other identifier is a mention, by name alone.
   */
  readonly read?: (path: string, text: string, root: PlainNode) => NameFacts;
  /**
   * Whether files are modules, and unqualified names are those of the file and its imports.
   * Default: names are looked up in the classes around them, then among the types that are nearest.
   */
  readonly hasModules?: boolean;
  /** Whether unqualified names outside of classes are types only. */
  readonly hasTopLevelTypesOnly?: boolean;
  /** Whether values of a library have no members of the workspace but extension methods. */
  readonly hasExtensions?: boolean;
  /** The name of constructors, and whether a class has those of its base class. */
  readonly constructors?: { readonly name: string; readonly areInherited: boolean };
  /**
   * Members of the language's built-in objects: strings, lists, maps, files. If the class of an
   * object is unknown, such a name doesn't identify a member of the workspace, because most objects
   * that have it are built-in.
   */
  readonly commonMembers?: ReadonlySet<string>;
}

/**
 * The languages whose names are resolved, by id in the registry. Scripts are not among them, since
 * they have a type checker.
 */
export const binders: Readonly<Record<string, BinderSupport>> = {
  python: {
    read: pythonNames,
    hasModules: true,
    constructors: { name: "__init__", areInherited: true },
    // Source: the methods of the built-in types.
    commonMembers: words(
      "append add clear close copy count decode discard encode endswith extend find flush format get index insert items join keys " +
        "lower lstrip open pop popitem read readline readlines remove replace reverse rstrip seek setdefault sort split splitlines " +
        "startswith strip title update upper values write name mean sum min max item shape size type data",
    ),
  },
  csharp: {
    read: csharpNames,
    hasTopLevelTypesOnly: true,
    hasExtensions: true,
    constructors: { name: ".ctor", areInherited: false },
    // Source: the methods of `object`, `string`, collections, tasks and LINQ.
    commonMembers: words(
      "Add AddRange All Any Append Clear Close Contains ContainsKey Copy Count Dispose Equals Find First FirstOrDefault Format GetHashCode " +
        "GetType IndexOf Insert Invoke Join Key Keys Last Length Max Message Min Name Remove Replace Result Select Single " +
        "SingleOrDefault Sort Split Start Stop Substring Sum ToArray ToList ToString Trim TryGetValue Value Values Where Id Type",
    ),
  },
  java: {},
  go: {},
  rust: {},
  c: {},
  cpp: {},
  ruby: {},
  php: {},
};

/**
 * How the names of a language are resolved without a type checker: with their classes, types and
 * modules, or by name alone; `undefined` where they are not.
 */
export function nameResolution(languageId: string): "classes" | "names" | undefined {
  const binder = binders[languageId];
  return binder && (binder.read === undefined ? "names" : "classes");
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
