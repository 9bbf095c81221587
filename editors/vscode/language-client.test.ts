import { expect, test, vi } from "vitest";
import { stopLanguageClient } from "./src/language-client.ts";

vi.mock("vscode", async () => (await import("./fixtures/fake-vscode.ts")).fakeVscode);
// It loads VS Code's own module.
vi.mock("vscode-languageclient/node", () => ({ LanguageClient: class {}, State: { Running: 2, Starting: 3 } }));

/** Stops a client in a state, with what it does then, and returns what was done and logged. */
async function stop(state: number, dispose: () => Promise<void>, start: () => Promise<void> = async () => undefined) {
  const done: string[] = [];
  const client = {
    state,
    start: () => {
      done.push("start");
      return start();
    },
    dispose: () => {
      done.push("dispose");
      return dispose();
    },
  };
  await stopLanguageClient(client, { warn: (message) => void done.push(message) });
  return done;
}

test("a client is stopped before another is started, also where the server does not end", async () => {
  expect(await stop(2, async () => undefined)).toEqual(["dispose"]);
  const late = async () => {
    throw new Error("Stopping the server timed out");
  };
  expect(await stop(2, late)).toEqual([
    "dispose",
    "The language server was not stopped properly: Stopping the server timed out",
  ]);
});

test("a client that is starting is stopped once it has started, which is not waited for", async () => {
  let started!: () => void;
  const starting = new Promise<void>((resolve) => {
    started = resolve;
  });
  const done = await stop(
    3,
    async () => undefined,
    () => starting,
  );
  expect(done).toEqual(["start"]);
  started();
  await vi.waitFor(() => expect(done).toEqual(["start", "dispose"]));
});
