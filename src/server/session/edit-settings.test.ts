import { expect, test } from "vitest";
import { ModelError } from "../../model/index.ts";
import { MemoryFileSystem } from "../../workspace/index.ts";
import { loadEditSettings, openChatModels } from "./edit-settings.ts";
import type { OpenedModel } from "./session-settings.ts";

const chat: NonNullable<OpenedModel["chat"]> = async function* () {
  yield { kind: "text-delta", text: "yes" };
  return { reason: "finished" };
};

let disposed: string[];

/**
 * Opens models by their names: those called `fill` cannot chat, and those called `away` cannot be
 * opened.
 */
function openModel(name: string): OpenedModel {
  if (name.includes("away")) throw new ModelError("no-key", `${name} needs a key.`);
  return { name, ...(!name.includes("fill") && { chat }), [Symbol.dispose]: () => void disposed.push(name) };
}

async function settingsOf(config: object, editor?: unknown) {
  const fileSystem = new MemoryFileSystem({ "/w/emend.config.json": JSON.stringify(config) });
  const source = { fileSystem, userFolder: "/home/me", environment: {}, flags: [], isTrusted: true };
  return loadEditSettings(source, { root: "/w", editor });
}

test.each([
  [{}, undefined, ["builtin"]],
  [{ model: "ollama:a" }, undefined, ["ollama:a"]],
  [{ model: "ollama:a", edit: { model: ["ollama:b", "ollama:c"] } }, undefined, ["ollama:b", "ollama:c"]],
  [{ edit: { model: "ollama:b" } }, { edit: { model: "ollama:d" } }, ["ollama:d"]],
])("%o with %o of the editor gives the models %o", async (config, editor, names) => {
  expect((await settingsOf(config, editor)).modelNames).toEqual(names);
});

test("an empty verification command is no command", async () => {
  expect(await settingsOf({})).toMatchObject({ verify: undefined, format: "auto", maxRetries: 3, formatter: "auto" });
  expect((await settingsOf({}, { edit: { verify: "npm test" } })).verify).toBe("npm test");
});

test("opens the models that can chat, and reports why the others cannot", async () => {
  disposed = [];
  const settings = await settingsOf({ edit: { model: ["builtin", "ollama:fill", "ollama:away", "ollama:a"] } });
  const chats = await openChatModels(settings, openModel);
  expect(chats.models.map(({ name }) => name)).toEqual(["ollama:a"]);
  expect(chats.issues).toEqual([
    "`builtin` completes code and cannot chat, so it takes no instructions.",
    "`ollama:fill` cannot chat, so it takes no instructions.",
    "ollama:away needs a key.",
  ]);
  expect(disposed).toEqual(["ollama:fill"]);
  chats[Symbol.dispose]();
  expect(disposed).toEqual(["ollama:fill", "ollama:a"]);
});
