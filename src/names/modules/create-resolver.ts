/// <reference path="./resolver-factory.d.ts" />
import factory, { type Callback, type FileStats, type Resolver } from "enhanced-resolve/lib/ResolverFactory.js";

/**
 * The files that a {@link Resolver} sees, by their paths from the root of the workspace. Both
 * methods return `undefined` for what does not exist; a promise must not reject.
 */
export interface ResolverFiles {
  statsOf(path: string): Found<FileStats>;
  /** Returns the object in a JSON file. */
  jsonOf(path: string): Found<object>;
}

type Found<T> = T | undefined | Promise<T | undefined>;

/** The dependencies of a {@link Resolver}, and what it looks for. */
export interface ResolverParts {
  readonly files: ResolverFiles;
  readonly extensions: readonly string[];
  readonly conditions: readonly string[];
  /** The fields of a manifest that name the entry of a package without `exports`. */
  readonly mainFields: readonly string[];
  /** The name of an entry in a folder, without extension. */
  readonly mainFile: string;
}

/** Makes a resolver that neither caches results nor follows links. */
export function createResolver({ files, conditions, mainFile, ...parts }: ResolverParts): Resolver {
  return factory.createResolver({
    ...{ ...parts, conditionNames: conditions, mainFiles: [mainFile], symlinks: false, pnpApi: null },
    fileSystem: {
      stat: (path, callback) => answer(files.statsOf(path.slice(1)), callback),
      readJson: (path, callback) => answer(files.jsonOf(path.slice(1)), callback),
      readFile: (_, callback) => callback(missing),
      readlink: (_, callback) => callback(missing),
    },
  });
}

function answer<T>(found: Found<T>, callback: Callback<T>): void {
  if (found instanceof Promise) void found.then((one) => answer(one, callback));
  else if (found === undefined) callback(missing);
  else callback(null, found);
}

const missing = Object.assign(new Error("There is no such file."), { code: "ENOENT" });

/**
 * Resolves a module name in a folder, both as paths of a workspace; `undefined` where it cannot be
 * resolved. The files of the resolver must not be promises.
 */
export function resolveAtOnce(resolver: Resolver, request: string, folder: string): string | undefined {
  let path: string | undefined;
  resolve(resolver, request, folder, (found) => {
    path = found;
  });
  return path;
}

/**
 * Resolves a module name as {@link resolveAtOnce} does, also where the files are promises.
 */
export function resolveLater(resolver: Resolver, request: string, folder: string): Promise<string | undefined> {
  return new Promise((done) => resolve(resolver, request, folder, done));
}

function resolve(resolver: Resolver, request: string, folder: string, done: (path: string | undefined) => void): void {
  const place = { context: {}, path: `/${folder}`, request };
  // A failure is an error where a package exports no such path, else there is no result. Both mean
  // the same here.
  resolver.doResolve(resolver.hooks.resolve, place, null, {}, (_, result) => {
    done(typeof result?.path === "string" ? result.path.slice(1) : undefined);
  });
}

/** The stats of a file and of a folder. */
export const aFile: FileStats = { isFile: () => true, isDirectory: () => false };
export const aFolder: FileStats = { isFile: () => false, isDirectory: () => true };
