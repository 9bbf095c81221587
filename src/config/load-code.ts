import { pathToFileURL } from "node:url";

/**
 * What a module exports as default, or all that it exports where it has none. Rejects with whatever
 * it throws.
 *
 * `path` is absolute; what the module imports is found from there. Through `jiti`: Node 20 reads no
 * TypeScript, and keeps modules for as long as it runs, so that a changed file would not be run
 * again. Nothing is written to the disk.
 */
export async function loadCode(path: string, source: string): Promise<unknown> {
  const { createJiti } = await import("jiti");
  const jiti = createJiti(pathToFileURL(path).href, { fsCache: false, moduleCache: false });
  const module = await jiti.evalModule(source, { filename: path, async: true, forceTranspile: true });
  const { default: exported } = Object(module) as { readonly default?: unknown };
  return exported ?? module;
}
