import { expect, test } from "vitest";
import { ModelError } from "../../model/index.ts";
import { MemoryFileSystem } from "../../workspace/index.ts";
import { loadNextEditSettings } from "./next-edit-settings.ts";

test.each<[named: readonly string[], first: string | undefined, others: readonly string[], issues: readonly string[]]>([
  [[], undefined, [], []],
  [["ollama:a"], "ollama:a", [], []],
  [["ollama:a", "ollama:b", "ollama:c"], "ollama:a", ["ollama:b", "ollama:c"], []],
  [["ollama:away", "ollama:b", "ollama:c"], "ollama:b", ["ollama:c"], ["ollama:away needs a key."]],
  [["ollama:away"], undefined, [], ["ollama:away needs a key."]],
])(
  "of the models %o those that can be opened are requested in order, and disposed of",
  async (model, first, others, issues) => {
    const fileSystem = new MemoryFileSystem({ "/w/emend.config.json": JSON.stringify({ next: { model } }) });
    const disposed: string[] = [];
    const source = { fileSystem, userFolder: "/home/me", environment: {}, flags: [], isTrusted: true };
    const openModel = (name: string) => {
      if (name.includes("away")) throw new ModelError("no-key", `${name} needs a key.`);
      return { name, [Symbol.dispose]: () => void disposed.push(name) };
    };
    const settings = await loadNextEditSettings({ ...source, openModel }, { root: "/w", editor: undefined });
    expect(settings.model?.model.name).toBe(first);
    expect(settings.model?.others?.map(({ known }) => known.name) ?? []).toEqual(others);
    expect(settings.modelIssues).toEqual(issues);
    settings[Symbol.dispose]();
    expect(disposed).toEqual(first === undefined ? [] : [first, ...others]);
  },
);
