import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { configuredSecrets, maskOf } from "../mask-secrets.ts";
import type { ModelError } from "../model-error.ts";
import { parseModelName } from "../model-name.ts";
import { printModelReport } from "../model-report.ts";
import { probeModel } from "../probe-model.ts";
import { callModel, modelCalls } from "./fixtures/model-calls.ts";
import { ScriptedServer } from "./fixtures/scripted-server.ts";
import { webHost } from "./web-host.ts";

const secrets = {
  key: "k3y-0f-company/+1",
  header: 'c0mpany "quoted" secret',
  bearer: "t0ken-of-the-gateway",
  password: "p4ss wörd",
  model: "m0del-header-value",
  variable: "v4riable-in-a-header",
};

const environment = {
  ...Object.fromEntries(["LLAMA", "OPENAI", "OPENAI_COMPATIBLE"].map((name) => [`${name}_API_KEY`, secrets.key])),
  EMEND_HEADERS: `x-company: ${secrets.header}\nauthorization-2: Bearer ${secrets.bearer}`,
  HTTPS_PROXY: `http://proxy-user:${encodeURIComponent(secrets.password)}@127.0.0.1:1`,
  HEADER_SECRET: secrets.variable,
};
const settings = { headers: { "x-model": secrets.model, "x-more": `Token \${HEADER_SECRET}` }, retries: 0 };
const host = webHost({ environment, settings });

/** The ways in which a server or a library may spell a secret. */
const spellings: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  "JSON-escaped": (secret) => JSON.stringify(secret).slice(1, -1),
  "JSON-escaped twice": (secret) => JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
  "URL-encoded": encodeURIComponent,
  "URL-encoded in lower case": (secret) =>
    encodeURIComponent(secret).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  base64: (secret) => Buffer.from(secret).toString("base64"),
  base64url: (secret) => Buffer.from(secret).toString("base64url"),
};

/** All spellings of all secrets, that of the proxy's name and password together included. */
const spelt = [...Object.values(secrets), `proxy-user:${secrets.password}`].flatMap((secret) =>
  Object.values(spellings).map((spell) => spell(secret)),
);

function expectNoSecret(text: string): void {
  expect(spelt.filter((secret) => text.includes(secret))).toEqual([]);
}

/** An error with all that a log could print of it. */
const allOf = (error: unknown): string =>
  inspect(error, { depth: 20, showHidden: true }) + String((error as Error).stack);

const bodies: readonly (readonly [status: number, type: string, body: (secret: string) => string])[] = [
  [400, "application/json", (secret) => JSON.stringify({ error: { message: `bad header ${secret}, so no` } })],
  [500, "text/plain", (secret) => `echo: ${secret}`],
  [200, "application/json", (secret) => JSON.stringify({ strange: secret })],
  [200, "text/event-stream", (secret) => `data: ${JSON.stringify({ error: { message: secret } })}\n\n`],
];

/** These read errors in different ways, and are tried with every spelling. */
const thorough: ReadonlySet<string> = new Set(["llamacpp fill", "openai-compatible chat"]);

test.each(modelCalls)(
  "row 4: a secret that a server repeats to $name is masked in the error and its causes",
  async (call) => {
    let answer = { status: 200, type: "", body: "" };
    const server = await ScriptedServer.start(() => ({
      status: answer.status,
      headers: { "content-type": answer.type },
      chunks: [answer.body],
    }));
    onTestFinished(() => server[Symbol.asyncDispose]());
    for (const secret of thorough.has(call.name) ? spelt : Object.values(secrets)) {
      for (const [status, type, body] of bodies) {
        answer = { status, type, body: body(secret) };
        const error: unknown = await callModel(call, server.url, host).catch((reason: unknown) => reason);
        expectNoSecret(error instanceof Error ? allOf(error) : "");
      }
    }
  },
);

test("row 4: a secret at the end of a quoted answer is masked, also where it is cut", async () => {
  for (const length of [80, 90, 190, 280, 290, 298, 9_980, 9_990]) {
    const chunks = [`${"x".repeat(length)}${secrets.key}${"y".repeat(200)}`];
    for (const status of [200, 500]) {
      const server = await ScriptedServer.start(() => ({ status, chunks }));
      const error: unknown = await callModel(modelCalls[0]!, server.url, host).catch((reason: unknown) => reason);
      await server[Symbol.asyncDispose]();
      expect((error as ModelError).message).not.toContain(secrets.key.slice(0, 4));
    }
  }
});

