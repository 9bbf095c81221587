import { performance } from "node:perf_hooks";
import { joinPath, tryRelativePath } from "../../workspace/index.ts";
import { filesOfDisk, filesWithTexts, type TypeScriptFiles } from "./typescript-files.ts";
import { TypeScriptService } from "./typescript-service.ts";
import { type CheckerExcess, type CheckerLimits, excessOf, resourceOf } from "./watch-checker.ts";

/**
 * The files that a checker leaves out because its process exceeded a limit on them, with that
 * limit; paths are relative to the root.
 */
export type LeftOutFiles = ReadonlyMap<string, CheckerExcess["kind"]>;

/** The options of {@link findFilesOverLimit}. */
export interface CulpritSearch {
  /** The absolute path of the workspace, with `/`. */
  readonly root: string;
  readonly files?: TypeScriptFiles | undefined;
  readonly limits?: Partial<CheckerLimits> | undefined;
  /** The configuration of a project without the files in `leftOut`. */
  configOf(leftOut: LeftOutFiles): Promise<string>;
  /** Files that are left out already. */
  readonly leftOut: LeftOutFiles;
  /**
   * The files of the request that exceeded the limit; empty when the project could not be opened.
   */
  readonly suspects: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds the files on which TypeScript's process exceeds a limit of memory or time, with one process
 * for each try.
 *
 * A process with one thread parses one file after the other, so the file that it read last is the
 * one that it cannot parse. Suspects are checked one by one. At most ten processes are started,
 * within a minute. The result has no files of `leftOut`, and is empty when all files together need
 * too much and no file does alone. Rejects with the signal's reason on abort, and with other errors
 * of the service.
 */
export async function findFilesOverLimit(search: CulpritSearch): Promise<LeftOutFiles> {
  const { root, leftOut, signal } = search;
  const endMs = performance.now() + maxSearchMs;
  const found = new Map<string, CheckerExcess["kind"]>();
  let suspects = search.suspects.filter((path) => !leftOut.has(path));
  for (let count = 0; count < maxProcesses && performance.now() < endMs; count += 1) {
    signal?.throwIfAborted();
    const without = new Map([...leftOut, ...found]);
    const config = await search.configOf(without);
    const end = await tryProject(search, { config, without, suspects });
    if (end.kind === "opened") return found;
    suspects = suspects.slice(end.checked);
    const path = end.checking ?? tryRelativePath(root, end.lastRead ?? "") ?? end.lastRead;
    if (path === undefined || without.has(path)) return found;
    // The file may need more than other files leave over; it is then tried again alone.
    const isAlone = end.checking === undefined ? await isTooMuchAlone(search, path) : end.checked === 0;
    if (isAlone || (end.checking !== undefined && end.excess === "stalled")) {
      found.set(path, end.excess);
      suspects = suspects.filter((suspect) => suspect !== path);
    } else if (end.checking === undefined) return found;
  }
  return found;
}

/** `files` without those in `leftOut`, whose paths are relative to the absolute folder `root`. */
export function filesWithout(root: string, files: TypeScriptFiles, leftOut: LeftOutFiles): TypeScriptFiles {
  if (leftOut.size === 0) return files;
  return filesWithTexts(files, new Map(Array.from(leftOut.keys(), (path) => [absoluteOf(root, path), null])));
}

/** The left-out files for people: `src/a.ts needs too much memory`. */
export function printLeftOut(leftOut: LeftOutFiles): string {
  return [...leftOut].map(([path, excess]) => `${path} needs too much ${resourceOf(excess)}`).join(", ");
}

/** The limits of one search. A file takes up to two processes, each until it exceeds its limit. */
const maxProcesses = 10;
const maxSearchMs = 60_000;

/** One file takes far less, also on a busy machine. */
const fileStallMs = 5_000;

type ProjectEnd =
  | { readonly kind: "opened" }
  | {
      readonly kind: "ended";
      readonly excess: CheckerExcess["kind"];
      /** The file that was being checked; `undefined` while the project was being opened. */
      readonly checking: string | undefined;
      /** The number of suspects that were checked before. */
      readonly checked: number;
      readonly lastRead: string | undefined;
    };

interface ProjectParts {
  readonly config: string;
  readonly without: LeftOutFiles;
  readonly suspects: readonly string[];
}

async function tryProject(search: CulpritSearch, { config, without, suspects }: ProjectParts): Promise<ProjectEnd> {
  const { root, files = filesOfDisk, limits, signal } = search;
  const configPath = joinPath(root, "tsconfig.emend.json");
  const service = new TypeScriptService({
    ...{ root, timeoutMs: maxSearchMs, files: filesWithout(root, files, without) },
    limits: { ...limits, stallMs: Math.min(fileStallMs, limits?.stallMs ?? fileStallMs) },
  });
  const requestOptions = { signal };
  let checking: string | undefined;
  let checked = 0;
  try {
    await service.update(new Map([[configPath, withOptions(config, { singleThreaded: true })]]), requestOptions);
    await service.openProjects([configPath], requestOptions);
    for (const path of suspects) {
      checking = path;
      await service.typeErrors(configPath, [joinPath(root, path)], requestOptions);
      checked += 1;
    }
    return { kind: "opened" };
  } catch (error) {
    const excess = excessOf(error);
    if (excess === undefined) throw error;
    return { kind: "ended", excess, checking, checked, lastRead: service.lastRead };
  } finally {
    await service.close();
  }
}

/** Whether the process exceeds a limit on this file alone. */
async function isTooMuchAlone(search: CulpritSearch, path: string): Promise<boolean> {
  const config = JSON.stringify({
    compilerOptions: { noLib: true, noResolve: true, allowJs: true, resolveJsonModule: true, types: [] },
    files: [absoluteOf(search.root, path)],
  });
  const end = await tryProject(search, { config, without: search.leftOut, suspects: [] });
  return end.kind === "ended";
}

function withOptions(config: string, options: object): string {
  const json = JSON.parse(config) as { readonly compilerOptions: object };
  return JSON.stringify({ ...json, compilerOptions: { ...json.compilerOptions, ...options } });
}

/** The absolute path of a file; files outside the root have absolute paths already. */
function absoluteOf(root: string, path: string): string {
  return path.startsWith("/") || /^[A-Za-z]:/.test(path) ? path : joinPath(root, path);
}
