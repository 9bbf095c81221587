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

/**
 * The groups, with the settings of each that people change most, which are shown first; the others
 * follow in the order of the schema.
 */
const sections: readonly {
  readonly title: string;
  readonly names: readonly string[];
  readonly first?: readonly string[];
}[] = [
  { title: "Models", names: ["model", "models"] },
  {
    ...{ title: "Ghost Text", names: ["complete"] },
    first: ["enabled", "eagerness", "languages", "multiLine", "maxLines", "comments", "strings"],
  },
  {
    ...{ title: "Next Edits", names: ["next"] },
    first: ["enabled", "eagerness", "languages", "origins", "model", "imports", "whiteSpace"],
  },
  { title: "Edits by an Instruction", names: ["edit"] },
  {
    title: "Context of Prompts",
    names: ["context"],
    first: ["maxTokens", "retrieval", "imports", "recentEdits", "gitDiff"],
  },
];

/**
 * The settings of the extension: those of `emend config schema` that apply to editors, with the
 * same names and descriptions.
 */
export function manifestSettings(): readonly ManifestSection[] {
  const { properties = {} } = configJsonSchema();
  const listed = sections.map(({ title, names, first = [] }) => {
    const settings = names.flatMap((name) => settingsOf(properties[name]!, name));
    const rank = ([name]: (typeof settings)[number]) => {
      const index = first.indexOf(name.split(".").slice(2).join("."));
      return index === -1 ? first.length : index;
    };
    const sorted = settings.toSorted((one, other) => rank(one) - rank(other));
    return { title, properties: Object.fromEntries(sorted) };
  });
  // VS Code sorts a group by `order`, and by name without it.
  const inOrder = ({ title, properties }: ManifestSection): ManifestSection => {
    const entries = Object.entries(properties).map(([name, setting], order) => [name, { ...setting, order }] as const);
    return { title, properties: Object.fromEntries(entries) };
  };
  return linked([...listed, ownSettings].map(inOrder));
}

/** Makes links of the names of other settings in the descriptions, such as `next.model`. */
function linked(groups: readonly ManifestSection[]): readonly ManifestSection[] {
  const names = new Set(groups.flatMap(({ properties }) => Object.keys(properties)));
  return groups.map(({ title, properties }) => {
    const entries = Object.entries(properties).map(([name, { markdownDescription, ...rest }]) => {
      const text = String(markdownDescription).replace(/`([a-z]+(?:\.[a-zA-Z]+)+)`/g, (whole, other) =>
        names.has(`emend.${other}`) ? `\`#emend.${other}#\`` : whole,
      );
      return [name, { ...rest, markdownDescription: text }] as const;
    });
    return { title, properties: Object.fromEntries(entries) };
  });
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
