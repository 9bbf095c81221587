import { WorkspaceTypes } from "../analysis/node/index.ts";
import { configuresScripts } from "../names/index.ts";
import { TypeScriptMembers } from "../server/session/index.ts";
import { readSources } from "../workspace/index.ts";
import { blockingDisk, systemClock, waitingClock } from "../workspace/node/index.ts";
import type { OpenedFile } from "./open-file.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { walkFiles } from "./walk-files.ts";

/** The members of types in a file; the caller disposes of it. */
export type OpenMembers = Pick<TypeScriptMembers, "sourceFor"> & AsyncDisposable;

/**
 * Opens the members of types for one file, with what it imports. The type checker is started by the
 * first request, which waits `timeoutMs` milliseconds at most.
 */
export function openMembers(
  { root, path, text }: OpenedFile,
  limits: { readonly timeoutMs: number; readonly maxMemoryMb: number },
  { signal }: Terminal,
): OpenMembers {
  let opening: Promise<WorkspaceTypes> | undefined;
  const open = async () => {
    const { files } = await walkFiles(root, { signal }, () => undefined);
    const texts = new Map([[path, text]]);
    // TypeScript reads what these import by itself.
    const wanted = [...files.keys()].filter((one) => one !== path && isAmbient(one));
    for await (const answer of readSources(root, wanted, { fileSystem: blockingDisk, signal }))
      if (answer.kind === "source") texts.set(answer.path, answer.text);
    return new WorkspaceTypes({
      ...{ root, fileSystem: blockingDisk, clock: systemClock, whenRead: Promise.resolve() },
      files: { paths: () => texts.keys(), textOf: (one) => texts.get(one) },
      openPaths: () => [path],
      maxTypesMemoryMb: () => limits.maxMemoryMb,
      onProblem: () => undefined,
    });
  };
  const members = new TypeScriptMembers({
    ...{ clock: waitingClock, timeoutMs: limits.timeoutMs },
    typesFor: async (one) => {
      opening ??= open();
      return (await opening).want(one, { isUrgent: true });
    },
  });
  return {
    sourceFor: (one) => members.sourceFor(one),
    async [Symbol.asyncDispose]() {
      const types = await opening?.catch(() => undefined);
      await types?.[Symbol.asyncDispose]();
    },
  };
}

/** Whether a file counts for all scripts of a workspace, also where none imports it. */
function isAmbient(path: string): boolean {
  return /\.d\.[cm]?ts$/.test(path) || configuresScripts(path);
}
