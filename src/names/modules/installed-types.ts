import type { Resolver } from "enhanced-resolve/lib/ResolverFactory.js";
import { folderOf, joinPath, tryResolvePath } from "../../workspace/index.ts";
import { objectInJson } from "./compiler-options.ts";
import type { resolveLater } from "./create-resolver.ts";
import { declarationPath, typePaths } from "./script-files.ts";
import { lenient, type Search, types, typesPackage, untypedTypes } from "./searches.ts";
import { packageParts } from "./specifier.ts";

/** A disk; paths are relative to the root of the workspace. Neither method rejects. */
export interface DiskFiles {
  kindOf(path: string): Promise<"file" | "folder" | undefined>;
  /** Returns the text of a file; `undefined` where it cannot be read. Called for `package.json`. */
  textOf(path: string): Promise<string | undefined>;
}

const extensions = [".d.ts", ".d.mts", ".d.cts"];

/** The first two as TypeScript, the last with the conditions of other programs. */
const searches: readonly Search[] = [types, untypedTypes, lenient].map((search) => ({ ...search, extensions }));

interface Resolving {
  readonly resolvers: readonly Resolver[];
  readonly resolveLater: typeof resolveLater;
}

/**
 * Finds the declaration files of installed packages on a disk, by the rules of `ModuleResolver`.
 * Sources in TypeScript do not count: they are mostly the workspace's own, behind a link. What it
 * read of the disk is cached; valid while the installed packages stay the same.
 */
export class InstalledTypes {
  readonly #files: DiskFiles;
  #resolving: Promise<Resolving> | undefined;
  readonly #kinds = new Map<string, Promise<"file" | "folder" | undefined>>();
  readonly #manifests = new Map<string, Promise<object | undefined>>();

  constructor(files: DiskFiles) {
    this.#files = files;
  }

  /**
   * Returns the declaration file of a package's module that files in `folder` import; `undefined`
   * where there is none. It may be in a package of types (`@types/`).
   */
  async find(specifier: string, folder: string): Promise<string | undefined> {
    const { name, rest } = packageParts(specifier);
    const packages = [name, typesPackage(name)].map(async (one) =>
      (await this.#isInstalled(one, folder)) ? one : undefined,
    );
    const installed = (await Promise.all(packages)).filter((one) => one !== undefined);
    if (installed.length === 0) return undefined;
    this.#resolving ??= this.#loadResolvers();
    const { resolvers, resolveLater } = await this.#resolving;
    for (const resolver of resolvers) {
      for (const one of installed) {
        const path = await resolveLater(resolver, joinPath(one, rest), folder);
        const file = path === undefined ? undefined : await this.#fileAt(path);
        if (file !== undefined) return file;
      }
    }
    return undefined;
  }

  /**
   * Returns the declaration file that a path in `folder` means, with or without an extension, or
   * that of a folder; `undefined` where there is none.
   */
  async findBeside(target: string, folder: string): Promise<string | undefined> {
    const path = tryResolvePath(folder, target);
    if (path === undefined) return undefined;
    const stems = [path, joinPath(path, "index")];
    for (const one of [
      path,
      declarationPath(path),
      ...stems.flatMap((stem) => extensions.map((extension) => stem + extension)),
    ]) {
      const file = await this.#fileAt(one);
      if (file !== undefined) return file;
    }
    return undefined;
  }

  /** Loads the library that resolves, which takes longer than the rest of a short command. */
  async #loadResolvers(): Promise<Resolving> {
    const { aFile, aFolder, createResolver, resolveLater } = await import("./create-resolver.ts");
    const files = {
      statsOf: async (path: string) => {
        if ((await this.#fileAt(path)) !== undefined) return aFile;
        return (await this.#kindOf(path)) === "folder" ? aFolder : undefined;
      },
      jsonOf: (path: string) => this.#manifestAt(path),
    };
    return { resolvers: searches.map((search) => createResolver({ ...search, files })), resolveLater };
  }

  async #isInstalled(name: string, folder: string): Promise<boolean> {
    for (let at = folder; ; at = folderOf(at)) {
      const modules = joinPath(at, "node_modules");
      if ((await this.#kindOf(modules)) !== undefined && (await this.#kindOf(joinPath(modules, name))) === "folder")
        return true;
      if (at === "") return false;
    }
  }

  async #fileAt(path: string): Promise<string | undefined> {
    for (const one of typePaths(path)) {
      if (/\.d\.[cm]?ts$/.test(one) && (await this.#kindOf(one)) === "file") return one;
    }
    return undefined;
  }

  #kindOf(path: string): Promise<"file" | "folder" | undefined> {
    const known = this.#kinds.get(path) ?? this.#files.kindOf(path);
    this.#kinds.set(path, known);
    return known;
  }

  #manifestAt(path: string): Promise<object | undefined> {
    const known = this.#manifests.get(path) ?? this.#readManifest(path);
    this.#manifests.set(path, known);
    return known;
  }

  async #readManifest(path: string): Promise<object | undefined> {
    const text = await this.#files.textOf(path);
    return text === undefined ? undefined : objectInJson(text);
  }
}
