/**
 * The part of `enhanced-resolve` that is used here. Its own declarations need Node's types, and its
 * main entry needs Node's file system.
 */
declare module "enhanced-resolve/lib/ResolverFactory.js" {
  export type Callback<T> = (error?: Error | null, result?: T) => void;

  export interface FileStats {
    isFile(): boolean;
    isDirectory(): boolean;
  }

  /**
   * A file system whose callbacks may be called before a function returns. Paths begin with `/`.
   */
  export interface ResolverFileSystem {
    stat(path: string, callback: Callback<FileStats>): void;
    /** Errors with a `code` mean that there is no file. */
    readJson(path: string, callback: Callback<object>): void;
    readFile(path: string, callback: Callback<string>): void;
    readlink(path: string, callback: Callback<string>): void;
  }

  export interface ResolverOptions {
    readonly fileSystem: ResolverFileSystem;
    readonly extensions: readonly string[];
    readonly conditionNames: readonly string[];
    readonly mainFields: readonly string[];
    readonly mainFiles?: readonly string[];
    readonly symlinks: boolean;
    readonly pnpApi: null;
  }

  export interface ResolveRequest {
    readonly context: object;
    readonly path: string | false;
    readonly request: string;
  }

  export interface Resolver {
    readonly hooks: { readonly resolve: object };
    /** `resolve` without the message of a failure, for which it resolves once more. */
    doResolve(
      hook: object,
      request: ResolveRequest,
      message: null,
      resolveContext: object,
      callback: Callback<{ readonly path: string | false }>,
    ): void;
  }

  const factory: { createResolver(options: ResolverOptions): Resolver };
  // biome-ignore lint/style/noDefaultExport: A CommonJS module has a default export only.
  export default factory;
}
