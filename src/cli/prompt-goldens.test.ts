import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ScriptedServer, type SeenRequest } from "../model/node/fixtures/scripted-server.ts";
import { fillTemplates } from "../model/templates/families.ts";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { Shop } from "./fixtures/plan-shop.ts";
import { fenced, serveBook } from "./fixtures/scripted-book-server.ts";

/**
 * What a server receives from each command, as golden files: requests to models change only on
 * purpose.
 *
 * `vitest -u` writes the files again.
 */

const cents = `/** An amount of money. */
export class Cents {
  constructor(readonly value: number) {}
  plus(other: Cents): Cents {
    return new Cents(this.value + other.value);
  }
}
`;
const price = `import { Cents } from "./cents.ts";

export function priceOf(euros: number): Cents {
  return new Cents(euros * 100);
}
`;
const cart = `import { Cents } from "./cents.ts";
import { priceOf } from "./price.ts";

/** The sum of all prices, e.g. \`<|fim_prefix|>\`. */
export function total(euros: readonly number[]): Cents {
  let sum = new Cents(0);
  for (const one of euros) {
    sum = 
  }
  return sum;
}
`;
const files = {
  "package.json": '{ "name": "shop", "type": "module" }\n',
  "tsconfig.json":
    '{ "compilerOptions": { "strict": true, "module": "nodenext", "allowImportingTsExtensions": true } }\n',
  "src/cents.ts": cents,
  "src/price.ts": price,
  "src/currency.ts": "export class Currency {\n  constructor(readonly code: string) {}\n}\n",
  "src/cart.ts": cart,
};

/** The files after one edit that is not committed. */
function editedShop(): Shop {
  const shop = new Shop(files);
  shop.write({ "src/price.ts": price.replace("euros * 100", "Math.round(euros * 100)") });
  return shop;
}

/** Writes the user's own settings. */
function configure(settings: object): void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "emend-prompts-")));
  mkdirSync(join(folder, "emend"));
  writeFileSync(join(folder, "emend", "emend.config.json"), JSON.stringify(settings));
  vi.stubEnv("XDG_CONFIG_HOME", folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    removeFolder(folder);
  });
}

/** A scripted server of completions, whose requests are kept. */
async function startCompletions(): Promise<ScriptedServer> {
  const frame = (text: string, reason: string | null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, text, delta: { content: text }, finish_reason: reason }] })}\n\n`;
  const server = await ScriptedServer.start(({ method }) =>
    method === "POST"
      ? {
          headers: { "content-type": "text/event-stream" },
          chunks: [frame("sum.plus", null), frame("", "stop"), "data: [DONE]\n\n"],
        }
      : { status: 404, chunks: [] },
  );
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** Requests with a body, each with its route; the texts of prompts and messages as they are. */
function printRequests(requests: readonly SeenRequest[]): string {
  return requests
    .filter(({ method }) => method === "POST")
    .map(({ route, body }) => {
      const { prompt, suffix, messages, ...rest } = body as Record<string, unknown>;
      const texts = [
        ...(typeof prompt === "string" ? [`--- prompt\n${prompt}\n`] : []),
        ...(typeof suffix === "string" ? [`--- suffix\n${suffix}\n`] : []),
        ...((messages as { role: string; content: string }[] | undefined) ?? []).map(
          ({ role, content }) => `--- ${role}\n${content}\n`,
        ),
      ];
      return `=== ${route} ${JSON.stringify(rest)}\n${texts.join("")}`;
    })
    .join("\n");
}

describe("the request for ghost text is that of the golden file", () => {
  test.each([
    ...fillTemplates.map(({ name }) => [name, { template: name }] as const),
    ["chat", { fillBy: "chat" }] as const,
  ])("%s", async (name, model) => {
    const server = await startCompletions();
    const shop = editedShop();
    const named = `openai-compatible:${server.url}/v1#scripted`;
    // The speed of a server is measured with a request of its own, whose text differs each time.
    configure({ model: named, models: { [named]: { ...model, promptMs: 0 } } });
    await shop.run(["complete", "src/cart.ts:8:11"]);
    const requests = printRequests(server.seen);
    expect(requests).toContain("new Cents(0)");
    await expect(requests).toMatchFileSnapshot(`./fixtures/prompts/complete-${name}.txt`);
  });
});

describe("the request for a next edit is that of the golden file", () => {
  test.each(["zeta", "zeta-2", "zeta-2.1", "sweep", "instinct", "mercury", "unified", "chat", "fill-in-the-middle"])(
    "%s",
    async (format) => {
      const server = await startCompletions();
      const shop = editedShop();
      const named = `openai-compatible:${server.url}/v1#scripted`;
      configure({ models: { [named]: { template: "qwen" } } });
      await shop.run(["next", "src/price.ts:4:30", "--model", named, "--format", format]);
      const requests = printRequests(server.seen);
      expect(requests).toContain("Math.round");
      await expect(requests).toMatchFileSnapshot(`./fixtures/prompts/next-${format}.txt`);
    },
  );
});

test("the requests of a plan's steps, with one for imports and one after a refused answer, are those of the golden file", async () => {
  const server = await serveBook([
    { expected: ["Write what comes below them"], answer: fenced("    'EUR'),", "  );", "}") },
    { expected: [/says `Currency`/], answer: fenced('import { Currency } from "./currency.ts";') },
    {
      expected: ["function total"],
      answer: fenced("export function total(): Cents {", "  return priceOf(1, new Currency(", "}"),
    },
  ]);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const shop = editedShop();
  configure({});
  shop.write({
    "src/price.ts": `import type { Currency } from "./currency.ts";\n${price.replace("euros: number", "euros: number, currency: Currency")}`,
    "src/cart.ts": cart.replace("sum = \n", "sum = sum.plus(priceOf(one));\n"),
  });
  await shop.run(["plan", "--yes", "--model", server.model]);
  expect(server.pages).toEqual([2, 0, 1]);
  const prompts = server.prompts.join("\n=== next request\n");
  await expect(prompts).toMatchFileSnapshot("./fixtures/prompts/plan-steps.txt");
});
