import { z } from "zod";
import { defaultConfig } from "../default-config.ts";
import { settingsSchema } from "./settings.ts";

/** As much of a JSON schema as this room reads. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | false;
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
}

/**
 * The JSON schema of a configuration file, for editors: nothing is required, and every default is
 * given.
 */
export function configJsonSchema(): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(settingsSchema, { io: "input" });
  const optional = withDefaults(schema as JsonSchema, defaultConfig);
  const properties = { $schema: { type: "string" }, ...optional.properties };
  return { $schema, title: "Configuration of Emend", ...optional, properties } as JsonSchema;
}

function withDefaults(schema: JsonSchema, value: unknown): JsonSchema {
  const { required: _, ...rest } = schema as JsonSchema & { readonly required?: unknown };
  if (rest.properties === undefined) return value === undefined ? rest : { ...rest, default: plainDefault(value) };
  const properties = Object.entries(rest.properties).map(([name, inner]) => [
    name,
    withDefaults(inner, (value as Record<string, unknown> | undefined)?.[name]),
  ]);
  return { ...rest, properties: Object.fromEntries(properties) };
}

/** A list of one is written as the one. */
function plainDefault(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}
