/**
 * Checks the boundaries of the layers: `npm run lint:exports`. Fails, and lists each item, where a
 * file imports past another layer's index, an entry exports a name without a user, or an exported
 * signature mentions a name that its entry does not export. Needs a built `dist`.
 */

import { measureExports } from "./measure-exports.ts";

const broken = measureExports().filter(({ bar, items }) => bar === "0" && items.length > 0);
for (const { name, items } of broken) {
  console.error(`${name}:`);
  for (const item of items) console.error(`  ${item}`);
}
process.exitCode = broken.length > 0 ? 1 : 0;
