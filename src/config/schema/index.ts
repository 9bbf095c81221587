export { configJsonSchema, type JsonSchema } from "./config-keys.ts";
