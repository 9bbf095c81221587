import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ScriptedServer } from "../model/node/fixtures/scripted-server.ts";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { Shop, shop, withRate } from "./fixtures/plan-shop.ts";

/** All kinds of configured secrets, each with a value of its own. */
const secrets = {
  key: "hush-key-of-the-provider",
  header: "hush-header-of-the-company",
  token: "hush-token-of-the-gateway",
  proxy: "hush-password-of-the-proxy",
  setting: "hush-header-of-the-settings",
  variable: "hush-variable-in-a-header",
  query: "hush-key-in-the-address",
  parameter: "hush-token-in-the-address",
};

const configured = {
  OPENAI_COMPATIBLE_API_KEY: secrets.key,
  EMEND_HEADERS: `x-company: ${secrets.header}\nx-gateway: Bearer ${secrets.token}`,
  HTTPS_PROXY: `http://me:${secrets.proxy}@127.0.0.1:1`,
  TEAM_TOKEN: secrets.variable,
  EMEND_DEBUG: "1",
};
const headers = { "x-team": secrets.setting, "x-more": `Token \${TEAM_TOKEN}` };
const query = `?key=${secrets.query}&api-version=2&access_token=${secrets.parameter}`;

/** Each prints, or keeps, what it knows of the model. `MODEL` is replaced by its name. */
const commands: readonly (readonly string[])[] = [
  ["complete", "src/cart.ts:4:10", "--model", "MODEL"],
  ["complete", "src/cart.ts:4:10", "--json", "--explain", "--model", "MODEL"],
  ["edit", "src/cart.ts", "-m", "Do it.", "--model", "MODEL"],
  ["edit", "src/cart.ts", "-m", "Do it.", "--json", "--model", "MODEL"],
  ["fill", "src/cart.ts", "--at", "4:10", "--model", "MODEL"],
  ["next", "--explain", "--model", "MODEL"],
  ["next", "--json", "--model", "MODEL"],
  ["plan", "--yes", "--model", "MODEL"],
  ["plan", "show", "--json"],
  ["plan", "list"],
  ["plan", "continue", "--model", "MODEL"],
  ["plan", "continue"],
  ["status", "--model", "MODEL"],
  ["status", "--json", "--model", "MODEL"],
];

/** The same with the model named by EMEND_MODEL. */
const configuredCommands: readonly (readonly string[])[] = [
  ["config"],
  ["config", "--json"],
  ["status"],
  ["complete", "src/cart.ts:4:10", "--explain"],
];

const servers: readonly (readonly [name: string, status: number, body: (echo: string) => string])[] = [
  ["refuses and repeats what it was sent", 400, (echo) => JSON.stringify({ error: { message: `no: ${echo}` } })],
  ["breaks and repeats what it was sent", 500, (echo) => `oops ${echo}`],
  ["answers unreadable text, and repeats the request", 200, (echo) => JSON.stringify({ id: echo, strange: echo })],
  [
    "answers",
    200,
    () =>
      `data: ${JSON.stringify({ choices: [{ index: 0, text: "one;", delta: { content: "No changes." } }] })}\n\ndata: ${JSON.stringify({ choices: [{ index: 0, delta: {}, text: "", finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`,
  ],
];

test.each(servers)(
  "row 4: no output contains a configured secret where the server %s",
  async (_, status, body) => {
    const server = await ScriptedServer.start(({ route, headers: sent }) => ({
      status,
      headers: { "content-type": body("").startsWith("data:") ? "text/event-stream" : "application/json" },
      chunks: [body(`${route} ${JSON.stringify(sent)}`)],
    }));
    onTestFinished(() => server[Symbol.asyncDispose]());
    const work = new Shop(shop);
    work.write({ "src/price.ts": withRate });
    const model = `openai-compatible:${server.url}${query}#m`;
    const own = mkdtempSync(join(tmpdir(), "emend-user-"));
    onTestFinished(() => removeFolder(own));
    vi.stubEnv("XDG_CONFIG_HOME", own);
    onTestFinished(() => void vi.unstubAllEnvs());
    mkdirSync(join(own, "emend"));
    writeFileSync(
      join(own, "emend", "emend.config.json"),
      JSON.stringify({ models: { [model]: { retries: 0, headers } } }),
    );
    const found: string[] = [];
    const look = (where: string, text: string) => {
      for (const [kind, secret] of Object.entries(secrets)) if (text.includes(secret)) found.push(`${kind}: ${where}`);
    };
    const run = async (args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
      const environment = { ...work.environment, ...configured, ...more };
      const withModel = args.map((arg) => (arg === "MODEL" ? model : arg));
      const { out, err } = await work.run(withModel, { environment });
      look(args.join(" "), out + err);
    };
    for (const args of commands) await run(args);
    for (const args of configuredCommands) await run(args, { EMEND_MODEL: model });
    for (const folder of [work.environment["EMEND_STATE_DIR"]!, work.environment["EMEND_CACHE_DIR"]!]) {
      for (const path of filesBelow(folder)) look(path, readFileSync(path, "utf8"));
    }
    expect(found).toEqual([]);
    // The server was sent all of them but the proxy's, which this machine needs none for.
    const seen = server.seen.map(({ route, headers: sent }) => `${route}${JSON.stringify(sent)}`).join("\n");
    const sent = Object.entries(secrets).filter(([, secret]) => seen.includes(secret));
    expect(sent.map(([kind]) => kind)).toEqual(Object.keys(secrets).filter((kind) => kind !== "proxy"));
  },
  90_000,
);

function filesBelow(folder: string): readonly string[] {
  try {
    const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path));
    return paths.filter((path) => statSync(path).isFile());
  } catch {
    return [];
  }
}
