import * as promises from "node:fs/promises";

/** The calls to the disk that writing needs, as Node names them, so that a test can have any of them fail. */
export type EditDisk = Pick<
  typeof promises,
  | "link"
  | "lstat"
  | "mkdir"
  | "open"
  | "readdir"
  | "readFile"
  | "readlink"
  | "realpath"
  | "rename"
  | "rmdir"
  | "stat"
  | "symlink"
  | "unlink"
>;

/** The machine's own disk. */
export const systemDisk: EditDisk = promises;

/** The system's name of what went wrong, such as `ENOENT`; empty where it has none. */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Whether an error says that there is nothing at a path. */
export function isMissing(error: unknown): boolean {
  const code = systemCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}
