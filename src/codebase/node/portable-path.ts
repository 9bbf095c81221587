import { sep } from "node:path";

/** `path` with `/` in place of this system's separator, as a `FileSystem` expects it. */
export function toPortablePath(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}
