export { parseScriptTree } from "./parse-script-tree.ts";
