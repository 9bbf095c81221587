/**
 * Fails `npm install -g .` in a clone that is not built. npm only links such a folder: it installs
 * no packages there and builds nothing, so that the command would be missing.
 */
import { existsSync } from "node:fs";

const isGlobal = process.env.npm_config_global === "true";
if (isGlobal && !existsSync(new URL("../dist/cli/main.js", import.meta.url))) {
  console.error("Emend is not built: run `npm install && npm run build` first, then `npm install -g .` again.");
  process.exit(1);
}
