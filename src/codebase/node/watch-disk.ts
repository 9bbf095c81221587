import { watch } from "chokidar";
import type { Watch } from "../watch.ts";
import { joinPath } from "../workspace-path.ts";
import { toPortablePath } from "./disk.ts";

/** Watches the machine's own disk. Links are not followed: what they lead to is looked at when they are. */
export const watchDisk: Watch = async ({ paths, isOut, onTouch, onError }) => {
  const watcher = watch([...paths], {
    ignored: (path, stats) => {
      const kind = stats === undefined ? undefined : stats.isDirectory() ? "folder" : "file";
      return isOut(toPortablePath(path), kind);
    },
    ignoreInitial: true,
    ignorePermissionErrors: true,
    followSymlinks: false,
    // Saves by renaming are joined by whoever listens; this would only add a delay, and hide files named `*~`.
    atomic: false,
  });
  watcher.on("all", (_, path) => onTouch(toPortablePath(path)));
  // The joined events leave out a second change within 50 ms, and with it the last state of a file. So we listen to the
  // system's own events too. They name the watched file, or the watched folder and a name in it: we take it for both.
  watcher.on("raw", (_, name, details: unknown) => {
    const watched = toPortablePath((details as { readonly watchedPath?: string } | undefined)?.watchedPath ?? "");
    if (watched === "") return;
    for (const path of name ? [watched, joinPath(watched, name)] : [watched])
      if (!isOut(path, undefined)) onTouch(path);
  });
  watcher.on("error", onError);
  await new Promise<void>((resolve) => watcher.once("ready", resolve));
  return {
    add: (path) => void watcher.add(path),
    [Symbol.asyncDispose]: () => watcher.close(),
  };
};
