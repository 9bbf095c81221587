import { afterEach, expect, test } from "vitest";
import { openModel } from "../model/index.ts";
import { webHost } from "../model/node/index.ts";
import { EmendError } from "../text/index.ts";
import { TestClient } from "./fixtures/test-client.ts";

const secret = "hush-s3cret-of-the-server";
const environment = { EMEND_HEADERS: `x-company: ${secret}` };
const uri = "file:///w/src/a.ts";

let client: TestClient | undefined;
afterEach(async () => {
  await client?.[Symbol.asyncDispose]();
  client = undefined;
});

const keyed = `openai-compatible:http://127.0.0.1:1/v1?key=${secret}#m`;

/** A server whose only model is named `name`. */
async function start(name: string): Promise<TestClient> {
  const sent: unknown[] = [];
  client = await TestClient.start({
    initialize: { initializationOptions: { emendStatus: true } },
    onConnection: (connection) => {
      connection.onUnhandledNotification((message) => void sent.push(message));
      connection.onNotification("emend/didChangeStatus", (status) => void sent.push(status));
    },
    host: {
      settings: {
        ...{ userFolder: "/home/me/.config/emend", environment },
        flags: [{ flag: "--model", path: ["model"], value: [name] }],
        openModel(given) {
          if (given === "ollama:broken") throw new EmendError("no-server", `The server says ${secret}.`);
          return openModel(given, webHost({ environment, settings: { retries: 0 } }));
        },
      },
    },
  });
  await client.complete(await client.open(uri, "const a = |\n", "typescript"));
  seen = sent;
  return client;
}
let seen: readonly unknown[] = [];

test.each([
  ["the name of a model with a key in its address", keyed],
  ["a model that cannot be opened", "ollama:broken"],
])("row 4: no log, status or explanation of the server contains a secret: %s", async (_, name) => {
  const { connection, logged } = await start(name);
  const status = await connection.sendRequest("emend/status");
  const explained = await connection.sendRequest("emend/explain", {}).catch((error: Error) => error.message);
  const refused = await connection
    .sendRequest("workspace/executeCommand", { command: `emend.${secret}`, arguments: [] })
    .catch((error: Error) => error.message);
  const outgoing = JSON.stringify([logged, status, explained, refused, seen]);
  expect(outgoing).not.toContain(secret);
  expect(outgoing).toContain("…");
});
