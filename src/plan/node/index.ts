export { type CommandOracleOptions, commandOracle } from "./command-oracle.ts";
export type { LeftOutPath } from "./copy-files.ts";
export type { ScratchChanges } from "./scratch-changes.ts";
export {
  openScratchCopy,
  type ScratchAnswer,
  type ScratchCopy,
  type ScratchOptions,
  type ScratchRefusal,
} from "./scratch-copy.ts";
