import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildPackage } from "../../src/cli/fixtures/run-cli.ts";
import { ServerWorkspace } from "../../src/cli/fixtures/server-workspace.ts";
import { luaText, type Neovim } from "./fixtures/neovim.ts";
import { openWorkspace, supportedNeovims } from "./fixtures/start.ts";

let work: ServerWorkspace;
beforeAll(buildPackage, 300_000);
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

/** The files after the rename of `totalPrice`. */
const renamed = Object.fromEntries(
  Object.entries(files).map(([path, text]) => [path, text.replaceAll("totalPrice", "sumPrice")]),
);

describe.each(supportedNeovims)("Neovim $version", (program) => {
  /** Renames a function in the first file, and waits for the next place of it. */
  async function openRenamed(): Promise<Neovim> {
    for (const [path, text] of Object.entries(files)) work.write(path, text);
    const init = `require("emend").setup({ settings = { next = { eagerness = "eager" } } })`;
    const neovim = await openWorkspace(program, work, { file: join(work.root, "src/price.ts"), init });
    await neovim.lua(`vim.fn.search("totalPrice", "c")`);
    await neovim.type("c", "w", "sumPrice", "<Esc>");
    // A request by key waits until the workspace is read.
    await neovim.lua(`vim.cmd("Emend next")`);
    await neovim.until(`return require("emend").has_next_edit()`);
    return neovim;
  }

  test.each([1, 2])(
    "row 28: after %d accepted edits of a rename, the rest in all files is accepted at once",
    async (count) => {
      const neovim = await openRenamed();
      const buffers = `local left = 0
      for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
        for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
          left = left + select(2, line:gsub("totalPrice", ""))
        end
      end`;
      for (let accepted = 0; accepted < count; accepted++) {
        await neovim.until(`return require("emend").has_next_edit()`);
        // The first key goes to the place, which opens its file; the second accepts it.
        const place = `return vim.api.nvim_buf_get_name(0) .. vim.api.nvim_win_get_cursor(0)[1]`;
        const before = await neovim.lua<string>(place);
        await neovim.type("<Tab>");
        await neovim.until(`${place.replace("return", "local now =")} return now ~= ${luaText(before)}`);
        await neovim.until(`return require("emend").has_next_edit()`);
        const open = await neovim.lua<number>(`${buffers} return left`);
        await neovim.type("<Tab>");
        await neovim.until(`${buffers} return left < ${open}`);
      }
      await neovim.until(`return require("emend").has_next_edit()`);
      await neovim.type("<M-CR>");
      await neovim.until(`return messages[1]`);
      expect(await texts(neovim)).toEqual(renamed);
    },
  );

  test("after all edits of a rename are accepted, the server has them before it is asked, and Tab changes nothing", async () => {
    const neovim = await openRenamed();
    await neovim.lua(recordTraffic);
    await neovim.type("<M-CR>");
    await neovim.until(`return messages[1]`);
    expect(await neovim.lua(`return messages`)).toEqual([
      "Emend: 8 edits in 4 files, not saved yet; `:Emend undo` takes them back.",
    ]);
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
