import { describe, expect, onTestFinished, test } from "vitest";
import { jumble, secretKinds } from "../context/fixtures/secret-kinds.ts";
import { ScriptedServer } from "../model/node/fixtures/scripted-server.ts";
import { holdsPrivateKey } from "../workspace/index.ts";
import { cart, price, Shop, shop } from "./fixtures/plan-shop.ts";
import { serveBook } from "./fixtures/scripted-book-server.ts";

/**
 * A file with a private key in it, which is long, so that a change far from it shows nothing of it.
 */
const rows = Array.from({ length: 12 }, (_, i) => jumble(64, undefined, i + 1));
const keyFile = (row: string, last: string) =>
  `export const first = 1;\nconst key = \`-----BEGIN RSA ${"PRIVATE KEY"}-----\n${[...rows, row].join("\n")}\n${rows.join("\n")}\n-----END RSA ${"PRIVATE KEY"}-----\`;\n\nexport const far_from_the_key = ${last};\n`;

const base64OfKey = Buffer.from(`-----BEGIN ${"PRIVATE KEY"}-----\n${rows.join("\n")}\n`).toString("base64");

/** A server with llama.cpp's protocol that remembers its requests. */
async function startLlamacpp(): Promise<ScriptedServer> {
  const props = { default_generation_settings: { n_ctx: 16_384 }, build_info: "b5000" };
  const frame = (content: string, stop: boolean) => `data: ${JSON.stringify({ content, stop, stop_type: "eos" })}\n\n`;
  const server = await ScriptedServer.start(({ route }) =>
    route === "/props"
      ? { headers: { "content-type": "application/json" }, chunks: [JSON.stringify(props)] }
      : { headers: { "content-type": "text/event-stream" }, chunks: [frame("one;", false), frame("", true)] },
  );
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

describe("row 5: ghost text in a repository of git", () => {
  test("contains no change of a file that is secret by name, ignore rules or content", async () => {
    const server = await startLlamacpp();
    const work = new Shop({
      ...shop,
      ".emendignore": "private/\n",
      "src/key.ts": keyFile(rows[0]!, "1"),
      "src/moved.ts": keyFile(rows[1]!, "1"),
      "vault.yml": "one: two\n",
      "private/notes.ts": "export const one = 1;\n",
      "deploy/cluster.yml": `users:\n- client-key-data: ${base64OfKey}\nname: one\n`,
    });
    work.write({
      "src/price.ts": price.replace("* 100", "* ordinary_change"),
      "src/key.ts": keyFile(rows[0]!, "2"),
      "src/moved.ts": keyFile(jumble(64, undefined, 99), "1"),
      "vault.yml": "one: two\nvault_password_of_it: changed_vault\n",
      "private/notes.ts": "export const changed_private = 1;\n",
      "deploy/cluster.yml": undefined,
      "src/a.ts": "import { price } from './price';\n\nconst one = price(\n",
    });
    const { exitCode } = await work.run(["complete", "src/a.ts:3:19", "--model", `llamacpp:${server.url}`]);
    expect(exitCode).toBe(0);
    const requests = JSON.stringify(server.seen.filter(({ route }) => route !== "/props").map(({ body }) => body));
    expect(requests).toContain("ordinary_change");
    for (const part of [
      "far_from_the_key",
      jumble(64, undefined, 99),
      rows[5]!,
      "changed_vault",
      "changed_private",
      "client-key-data",
    ]) {
      expect(requests).not.toContain(part);
    }
  });
});

describe("row 5: plans", () => {
  /** Kinds that stand in code, as functions that the code to be changed uses. */
  const inCode = secretKinds.filter(({ path, text }) => path.endsWith(".ts") && !holdsPrivateKey(text));
  const setup = inCode.map(({ text }, i) => `export function setup${i}() {\n  ${text.replaceAll("\n", "\n  ")}\n}\n`);

  test.each([
    ["the code that a step uses", 0, 12],
    ["more of it", 12, 24],
    ["and more", 24, 36],
    ["and the rest", 36, 60],
  ])(
    "show %s without its secrets, by real git and a real server",
    async (_, start, end) => {
      const server = await serveBook([{ expected: [], answer: "No changes." }]);
      onTestFinished(() => server[Symbol.asyncDispose]());
      const names = inCode.map((_, i) => `setup${i}`).slice(start, end);
      const npm = inCode[0]!;
      const priceWithKey = price.replace("{\n", `{\n  ${npm.text}\n`);
      const work = new Shop({
        ...shop,
        "src/setup.ts": setup.join("\n"),
        "src/price.ts": priceWithKey,
        "src/cart.ts": `import { ${names.join(", ")} } from "./setup";\n${cart.replace("  return", `  ${names.map((name) => `${name}();`).join(" ")}\n  return`)}`,
      });
      work.write({ "src/price.ts": priceWithKey.replace("euros: number)", "euros: number, rate: number)") });
      await work.run(["plan", "--yes", "--model", server.model]);
      const prompts = server.prompts.join("\n");
      // The block that a step may change is shown as it is, and contains none of them.
      expect(prompts).toContain("rate: number");
      const shownNames = names.filter((name) => prompts.includes(`function ${name}()`));
      expect(shownNames.length).toBeGreaterThan(names.length / 2);
      for (const { name, secret } of [npm, ...inCode.slice(start, end)])
        expect([name, prompts.includes(secret)]).toEqual([name, false]);
    },
    120_000,
  );
});

describe("row 5: edits by an instruction", () => {
  test("show read-only files without their secrets, and the file to change as it is", async () => {
    const given = secretKinds.map((kind, i) => ({ ...kind, file: `given/${i}-${kind.path.split("/").at(-1)!}` }));
    const work = new Shop({
      ...shop,
      ...Object.fromEntries(given.map(({ file, text }) => [file, `marker\n${text}\n`])),
    });
    const edit = (file: string) => work.run(["edit", "src/cart.ts", "-m", "Do it.", "--read", file, "--prompt"]);
    const keys = given.filter(({ text }) => holdsPrivateKey(text));
    expect(keys.length).toBeGreaterThan(0);
    for (const { file, name } of keys) {
      const { exitCode, out, err } = await edit(file);
      expect([name, exitCode, out]).toEqual([name, 5, ""]);
      expect(err).toContain("a private key");
    }
    const shown = given.filter(({ text }) => !holdsPrivateKey(text));
    expect(shown.length).toBeGreaterThan(0);
    for (const { file, secret, name } of shown) {
      const { exitCode, out } = await edit(file);
      expect([name, exitCode, out.includes("marker"), out.includes(secret)]).toEqual([name, 0, true, false]);
    }
    const npm = given[0]!;
    const asIs = await work.run(["edit", npm.file, "-m", "Do it.", "--prompt"]);
    expect(asIs.out).toContain(npm.secret);
  });
});
