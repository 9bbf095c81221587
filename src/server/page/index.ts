export { openPageServer, type PageServer, type PageServerOptions } from "./page-server.ts";
