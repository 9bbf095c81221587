import { realpathSync } from "node:fs";
import { readSources, walkWorkspace } from "../../src/workspace/index.ts";
import { disk, toPortablePath } from "../../src/workspace/node/index.ts";
import { collectCommits } from "./collect-commits.ts";
import { collectStatic } from "./collect-static.ts";
import { GitHistory } from "./git-history.ts";
import { isLearnablePath } from "./learnable.ts";
import { RowCollector } from "./row-collector.ts";
import type { Rows } from "./rows.ts";

/** The share of a repository's rows that come from its commits, where it has any. */
const commitShare = 0.6;

/** How many rows a folder gives, and the source of chance. */
export interface FolderQuota {
  readonly rows: number;
  readonly random: () => number;
}

/**
 * Collects rows from a git repository, bare or not, or from any other folder. Answers which of both
 * it is.
 */
export async function collectFolder(
  rows: Rows,
  folder: string,
  { rows: wanted, random }: FolderQuota,
): Promise<"repository" | "folder"> {
  const history = GitHistory.tryOpen(folder);
  const fromCommits = history === undefined ? 0 : Math.round(wanted * commitShare);
  const files = history === undefined ? await filesOf(folder) : committedFiles(history);
  const characters = [...files.values()].reduce((sum, text) => sum + text.length, 0);
  const collector = new RowCollector(rows, characters, random);
  for (const [path, text] of files) collector.learn(path, text);
  collectStatic(collector, files, { rows: wanted - fromCommits, random });
  if (history !== undefined) collectCommits(rows, history, { rows: fromCommits, random });
  return history === undefined ? "folder" : "repository";
}

function committedFiles(history: GitHistory): Map<string, string> {
  const tree = [...history.tree("HEAD")].filter(([path]) => isLearnablePath(path));
  const texts = history.texts(tree.map(([, blob]) => blob));
  const files = new Map<string, string>();
  for (const [path, blob] of tree) {
    const text = texts.get(blob);
    if (text !== undefined) files.set(path, text);
  }
  return files;
}

async function filesOf(folder: string): Promise<Map<string, string>> {
  const root = toPortablePath(realpathSync(folder));
  const paths: string[] = [];
  for await (const item of walkWorkspace(root, { fileSystem: disk })) if (item.kind === "file") paths.push(item.path);
  const files = new Map<string, string>();
  for await (const answer of readSources(root, paths, { fileSystem: disk })) {
    if (answer.kind === "source") files.set(answer.path, answer.text);
  }
  return files;
}
