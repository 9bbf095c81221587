import { rename, writeFile } from "node:fs/promises";

/**
 * Writes the text of a file whole or not at all, by way of a file beside it that ends in `.new`.
 * The folder has to exist. `mode` is for the file; by default that of a new file. Rejects with the
 * system's error.
 */
export async function replaceFile(path: string, text: string, mode?: number): Promise<void> {
  await writeFile(`${path}.new`, text, { flush: true, ...(mode !== undefined && { mode }) });
  await rename(`${path}.new`, path);
}
