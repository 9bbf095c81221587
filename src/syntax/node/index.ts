export type { IsolatedProcessOptions } from "./isolated-process.ts";
export { type IsolatedAnswer, IsolatedProcess, serveIsolated } from "./isolated-process.ts";
export { openSyntax, readGrammar } from "./open-syntax.ts";
export { parseScript } from "./parse-script.ts";