test("row 4: a secret in a server's description is masked in `emend status`", async () => {
  const props = { build_info: `b1 ${secrets.header}`, model_alias: secrets.bearer, model_path: secrets.model };
  const list = { data: [{ id: secrets.key }, { id: secrets.variable }] };
  for (const provider of ["llamacpp", "openai-compatible", "lmstudio"]) {
    const server = await ScriptedServer.start(({ route }) => ({
      chunks: [JSON.stringify(/props/.test(route) ? props : list)],
    }));
    onTestFinished(() => server[Symbol.asyncDispose]());
    const report = await probeModel(`${provider}:${server.url}#m`, host);
    expectNoSecret(JSON.stringify(report) + printModelReport(report));
  }
});

test("row 4: a key in the query of an address is sent, and no message contains it", async () => {
  const server = await ScriptedServer.start(() => ({ status: 404, chunks: ["no"] }));
  onTestFinished(() => server[Symbol.asyncDispose]());
  const messages: string[] = [];
  for (const call of modelCalls) {
    const modelAt = (url: string) => call.modelAt(`${url}?api-key=s3cret-in-a-query`);
    // A call that does not reject resolves to a text.
    const answer = await callModel({ ...call, modelAt }, server.url, host).catch((reason: Error) => reason.message);
    messages.push(answer);
  }
  expect(messages.filter((message) => message.includes("s3cret"))).toEqual([]);
  expect(messages.filter((message) => message.includes("api-key=…")).length).toBeGreaterThan(modelCalls.length / 2);
  expect(server.seen.every(({ route }) => route.includes("api-key=s3cret-in-a-query"))).toBe(true);
});

describe("row 4: secrets in invalid model names are masked", () => {
  test.each([
    "http://me:s3cret@host",
    "llamacpp:http://me:s3cret@host",
    "https://s3cret@host#m",
    "foo:http://a:s3cret@b",
  ])("%s is told without the password", (name) => {
    const { issues } = parseModelName(name);
    expect(issues).toHaveLength(1);
    expect(issues[0]!.message).not.toContain("s3cret");
  });
});

describe("row 4: masked secrets", () => {
  const mask = maskOf(configuredSecrets({ environment, headers: settings.headers }));
  test.each([
    ["the key is k3y-0f-company/+1.", "the key is …."],
    ["http://me:pw@host/path and https://host/a@b", "http://…@host/path and https://host/a@b"],
    ["GET /v1?api-version=2&key=abcd&x=1", "GET /v1?api-version=2&key=…&x=1"],
    ["nothing of it", "nothing of it"],
    ["me@example.com wrote http://host/", "me@example.com wrote http://host/"],
  ])("%s → %s", (text, expected) => {
    expect(mask(text)).toBe(expected);
  });

  test("do not include values of public headers and short values", () => {
    const headers = { "user-agent": "Emend", "anthropic-version": "2023-06-01", "x-flag": "1", "content-type": "a/b" };
    const plain = "Emend 2023-06-01 with 1 a/b";
    expect(maskOf(configuredSecrets({ environment: {}, headers }))(plain)).toBe(plain);
  });

  test("law: a masked text contains no secret in any spelling, and masking is idempotent", () => {
    let count = 0;
    const secret = fc
      .string({ minLength: 8, maxLength: 20, unit: "grapheme" })
      .filter((text) => text.trim() === text && text.length >= 8);
    fc.assert(
      fc.property(
        secret,
        fc.constantFrom(...Object.keys(spellings)),
        fc.string(),
        fc.string(),
        (value, how, before, after) => {
          const written = spellings[how]!(value);
          const own = maskOf([value]);
          const masked = own(before + written + after);
          count += written === value ? 0 : 1;
          expect(masked).not.toContain(written);
          expect(own(masked)).toBe(masked);
        },
      ),
    );
    expect(count).toBeGreaterThan(10);
  });
});
