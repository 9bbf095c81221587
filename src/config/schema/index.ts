export { configJsonSchema, type JsonSchema } from "./json-schema.ts";
