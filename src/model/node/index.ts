export {
  type CacheAnswer,
  contentHash,
  IndexCache,
  type IndexCacheOptions,
  type IndexRecord,
  type SaveAnswer,
  type SeenFile,
  type StoredIndex,
  type StoredIndexHeader,
} from "./index-cache.ts";
export type { WriteIndexOptions } from "./index-file.ts";
export { KeyCommands, type KeyCommandsOptions } from "./key-commands.ts";
export type { Llama, LlamaContext, LlamaModel, LlamaPackage, LlamaSequence } from "./llama-package.ts";
export type { OpenParts } from "./local-model.ts";
export { type LocalModel, type LocalModelOptions, openLocalModel } from "./local-model.ts";
export { type WebHostOptions, webHost } from "./web-host.ts";
