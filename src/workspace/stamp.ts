/**
 * What to remember of a file's time of change, so that the same size and time mean the same
 * content: `mtimeMs`, or -1. Both times are in milliseconds since 1970.
 *
 * A file that changed right before it was read may change again within the same tick of the disk's
 * clock: of such a file the result is -1, which is no file's time, so that its content is compared
 * next time. Disks that count in seconds are recognized by their round numbers. Source: the racy
 * index of git, Documentation/technical/racy-git.txt.
 */
export function stampOf(mtimeMs: number, readAtMs: number): number {
  const tickMs = mtimeMs % 1000 === 0 ? 2000 : 20;
  return mtimeMs + tickMs < readAtMs ? mtimeMs : -1;
}
