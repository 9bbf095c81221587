import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** A block as a case names it. */
export interface NamedBlock {
  readonly file: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * One real commit: the declaration that changed first, and what had to change with it. The fields
 * are described beside the cases.
 */
export interface ImpactCase {
  readonly id: string;
  readonly repo: string;
  readonly commit: string;
  readonly parent: string;
  readonly seed: NamedBlock & {
    readonly change: "signature" | "rename";
    readonly after: { readonly kind: string; readonly name: string };
    readonly support: readonly NamedBlock[];
  };
  readonly forced: readonly (NamedBlock & { readonly wave: number; readonly codes: readonly number[] })[];
  readonly linked: readonly NamedBlock[];
  readonly other: readonly NamedBlock[];
}

/** Where a repository's sources lie. */
export interface RepositoryScope {
  readonly include: RegExp;
  readonly exclude?: RegExp;
}

export function readCases(path: string): ImpactCase[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as ImpactCase);
}

/**
 * Tells which files of a repository are analysed: those that the list beside the cases names
 * (`lib/repos.mjs`), else all scripts that are not tests' fixtures, examples or built.
 */
export async function readScopes(
  casesPath: string,
  clones: string,
): Promise<(repo: string) => (path: string) => boolean> {
  const list = resolve(dirname(casesPath), "lib/repos.mjs");
  process.env["IMPACT_MIRROR"] ??= clones;
  const module = existsSync(list)
    ? ((await import(pathToFileURL(list).href)) as { REPOS: Record<string, RepositoryScope> })
    : undefined;
  return (repo) => {
    const { include, exclude } = module?.REPOS[repo] ?? { include: /./ };
    return (path) =>
      /\.(tsx?|mts|cts)$/.test(path) && include.test(path) && !(exclude?.test(path) ?? false) && !outside.test(path);
  };
}

const outside =
  /(^|\/)(node_modules|dist|build|fixtures?|__fixtures__|templates?|playground|examples?|docs|website|benchmarks?)\//;

const groups: ReadonlyMap<string, string> = new Map([
  ["variable", "vf"],
  ["function", "vf"],
  ["interface", "it"],
  ["type", "it"],
]);

/**
 * A block's key as the cases compare it: a constant may become a function and an interface a type,
 * and are the same block.
 */
export function caseKey({ file, kind, name }: NamedBlock): string {
  return `${file}|${groups.get(kind) ?? kind}:${name}`;
}
