import { readdir, readFile } from "node:fs/promises";
import { joinPath } from "../../codebase/index.ts";
import { toPortablePath } from "../../codebase/node/index.ts";
import { EmendError } from "../../text/index.ts";

/** A file of the built page. */
export interface PageAsset {
  readonly bytes: Buffer;
  /** The header `Content-Type`. */
  readonly type: string;
  /** Whether its name contains a hash of its content, so that it never changes under this name. */
  readonly isHashed: boolean;
}

/**
 * The files of the built page, by their paths below its folder.
 *
 * Only files that were found in the folder can be requested, so no path leads anywhere else. They
 * are listed again when the page itself is requested, since it may have been rebuilt.
 */
export class PageAssets {
  readonly #folder: string;
  #paths: ReadonlySet<string> = new Set();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Lists the files of the folder. Rejects with an `EmendError` of the code `page-not-built` where
   * it has no page.
   */
  static async open(folder: string): Promise<PageAssets> {
    const assets = new PageAssets(toPortablePath(folder));
    await assets.#list();
    if (!assets.#paths.has(page)) throw new EmendError("page-not-built", `There is no ${page} in ${folder}.`);
    return assets;
  }

  /** The file at a path, the page itself for the empty path; `undefined` where there is none. */
  async tryRead(path: string): Promise<PageAsset | undefined> {
    const name = path === "" ? page : path;
    if (name === page) await this.#list();
    if (!this.#paths.has(name)) return undefined;
    const type = types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
    const bytes = await tryBytes(joinPath(this.#folder, name));
    // Vite puts a hash of the content into the names of the files in this folder.
    return bytes && { bytes, type, isHashed: name.startsWith("assets/") };
  }

  async #list(): Promise<void> {
    this.#paths = new Set(await filesIn(this.#folder, ""));
  }
}

const page = "index.html";

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json; charset=utf-8",
  map: "application/json; charset=utf-8",
  webmanifest: "application/manifest+json; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  ico: "image/x-icon",
  ttf: "font/ttf",
  woff: "font/woff",
  woff2: "font/woff2",
  wasm: "application/wasm",
};

async function filesIn(root: string, folder: string): Promise<readonly string[]> {
  const entries = await readdir(joinPath(root, folder), { withFileTypes: true }).catch(() => []);
  const found = entries.map(async (entry) => {
    const path = joinPath(folder, entry.name);
    if (entry.isDirectory()) return filesIn(root, path);
    return entry.isFile() ? [path] : [];
  });
  return (await Promise.all(found)).flat();
}

/** The bytes of a file; `undefined` if it was deleted since it was listed. */
async function tryBytes(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch(() => undefined);
}
