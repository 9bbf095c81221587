export { parseBrokenScript, parseScriptTree } from "./parse-script-tree.ts";
