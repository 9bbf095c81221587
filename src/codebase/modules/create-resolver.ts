/// <reference path="./resolver-factory.d.ts" />
import factory, { type Resolver, type ResolverFileSystem } from "enhanced-resolve/lib/ResolverFactory.js";

/** The dependencies of a {@link Resolver}, and what it looks for. */
export interface ResolverParts {
  /** Paths begin with `/`. */
  readonly fileSystem: ResolverFileSystem;
  readonly extensions: readonly string[];
  readonly conditions: readonly string[];
  /** The fields of a manifest that name the entry of a package without `exports`. */
  readonly mainFields: readonly string[];
  /** The name of an entry in a folder, without extension. */
  readonly mainFile: string;
}

/** Makes a resolver that neither caches results nor follows links. */
export function createResolver({ conditions, mainFile, ...parts }: ResolverParts): Resolver {
  const fixed = { symlinks: false, pnpApi: null };
  return factory.createResolver({ ...parts, ...fixed, conditionNames: conditions, mainFiles: [mainFile] });
}

/**
 * Resolves a module name in a folder, both as paths of a workspace; `undefined` where it cannot be
 * resolved. The file system must call back at once.
 */
export function resolveAtOnce(resolver: Resolver, request: string, folder: string): string | undefined {
  let path: string | undefined;
  const place = { context: {}, path: `/${folder}`, request };
  // A failure is an error where a package exports no such path, else there is no result. Both mean
  // the same here.
  resolver.doResolve(resolver.hooks.resolve, place, null, {}, (_, result) => {
    if (typeof result?.path === "string") path = result.path.slice(1);
  });
  return path;
}

/**
 * Resolves a module name as {@link resolveAtOnce} does, with a file system that calls back later.
 */
export function resolveLater(resolver: Resolver, request: string, folder: string): Promise<string | undefined> {
  const place = { context: {}, path: `/${folder}`, request };
  return new Promise((done) => {
    resolver.doResolve(resolver.hooks.resolve, place, null, {}, (_, result) => {
      done(typeof result?.path === "string" ? result.path.slice(1) : undefined);
    });
  });
}

/** What a file system answers for a file, for a folder, and where there is neither. */
export const aFile = { isFile: () => true, isDirectory: () => false };
export const aFolder = { isFile: () => false, isDirectory: () => true };
export const missing = Object.assign(new Error("There is no such file."), { code: "ENOENT" });
