export { type ConfigKey, configKeys } from "./config-keys.ts";
export { configJsonSchema, type JsonSchema } from "./json-schema.ts";
