/**
 * Lets the compiled modules in `dist` import each name from the module that defines it: see
 * `directImports`. Runs after the compiler, and changes what that has written alone.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { directImports } from "./direct-imports.ts";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const paths = readdirSync(dist, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".js") && !path.startsWith("web/"));
const modules = new Map(paths.map((path) => [path, readFileSync(join(dist, path), "utf8")]));
for (const [path, text] of directImports(modules)) writeFileSync(join(dist, path), text);
