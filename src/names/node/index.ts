export { parseBrokenScript } from "./parse-broken-script.ts";
export { parseScriptTree } from "./parse-script-tree.ts";
