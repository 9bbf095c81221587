import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type EditDisk, type FileRefusal, fileRefusal, maxEditBytes, refusalOfError } from "../../edit/node/index.ts";
import { decodeText, tryRelativePath } from "../../workspace/index.ts";
import { toPortablePath } from "../../workspace/node/index.ts";
import { resolveServedPath, type ServedPath } from "./resolve-served-path.ts";

/** The most bytes of a file that the page opens or saves; the same limit as for edits. */
export const maxServedBytes = maxEditBytes;

/** The text of a file in the served folder, or why it is not read. */
export type ServedFileAnswer =
  | { readonly kind: "file"; readonly place: ServedPath; readonly text: string; readonly hash: string }
  | { readonly kind: "refused"; readonly refusal: FileRefusal };

/**
 * Reads the text of the file at `path` in the folder `root`, an absolute path with links resolved.
 * A byte order mark stays in the text. A failure of the disk gives the answer `refused`, not a
 * rejection.
 *
 * Files with secrets are read like others: their owner opens them, as in any editor.
 */
export async function readServedFile(root: string, path: string, disk: EditDisk): Promise<ServedFileAnswer> {
  const answer = await resolveServedPath(root, path, disk);
  if (answer.kind === "refused") return answer;
  const { place } = answer;
  const refuse = (...about: Parameters<typeof fileRefusal>): ServedFileAnswer => ({
    kind: "refused",
    refusal: fileRefusal(...about),
  });
  if (place.holds === "nothing") return refuse("missing", path);
  if (place.holds !== "file") return refuse(place.holds, path);
  try {
    const bytes = await readInside(root, place, disk);
    if (bytes === "outside" || bytes === "special") return refuse(bytes, path);
    if (bytes.length > maxServedBytes) {
      return refuse("oversized", path, `more than ${maxServedBytes.toLocaleString("en")} bytes`);
    }
    const decoded = decodeText(bytes);
    if (decoded.kind !== "text") return refuse(decoded.kind, path, decoded.detail);
    return { kind: "file", place, text: decoded.text, hash: hashOf(bytes) };
  } catch (error) {
    return { kind: "refused", refusal: refusalOfError(error, path) };
  }
}

/** The hash that identifies the content of a file: SHA-256 of its bytes, in hexadecimal. */
export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * The bytes of a file, at most one more than {@link maxServedBytes}.
 *
 * A folder of its path may have been replaced by a link since the path was resolved. So the opened
 * file is compared with the one inside the root now: only if both are the same file was it inside.
 */
async function readInside(
  root: string,
  { entry, real }: ServedPath,
  disk: EditDisk,
): Promise<Buffer | "outside" | "special"> {
  // `O_NONBLOCK`: opening a named pipe would block otherwise.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const handle = await disk.open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const opened = await handle.stat({ bigint: true });
    if (!opened.isFile()) return "special";
    const now = toPortablePath(await disk.realpath(entry));
    if (tryRelativePath(root, now) === undefined) return "outside";
    const inside = await disk.stat(now, { bigint: true });
    if (inside.dev !== opened.dev || inside.ino !== opened.ino) return "outside";
    const chunks: Buffer[] = [];
    const stream = handle.createReadStream({ end: maxServedBytes, autoClose: false });
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  } finally {
    await handle.close();
  }
}
