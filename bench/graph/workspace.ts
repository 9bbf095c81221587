import { readFileSync } from "node:fs";
import { isScript } from "../../src/names/index.ts";
import { walkWorkspace } from "../../src/workspace/index.ts";
import { disk } from "../../src/workspace/node/index.ts";

/** The files of a folder, by the rules of the tool itself for what is read. */
export interface BenchWorkspace {
  readonly root: string;
  readonly paths: readonly string[];
  readonly scripts: readonly string[];
  /** The text of a file as it is on the disk, or `undefined` where there is none. */
  readonly readText: (path: string) => Promise<string | undefined>;
}

/** Lists the files of the absolute folder `root`. */
export async function openWorkspace(root: string): Promise<BenchWorkspace> {
  const paths: string[] = [];
  for await (const item of walkWorkspace(root, { fileSystem: disk })) if (item.kind === "file") paths.push(item.path);
  return { root, paths, scripts: paths.filter(isScript), readText: async (path) => tryRead(`${root}/${path}`) };
}

function tryRead(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
