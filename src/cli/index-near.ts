import { CodeIndex } from "../context/index.ts";
import { findDependencyTypes, importedModules } from "../server/session/index.ts";
import { hasScripts } from "../syntax/index.ts";
import { type FileSystem, folderOf, readSources, walkWorkspace } from "../workspace/index.ts";
import type { OpenedFile } from "./open-file.ts";

/** How much is indexed for one file, and how long that may take. */
export interface IndexNearOptions {
  readonly fileSystem: FileSystem;
  /** The time after which indexing stops. */
  readonly budgetMs: number;
  /** The most bytes of declaration files of dependencies. */
  readonly maxDependencyBytes: number;
  readonly signal: AbortSignal;
  /** Milliseconds since some fixed time. */
  now(): number;
}

/** The index of a workspace for prompts. */
export interface NearIndex {
  readonly index: CodeIndex;
  /** Whether all files were indexed. */
  readonly isComplete: boolean;
}

/**
 * Indexes the texts of a workspace to be searched for one file: first the types of its imports,
 * then files near it, then all others. Rejects like `walkWorkspace`. After `budgetMs` milliseconds
 * it ends with what is indexed until then.
 */
export async function indexNear(file: OpenedFile, options: IndexNearOptions): Promise<NearIndex> {
  const { root, path, language, text } = file;
  const { fileSystem, budgetMs, maxDependencyBytes, signal, now } = options;
  const startMs = now();
  const isLate = () => now() - startMs > budgetMs;
  const modules = hasScripts(language) ? importedModules(text) : [];
  const imported = modules.map((specifier) => ({ specifier, folder: folderOf(path) }));
  const paths = await findDependencyTypes(imported, { root, fileSystem, maxBytes: maxDependencyBytes, signal });
  for await (const item of walkWorkspace(root, { fileSystem, focus: path, signal })) {
    if (item.kind === "file") paths.push(item.path);
    if (isLate()) break;
  }
  const index = new CodeIndex();
  for await (const answer of readSources(root, paths, { fileSystem, signal, unknownLanguages: "skip" })) {
    if (answer.kind === "source") index.set(answer.path, answer.language, answer.text);
    if (isLate()) return { index, isComplete: false };
  }
  return { index, isComplete: true };
}
