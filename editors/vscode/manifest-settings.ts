import { configJsonSchema, type JsonSchema } from "../../src/config/schema/index.ts";

/** A setting as the editor's settings page knows it: a JSON schema with the editor's own fields. */
export type ManifestSetting = Readonly<Record<string, unknown>>;

/** A group of settings, as `contributes.configuration` of a manifest has them. */
export interface ManifestSection {
  readonly title: string;
  readonly properties: Readonly<Record<string, ManifestSetting>>;
}

/**
 * What is no editor's business: who is trusted is asked by the editor itself, and an editor formats
 * and checks by its own means.
 */
const notInEditors = new Set(["$schema", "trust", "edit.formatter", "edit.check"]);

/** Which program runs, and so never a workspace's to say. */
const ownSettings: ManifestSection = {
  title: "Language Server",
  properties: {
    "emend.path": {
      type: "string",
      default: "",
      scope: "machine",
      markdownDescription:
        "The path of an `emend` program to run instead of the one that comes with the extension: its `dist/cli/main.js`, or anything that can be executed.",
    },
    "emend.trace.server": {
      type: "string",
      enum: ["off", "messages", "verbose"],
      default: "off",
      scope: "window",
      markdownDescription: "Whether what is said to the language server is written to a log.",
    },
  },
};

const sections: readonly (readonly [title: string, names: readonly string[]])[] = [
  ["Models", ["model", "models"]],
  ["Ghost Text", ["complete"]],
  ["Next Edits", ["next"]],
  ["Edits by an Instruction", ["edit"]],
  ["What Models Are Shown", ["context"]],
];

/**
 * The settings of the extension: those of `emend config schema` that an editor may set, under the
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

function settingsOf(schema: JsonSchema, path: string): readonly (readonly [string, ManifestSetting])[] {
  if (notInEditors.has(path)) return [];
  if (schema.properties !== undefined) {
    return Object.entries(schema.properties).flatMap(([name, inner]) => settingsOf(inner, `${path}.${name}`));
  }
  const { description, ...rest } = schema;
  return [[`emend.${path}`, { ...rest, scope: "resource", markdownDescription: description }]];
}
