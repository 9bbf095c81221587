/**
 * Fails `npm install -g .` in a clone that is not built. npm only links such a folder: it installs
 * no packages there and builds nothing, so that the command would be missing.
 *
 * With `--building`, before a build: prints how long the first one takes.
 */
import { existsSync } from "node:fs";

const isGlobal = process.env.npm_config_global === "true";
const isBuilt = existsSync(new URL("../dist/cli/main.js", import.meta.url));
if (process.argv.includes("--building")) {
  if (!isBuilt) console.error("Building Emend. The first build takes about a minute.");
} else if (isGlobal && !isBuilt) {
  console.error("Emend is not built: run `npm install && npm run build` first, then `npm install -g .` again.");
  process.exit(1);
}
