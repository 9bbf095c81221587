import { watch } from "chokidar";
import type { Watch } from "../watch.ts";
import { joinPath } from "../workspace-path.ts";
import { toPortablePath } from "./disk.ts";

/**
 * Watches the machine's own disk. Links are not followed: what they lead to is looked at when they are.
 *
 * Only folders are watched, which tell of the files in them on every system; a watch on each file as well would take
 * three times as long to set up and soon come to the system's limit. Where the environment has `CHOKIDAR_USEPOLLING`,
 * files are watched too, because a folder that is polled only tells of names.
 */
export const watchDisk: Watch = async ({ paths, isOut, onTouch, onError }) => {
  const asked = new Set(paths);
  const watcher = watch([...paths], {
    ignored: (name, stats) => {
      const path = toPortablePath(name);
      if (asked.has(path)) return false;
      if (stats === undefined) return isOut(path, undefined);
      if (stats.isDirectory()) return isOut(path, "folder");
      return !watcher.options.usePolling || isOut(path, "file");
    },
    ignoreInitial: true,
    ignorePermissionErrors: true,
    followSymlinks: false,
    // Saves by renaming are joined by whoever listens; this would only add a delay, and hide files named `*~`.
    atomic: false,
  });
  watcher.on("all", (_, path) => onTouch(toPortablePath(path)));
  // The system's own events, because they tell of the files in a folder and leave nothing out. They name what is watched
  // and, if that is a folder, a name in it; which of both it is they do not say, so we take it for either.
  watcher.on("raw", (_, name, details: unknown) => {
    const watched = toPortablePath((details as { readonly watchedPath?: string } | undefined)?.watchedPath ?? "");
    if (watched === "") return;
    for (const path of name ? [watched, joinPath(watched, toPortablePath(name))] : [watched]) {
      if (!isOut(path, undefined)) onTouch(path);
    }
  });
  watcher.on("error", onError);
  await new Promise<void>((resolve) => watcher.once("ready", resolve));
  return {
    add: (path) => void watcher.add(path),
    [Symbol.asyncDispose]: () => watcher.close(),
  };
};
