import { configJsonSchema, type JsonSchema } from "../../src/config/schema/index.ts";

/** A setting of the manifest: a JSON schema with additional fields of VS Code. */
export type ManifestSetting = Readonly<Record<string, unknown>>;

/** A group of settings in `contributes.configuration` of the manifest. */
export interface ManifestSection {
  readonly title: string;
  readonly properties: Readonly<Record<string, ManifestSetting>>;
}

/** Settings that VS Code replaces: it has its own workspace trust, formatters and diagnostics. */
const notInEditors = new Set(["$schema", "trust", "edit.formatter", "edit.verify"]);

/** The settings of the server process. A workspace must not set the program that runs. */
const ownSettings: ManifestSection = {
  title: "Language Server",
  properties: {
    "emend.path": {
      type: "string",
      default: "",
      scope: "machine",
      markdownDescription:
        "The path of an `emend` program to run instead of the bundled one: its `dist/cli/main.js`, or an executable.",
    },
    "emend.trace.server": {
      type: "string",
      enum: ["off", "messages", "verbose"],
      default: "off",
      scope: "window",
      markdownDescription: "Traces the communication between VS Code and the language server.",
    },
  },
};

const sections: readonly (readonly [title: string, names: readonly string[]])[] = [
  ["Models", ["model", "models"]],
  ["Ghost Text", ["complete"]],
  ["Next Edits", ["next"]],
  ["Edits by an Instruction", ["edit"]],
  ["Context of Prompts", ["context"]],
];

/**
 * The settings of the extension: those of `emend config schema` that apply to editors, with the
 * same names and descriptions.
 */
export function manifestSettings(): readonly ManifestSection[] {
  const { properties = {} } = configJsonSchema();
  const listed = sections.map(([title, names]) => ({
    title,
    properties: Object.fromEntries(names.flatMap((name) => settingsOf(properties[name]!, name))),
  }));
  return [...listed, ownSettings];
}

/**
 * The settings of each model without the command that prints its key: only the user's own file has
 * it.
 */
function withoutKeyCommand(schema: JsonSchema): JsonSchema {
  const each = schema.additionalProperties;
  if (!each || each.properties === undefined) return schema;
  const { keyCommand: _, ...properties } = each.properties;
  return { ...schema, additionalProperties: { ...each, properties } };
}

function settingsOf(schema: JsonSchema, path: string): readonly (readonly [string, ManifestSetting])[] {
  if (notInEditors.has(path)) return [];
  if (schema.properties !== undefined) {
    return Object.entries(schema.properties).flatMap(([name, inner]) => settingsOf(inner, `${path}.${name}`));
  }
  const { description, ...rest } = withoutKeyCommand(schema);
  return [[`emend.${path}`, { ...rest, scope: "resource", markdownDescription: description }]];
}
