import { watch } from "chokidar";
import type { Watch } from "../watch.ts";
import { joinPath } from "../workspace-path.ts";
import { toPortablePath } from "./disk.ts";

/**
 * A {@link Watch} of this machine's disk. Links are not followed.
 *
 * Only folders are watched, which report their files on every system. A watch on each file would
 * take three times as long to set up and soon reach the system's limit. With the environment
 * variable `CHOKIDAR_USEPOLLING` files are watched too, because a polled folder reports names only.
 */
export const watchDisk: Watch = async ({ paths, isExcluded, onChange, onError }) => {
  const requested = new Set(paths);
  const watcher = watch([...paths], {
    ignored: (name, stats) => {
      const path = toPortablePath(name);
      if (requested.has(path)) return false;
      if (stats === undefined) return isExcluded(path, undefined);
      if (stats.isDirectory()) return isExcluded(path, "folder");
      return !watcher.options.usePolling || isExcluded(path, "file");
    },
    ignoreInitial: true,
    ignorePermissionErrors: true,
    followSymlinks: false,
    // The receiver already combines saves by renaming; this option would only add a delay and hide
    // files named `*~`.
    atomic: false,
  });
  watcher.on("all", (_, path) => onChange(toPortablePath(path)));
  // Raw events of the system report the files in a folder and omit nothing. They contain the
  // watched path and, for a folder, a name in it. Which of the two it is remains open, so both are
  // reported.
  watcher.on("raw", (_, name, details: unknown) => {
    const watched = toPortablePath((details as { readonly watchedPath?: string } | undefined)?.watchedPath ?? "");
    if (watched === "") return;
    for (const path of name ? [watched, joinPath(watched, toPortablePath(name))] : [watched]) {
      if (!isExcluded(path, undefined)) onChange(path);
    }
  });
  watcher.on("error", onError);
  await new Promise<void>((resolve) => watcher.once("ready", resolve));
  return {
    add: (path) => void watcher.add(path),
    [Symbol.asyncDispose]: () => watcher.close(),
  };
};
