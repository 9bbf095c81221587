export { userCacheFolder } from "./cache-folder.ts";
export { type ChatModelOptions, openChatModel } from "./chat-model.ts";
export { type ChatProtocol, type ChatProvider, type ChatProviderFacts, chatProviders } from "./chat-providers.ts";
export {
  type CacheAnswer,
  contentHash,
  IndexCache,
  type IndexCacheOptions,
  type IndexRecord,
  type KeptIndex,
  type KeptRecord,
  type SaveAnswer,
  type SeenFile,
  stampOf,
} from "./index-cache.ts";
export { type WebHostOptions, webHost } from "./web-host.ts";
