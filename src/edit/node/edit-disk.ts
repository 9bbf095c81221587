import * as promises from "node:fs/promises";
import { readRegularFile } from "../../workspace/node/index.ts";

/**
 * The disk calls that writing needs, with Node's names, so that a test can make any of them fail.
 */
export type EditDisk = Pick<
  typeof promises,
  | "link"
  | "lstat"
  | "mkdir"
  | "open"
  | "readdir"
  | "readlink"
  | "realpath"
  | "rename"
  | "rmdir"
  | "stat"
  | "symlink"
  | "unlink"
> & {
  /** Reads the bytes of a regular file; see {@link readRegularFile}. */
  readFile(path: string, options?: { readonly maxBytes?: number }): Promise<Buffer>;
};

/** The disk of this machine. */
export const systemDisk: EditDisk = { ...promises, readFile: readRegularFile };

/** The system's error code, such as `ENOENT`; empty where the error has none. */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Whether an error means that there is nothing at a path: `ENOENT` or `ENOTDIR`. */
export function isMissing(error: unknown): boolean {
  const code = systemCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}
