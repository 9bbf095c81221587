import { z } from "zod";
import { defaultConfig } from "../default-config.ts";
import { printKey } from "../entries.ts";
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
  readonly minItems?: number;
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

/** One setting, as a person reads about it. */
interface ConfigKey {
  /** Such as `complete.maxLines`; `models["…"].headers` for the settings of any model. */
  readonly key: string;
  readonly path: readonly string[];
  /** What may be written, in words. */
  readonly allowed: string;
  /** The default as JSON; absent where there is none. */
  readonly default?: string;
  readonly description: string;
}

let schema: JsonSchema | undefined;

/** All settings, in the order of the schema. */
export function configKeys(): readonly ConfigKey[] {
  schema ??= configJsonSchema();
  return keysOf(schema, []);
}

function keysOf(node: JsonSchema, path: readonly string[]): readonly ConfigKey[] {
  if (node.properties !== undefined) {
    return Object.entries(node.properties)
      .filter(([name]) => name !== "$schema")
      .flatMap(([name, inner]) => keysOf(inner, [...path, name]));
  }
  const each = node.additionalProperties;
  if (each !== undefined && each !== false && each.properties !== undefined) return keysOf(each, [...path, "…"]);
  const defaultValue = node.default === undefined ? {} : { default: JSON.stringify(node.default) };
  return [
    { key: printKey(path), path, allowed: printAllowed(node), ...defaultValue, description: node.description ?? "" },
  ];
}

/**
 * The schema of what may be written at `path`; the names in a list are its indexes, from 0.
 * `undefined` for a key that does not exist.
 */
export function tryAllowedAt(path: readonly string[]): JsonSchema | undefined {
  schema ??= configJsonSchema();
  let node: JsonSchema | undefined = schema;
  for (const name of path) {
    node = memberOf(node, name);
    if (node === undefined) return undefined;
  }
  return node;
}

function memberOf(node: JsonSchema, name: string): JsonSchema | undefined {
  // Any value is allowed, so also any value in it.
  if (Object.keys(node).length === 0) return node;
  const { properties, additionalProperties, items } = node.anyOf?.find(isOfMembers) ?? node;
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  if (items !== undefined && /^\d+$/.test(name)) return items;
  return additionalProperties === false ? undefined : additionalProperties;
}

function isOfMembers({ properties, items }: JsonSchema): boolean {
  return properties !== undefined || items !== undefined;
}

/** What a schema allows, in words: `a whole number from 1 to 200`. */
export function printAllowed(node: JsonSchema): string {
  if (node.enum !== undefined) return listOf(node.enum.map((value) => JSON.stringify(value)));
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.anyOf !== undefined) return listOf(node.anyOf.map(printAllowed));
  if (node.type === "boolean") return "true or false";
  if (node.type === "integer") return `a whole number${range(node)}`;
  if (node.type === "number") return `a number${range(node)}`;
  if (node.type === "string") return "a text";
  if (node.type === "array") {
    const { items, minItems } = node;
    return items?.enum === undefined
      ? `a list of ${minItems === 1 ? "at least one text" : "texts"}`
      : `a list of ${listOf(
          items.enum.map((value) => JSON.stringify(value)),
          "and",
        )}`;
  }
  if (node.properties !== undefined) return `an object with ${listOf(Object.keys(node.properties), "and")}`;
  const each = node.additionalProperties;
  return each && Object.keys(each).length > 0
    ? `an object whose values are ${each.type === "string" ? "texts" : printAllowed(each)}`
    : "an object";
}

function range({ minimum, maximum }: JsonSchema): string {
  return minimum === undefined || maximum === undefined ? "" : ` from ${figure(minimum)} to ${figure(maximum)}`;
}

/** With commas between thousands. A locale's own way would first have to load. */
function figure(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString("en-US") : String(value);
}

function listOf(words: readonly string[], last: "and" | "or" = "or"): string {
  return words.length < 2 ? (words[0] ?? "nothing") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}
