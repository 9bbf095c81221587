import { afterEach, expect, test } from "vitest";
import { EmendError } from "../../text/index.ts";
import { TestClient } from "../fixtures/test-client.ts";
import type { OwnSettings } from "./own-settings-methods.ts";

let client: TestClient | undefined;
afterEach(async () => {
  await client?.[Symbol.asyncDispose]();
  client = undefined;
});

async function start(ownSettings?: OwnSettings) {
  client = await TestClient.start({ host: ownSettings === undefined ? {} : { ownSettings } });
  return client.connection;
}

test("emend/trust passes the workspace on, and emend/setup/state the state of the file", async () => {
  const roots: string[] = [];
  const connection = await start({
    async trust(root) {
      roots.push(root);
      return { kind: "trusted", file: "/own/emend.config.json" };
    },
    setupState: async () => ({ canReset: true }),
  });
  expect(await connection.sendRequest("emend/trust")).toEqual({ kind: "trusted", file: "/own/emend.config.json" });
  expect(await connection.sendRequest("emend/setup/state")).toEqual({ canReset: true });
  expect(roots).toEqual(["/w"]);
});

test("a settings file that cannot be edited is named", async () => {
  const broken = () => Promise.reject(new EmendError("broken-file", "/own/emend.config.json can't be edited."));
  const connection = await start({ trust: broken, setupState: broken });
  for (const method of ["emend/trust", "emend/setup/state"])
    await expect(connection.sendRequest(method)).rejects.toThrow("/own/emend.config.json can't be edited.");
});

test("a server without the user's file has no emend/trust", async () => {
  await expect((await start()).sendRequest("emend/trust")).rejects.toThrow("Unhandled method emend/trust");
});
