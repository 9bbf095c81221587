import { readFileSync } from "node:fs";

/** The version of this package, from its `package.json`. */
export function packageVersion(): string {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
