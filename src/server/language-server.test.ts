import { afterEach, expect, test } from "vitest";
import { TestClient, type TestClientOptions } from "./fixtures/test-client.ts";

let client: TestClient | undefined;
afterEach(async () => {
  await client?.[Symbol.asyncDispose]();
  client = undefined;
});

async function start(options?: TestClientOptions): Promise<TestClient> {
  client = await TestClient.start(options);
  return client;
}

/** Code that says the same thing so often that there is no doubt about how it goes on. */
const clear = "export function first(items: readonly string[]): string {\n  return items.at(0) ?? missing(items);\n}\n";
const asked = `${clear.repeat(3)}export function first(items: readonly string[]): string {\n  return ite|\n}\n`;

test("a completion learnt from the workspace", async () => {
  const client = await start({ files: { "/w/src/a.ts": clear.repeat(12), "/w/src/b.ts": clear.repeat(3) } });
  await client.learnt();
  const place = await client.open("file:///w/src/new.ts", asked, "typescript");
  const items = await client.complete(place);
  expect(items).toMatchObject([{ insertText: expect.stringMatching(/^ms\.at\(0\)/) }]);
  expect(items[0]?.command).toMatchObject({ command: "emend.didAcceptCompletion" });
});
