export type { DiskChangesOptions } from "./disk-changes.ts";
export type { PageAsset, PageAssets } from "./page-server.ts";
export { openPageServer, type PageServer, type PageServerOptions } from "./page-server.ts";
export type { PageSocketsOptions } from "./page-sockets.ts";
