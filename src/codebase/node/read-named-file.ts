import { createReadStream } from "node:fs";
import { FileSystemError } from "../file-system.ts";
import { failureOf } from "./disk.ts";

/** The most bytes of a named file, which is the most that a string can hold. */
const maxNamedBytes = 2 ** 29 - 25;

/**
 * The bytes of a file that the user names on the command line. It may be a pipe such as
 * `<(git diff)` or `/dev/stdin`, which is read to its end. Files of the workspace are read by a
 * `FileSystem` instead, which never waits for a pipe.
 *
 * `path` is absolute. Rejects with a {@link FileSystemError}; `too-large` after 512 MB.
 */
export async function readNamedFile(path: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxNamedBytes) throw new FileSystemError("too-large", path);
      chunks.push(chunk);
    }
  } catch (cause) {
    throw cause instanceof FileSystemError ? cause : new FileSystemError(failureOf(cause), path, { cause });
  }
  return Buffer.concat(chunks);
}
