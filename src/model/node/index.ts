export { userCacheFolder } from "./cache-folder.ts";
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
