import { describe, expect, onTestFinished, test } from "vitest";
import { ModelError } from "../model-error.ts";
import { callModel, modelCalls } from "./fixtures/model-calls.ts";
import { type ScriptedReply, ScriptedServer, type SeenRequest } from "./fixtures/scripted-server.ts";
import { webHost } from "./web-host.ts";

const environment = { EMEND_HEADERS: "x-company: c0mpany-secret" };
const settings = { headers: { "x-model": "m0del-secret" }, retries: 0 };
const host = webHost({ environment: { ...environment, ...keys() }, settings });

/** Every provider has a key, so that each request is sent. */
function keys(): Record<string, string> {
  const names = ["OPENAI", "ANTHROPIC", "GOOGLE", "GEMINI", "MISTRAL", "DEEPSEEK", "OPENAI_COMPATIBLE"];
  return Object.fromEntries(names.map((name) => [`${name}_API_KEY`, "k3y"]));
}

async function start(script: (request: SeenRequest) => ScriptedReply): Promise<ScriptedServer> {
  const server = await ScriptedServer.start(script);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

const redirectTo = (location: string, status = 307): ScriptedReply => ({ status, headers: { location }, chunks: [] });

describe.each(modelCalls)("row 3: a redirect of $name", (call) => {
  test.each([301, 302, 303, 307, 308])("with %i to another origin is not followed", async (status) => {
    const other = await start(() => ({ chunks: ["{}"] }));
    const server = await start(({ route }) => redirectTo(other.url + route, status));
    const error: unknown = await callModel(call, server.url, host).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code: "redirected", status });
    const { message } = error as ModelError;
    for (const named of [server.url, other.url, String(status)]) expect(message).toContain(named);
    expect(message).not.toMatch(/secret|k3y/);
    expect(other.seen).toEqual([]);
    expect(server.seen).toHaveLength(1);
  });
});

describe("row 3: the target of a redirect", () => {
  const [call] = modelCalls;
  const answer: ScriptedReply = { chunks: ['{"content":"x","stop":true}'] };

  // The `{origin}` is the server's own, `{other}` that of another on the same machine.
  test.each([
    ["another port", "{other}/infill"],
    ["another name of the same machine", "http://localhost:{port}/infill"],
    ["another scheme", "https://127.0.0.1:{port}/infill"],
    ["another host without a scheme", "//models.invalid/infill"],
    ["a name and a password", "http://user:pass@models.invalid/infill"],
    ["another host, behind the own one as a name", "http://127.0.0.1:{port}@models.invalid/infill"],
    ["a file", "file:///etc/passwd"],
    ["data", "data:application/json,{}"],
    ["no address", "http://[broken"],
  ])("%s is refused", async (_, location) => {
    const other = await start(() => answer);
    const server = await start(() => {
      const { port } = new URL(server.url);
      return redirectTo(location.replace("{other}", other.url).replace("{port}", port));
    });
    const outcome = callModel(call!, server.url, host);
    await expect(outcome).rejects.toMatchObject({ code: "redirected", message: expect.stringContaining(server.url) });
    await outcome.catch(({ message }: ModelError) => expect(message).not.toContain("pass@"));
    expect(other.seen).toEqual([]);
  });

  test.each([
    ["307, with method and prompt", 307, "POST"],
    ["308, with method and prompt", 308, "POST"],
    ["302, as fetch does, without the prompt", 302, "GET"],
    ["303, as fetch does, without the prompt", 303, "GET"],
  ])("the same origin is followed: %s", async (_, status, method) => {
    for (const location of ["/moved", "{origin}/moved", "moved"]) {
      const server = await start(({ route }) =>
        route === "/moved" ? answer : redirectTo(location.replace("{origin}", server.url), status),
      );
      expect(await callModel(call!, server.url, host)).toBe("x");
      const moved = server.seen.at(-1)!;
      expect([moved.method, moved.headers["x-model"]]).toEqual([method, "m0del-secret"]);
      expect(moved.body === undefined).toBe(method === "GET");
    }
  });

  test("in another origin after a second redirect is refused and receives no request", async () => {
    const other = await start(() => answer);
    const server = await start(({ route }) => redirectTo(route === "/moved" ? `${other.url}/infill` : "/moved"));
    await expect(callModel(call!, server.url, host)).rejects.toMatchObject({ code: "redirected" });
    expect([server.seen.length, other.seen.length]).toEqual([2, 0]);
  });

  test("in a cycle ends with an error", async () => {
    const server = await start(({ route }) => redirectTo(route));
    await expect(callModel(call!, server.url, host)).rejects.toMatchObject({
      code: "redirected",
      message: expect.stringContaining("more than 20 times"),
    });
  });
});
