import { expect, test } from "vitest";
import { defaultGhostTextSettings } from "../complete/index.ts";
import { defaultPromptSettings } from "../context/index.ts";
import { defaultNextEditSettings } from "../next/index.ts";
import { defaultConfig } from "./default-config.ts";
import { ghostTextSettingsOf, nextEditSettingsOf, promptSettingsOf, tryModelSettings } from "./engine-settings.ts";
import type { Config } from "./schema/settings.ts";

function withComplete(complete: Partial<Config["complete"]>): Config {
  return { ...defaultConfig, complete: { ...defaultConfig.complete, ...complete } };
}

test("default settings equal the defaults of the engines, except for `.env`", () => {
  const { switches, ...rest } = ghostTextSettingsOf(defaultConfig);
  const { switches: own, ...others } = defaultGhostTextSettings;
  expect(rest).toEqual(others);
  expect(switches).toEqual({ ...own, fileTypes: { ".env": false } });
  expect(promptSettingsOf(defaultConfig)).toEqual(defaultPromptSettings);
  const nextSwitches = { ...defaultNextEditSettings.switches, fileTypes: { ".env": false } };
  expect(nextEditSettingsOf(defaultConfig)).toEqual({ ...defaultNextEditSettings, switches: nextSwitches });
});

test("ghost text settings follow the configuration", () => {
  const settings = ghostTextSettingsOf(
    withComplete({ comments: false, eagerness: "eager", maxLines: 3, multiLine: "never", debounceMs: 40 }),
  );
  expect(settings).toMatchObject({ comments: false, strings: true, acceptanceThreshold: 0, multiLine: "never" });
  expect(settings).toMatchObject({ maxStatementLines: 3, maxBlockLines: 3 });
  expect(ghostTextSettingsOf(withComplete({ maxLineCharacters: 80, maxDocumentCharacters: 5000 }))).toMatchObject({
    maxLineCharacters: 80,
    maxDocumentCharacters: 5000,
  });
  expect(settings.debounce).toMatchObject({ minMs: 40, spanMs: 0 });
  const thresholds = (["quiet", "normal", "eager"] as const).map(
    (eagerness) => ghostTextSettingsOf(withComplete({ eagerness })).acceptanceThreshold,
  );
  expect(thresholds).toEqual([...thresholds].sort((a, b) => b - a));
  const off = withComplete({ enabled: false, folders: { src: true } });
  expect(ghostTextSettingsOf(off).switches).toMatchObject({ enabled: false, folders: { src: true } });
});

test("next edit settings follow the configuration", () => {
  const choices = {
    enabled: false,
    eagerness: "quiet",
    origins: ["name"],
    format: "zeta",
    timeoutMs: 500,
    imports: true,
  };
  const leastLikelihood = 0.1;
  const numbers = { debounceMs: 1, afterRejectionMs: 2, typesMs: 3, maxLines: 4, maxDocumentCharacters: 5000 };
  const next = { ...defaultConfig.next, ...choices, ...numbers, leastLikelihood, whiteSpace: true } as Config["next"];
  expect(nextEditSettingsOf({ next, types: { maxMemoryMb: 1_024 } })).toMatchObject({
    maxTypesMemoryMb: 1_024,
    switches: { enabled: false, fileTypes: { ".env": false } },
    ...{ eagerness: "quiet", origins: ["name"], format: "zeta", timeoutMs: 500 },
    ...{ whiteSpace: true, imports: true },
    ...{ ...numbers, leastLikelihood: 0.1 },
  });
});

test("the prompt settings of next edits follow the configuration, and one limit alone keeps the other defaults", () => {
  const context = { ...defaultConfig.next.context, linesAbove: "up-to-text", viewedSnippets: 0 } as const;
  expect(nextEditSettingsOf({ ...defaultConfig, next: { ...defaultConfig.next, context } }).context).toEqual({
    ...defaultNextEditSettings.context,
    ...{ linesAbove: "up-to-text", viewedSnippets: 0 },
  });
});

test("prompt settings follow the configuration", () => {
  const context = { ...defaultConfig.context, imports: false, similar: { mode: "off", maxSnippets: 2 } } as const;
  const settings = promptSettingsOf({ context: { ...context, maxLines: 5, share: 0.1 } });
  expect(settings).toMatchObject({ maxImportLines: 0, similarity: "off", maxSimilar: 2 });
  expect(settings).toMatchObject({ maxContextLines: 5, contextShare: 0.1, retrieval: true });
});

test("settings of a model are found by any spelling of its name", () => {
  const models = { "ollama:http://127.0.0.1:11434/#a": { retries: 1 }, "llamacpp:http://h:1/": { retries: 3 } };
  expect(tryModelSettings({ models }, "ollama:a")).toEqual({ retries: 1 });
  expect(tryModelSettings({ models }, "llamacpp:h:1")).toEqual({ retries: 3 });
  expect(tryModelSettings({ models }, "ollama:b")).toBeUndefined();
});
