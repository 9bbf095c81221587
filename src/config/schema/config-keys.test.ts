import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { defaultConfig } from "../default-config.ts";
import { tryEntriesOf } from "../entries.ts";
import { settingVariablesOf, variableOf } from "../environment.ts";
import { configJsonSchema, configKeys, tryAllowedAt } from "./config-keys.ts";
import { variablePaths } from "./merge-settings.ts";
import { settingsSchema } from "./settings.ts";

const page = new URL("../../../docs/configuration.md", import.meta.url);

test("every setting has a description, and every setting outside of `models` has a default", () => {
  for (const { key, description, ...rest } of configKeys()) {
    expect(description, key).toMatch(/\.$/);
    expect("default" in rest, key).toBe(!key.startsWith("models"));
  }
});

test("the default settings are valid and contain every setting", () => {
  expect(settingsSchema.parse({ ...defaultConfig })).toEqual(defaultConfig);
  for (const { path } of tryEntriesOf(defaultConfig, { kind: "default" })!) {
    expect(tryAllowedAt(path), path.join(".")).toBeDefined();
  }
});

test("the JSON schema for editors is plain JSON, has no required keys and rejects unknown keys", () => {
  const schema = configJsonSchema();
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  expect(schema).toMatchObject({ type: "object", additionalProperties: false });
  expect(schema).not.toHaveProperty("required");
  expect(schema.properties!["complete"]).not.toHaveProperty("required");
  expect(schema.properties!["complete"]!.properties!["maxLines"]).toMatchObject({ minimum: 1, default: 16 });
  expect(schema.properties!["model"]!.default).toBe("builtin");
});

test("every setting has its own environment variable, named after its key", () => {
  const names = variablePaths().map(variableOf);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain("EMEND_MODEL");
  expect(names).toContain("EMEND_CONTEXT_SIMILAR_MAX_SNIPPETS");
  expect(settingVariablesOf(Object.fromEntries(names.map((name) => [name, "x"])))).toHaveLength(names.length);
  expect(names.some((name) => /TRUST|LANGUAGES|MODELS/.test(name))).toBe(false);
});

test("docs/configuration.md lists every setting (UPDATE_DOCS=1 writes the tables, biome aligns them)", () => {
  const text = readFileSync(page, "utf8");
  const written = text.replace(
    /(<!-- settings -->\n)[\s\S]*?(\n<!-- \/settings -->)/,
    (_, start, end) => start + tables() + end,
  );
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(page, written);
  expect(withoutAlignment(readFileSync(page, "utf8"))).toBe(withoutAlignment(written));
});

/** The page without what the formatter adds to tables. */
function withoutAlignment(text: string): string {
  return text.replace(/ +/g, " ").replace(/-{3,}/g, "---");
}

function tables(): string {
  const keys = configKeys();
  const sections = [...new Set(keys.map(({ path }) => path[0]!))];
  const rows = (section: string) =>
    keys
      .filter(({ path }) => path[0] === section)
      .map(({ key, allowed, default: value, description }) =>
        [`\`${key}\``, description, allowed, value === undefined ? "" : `\`${value}\``].join(" | "),
      );
  return sections
    .map((section) =>
      [
        `\n### \`${section}\`\n`,
        "| key | | allowed | default |",
        "| --- | --- | --- | --- |",
        ...rows(section).map((row) => `| ${row} |`),
      ].join("\n"),
    )
    .join("\n")
    .concat("\n");
}
