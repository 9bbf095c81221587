import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildPackage } from "../../src/cli/fixtures/run-cli.ts";
import { ServerWorkspace } from "../../src/cli/fixtures/server-workspace.ts";
import { luaText, type Neovim } from "./fixtures/neovim.ts";
import { openWorkspace, supportedNeovims } from "./fixtures/start.ts";

let work: ServerWorkspace;
beforeAll(buildPackage);
beforeEach(() => {
  work = new ServerWorkspace();
});
afterEach(() => work[Symbol.dispose]());

const files: Readonly<Record<string, string>> = {
  "src/price.ts": `export function totalPrice(count: number): number {
  return count * 3;
}

export function formatPrice(count: number): string {
  return String(totalPrice(count));
}
`,
  "src/price.test.ts": `import { test } from "node:test";

import { totalPrice, formatPrice } from "./price.ts";

test("prices", () => [totalPrice(1), formatPrice(1)]);
`,
  "src/invoice.ts": `// Invoices.
import { totalPrice } from "./price.ts";

export const invoice = (count: number) => [count, totalPrice(count)];
`,
  "src/cart.ts": `import { totalPrice } from "./price.ts";

export const cart = totalPrice(2) + totalPrice(3);
`,
};

/** The text of each file's buffer. */
async function texts(neovim: Neovim): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const path of Object.keys(files)) {
    const lines = `vim.fn.getbufline(vim.fn.bufnr(${luaText(join(work.root, path))}), 1, "$")`;
    all[path] = await neovim.lua(`return table.concat(${lines}, "\\n") .. "\\n"`);
  }
  return all;
}

/** Collects what is sent to the server, a method each. */
const recordTraffic = `
  traffic = {}
  local rpc = require("emend.client").of(0).rpc
  for _, way in ipairs({ "request", "notify" }) do
    local send = rpc[way]
    rpc[way] = function(method, ...)
      table.insert(traffic, method)
      return send(method, ...)
    end
  end
`;

describe.each(supportedNeovims)("Neovim $version", (program) => {
  test("after all edits of a rename are accepted, the server has them before it is asked, and Tab changes nothing", async () => {
    for (const [path, text] of Object.entries(files)) work.write(path, text);
    const init = `require("emend").setup({ settings = { next = { eagerness = "eager" } } })`;
    const neovim = await openWorkspace(program, work, { file: join(work.root, "src/price.ts"), init });
    await neovim.lua(`vim.fn.search("totalPrice", "c")`);
    await neovim.type("c", "w", "sumPrice", "<Esc>");
    // A request by key waits until the workspace is read.
    await neovim.lua(`vim.cmd("Emend next")`);
    await neovim.until(`return require("emend").has_next_edit()`);
    await neovim.lua(recordTraffic);
    await neovim.type("<M-CR>");
    await neovim.until(`return messages[1]`);
    expect(await neovim.lua(`return messages`)).toEqual([
      "Emend: 8 edits in 4 files, not saved yet; `:Emend undo` takes them back.",
    ]);
    const renamed = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path, text.replaceAll("totalPrice", "sumPrice")]),
    );
    await neovim.until(`return vim.list_contains(traffic, "emend/nextEdit")`);
    const traffic = await neovim.lua<string[]>(
      `vim.wait(1000, function() return require("emend").has_next_edit() end) return traffic`,
    );
    const asked = traffic.indexOf("emend/nextEdit");
    const changes = (methods: readonly string[]) =>
      methods.filter((method) => method === "textDocument/didChange").length;
    expect([changes(traffic.slice(0, asked)) >= 4, changes(traffic.slice(asked))]).toEqual([true, 0]);
    await neovim.type("<Tab>", "<Tab>");
    expect(await texts(neovim)).toEqual(renamed);
  });
});
