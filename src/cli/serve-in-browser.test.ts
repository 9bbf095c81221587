import { mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { browser, hasBrowser, inBrowser } from "./fixtures/browser.ts";
import { type ServedPage, startServe } from "./fixtures/page-client.ts";
import { buildPackage } from "./fixtures/run-cli.ts";

let top: string;
let served: ServedPage;

beforeAll(async () => {
  await buildPackage();
  top = realpathSync(mkdtempSync(join(tmpdir(), "emend-sites-")));
  for (const folder of ["work", "page/assets", "site"]) mkdirSync(join(top, folder), { recursive: true });
  writeFileSync(join(top, "work/a.ts"), "let a = 1;\n");
  writeFileSync(join(top, "page/index.html"), "<!doctype html><title>Emend</title>");
  writeFileSync(join(top, "page/assets/a-1.js"), "globalThis.stolen = true;\nexport const stolen = true;\n");
  writeFileSync(join(top, "page/assets/a-1.css"), "body { color: red }\n");
  writeFileSync(join(top, "page/icon.svg"), '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>\n');
  served = await startServe(["work", "--no-open", "--page", "page"], {
    folder: top,
    environment: { ...(process.env as Record<string, string>), EMEND_CACHE_DIR: join(top, "cache") },
  });
}, 300_000);
afterAll(async () => {
  served?.child.kill("SIGINT");
  await served?.ended;
  removeFolder(top);
});

/**
 * What a page of another site can try that has come to know the address. Each answers what came of
 * it.
 */
const tries: Readonly<Record<string, string>> = {
  "read a file": 'fetch(page + "api/file?path=a.ts").then((answer) => answer.text())',
  "read a file without asking who may": `
    fetch(page + "api/file?path=a.ts", { mode: "no-cors" }).then(async (answer) => (await answer.text()) || "refused")`,
  "write a file": 'fetch(page + "api/file?path=b.ts", { method: "PUT", headers: { "If-None-Match": "*" }, body: "x" })',
  "send a form": `
    fetch(page + "api/file?path=b.ts", { method: "POST", mode: "no-cors", body: "x" }).then(({ type }) => type + " refused")`,
  "follow the files": `new Promise((resolve, reject) => {
    const events = new EventSource(page + "api/changes");
    events.onopen = resolve;
    events.onerror = reject;
  })`,
  "speak to the language server": `new Promise((resolve, reject) => {
    const socket = new WebSocket(page.replace("http", "ws") + "lsp");
    socket.onopen = resolve;
    socket.onerror = reject;
  })`,
  "run its scripts": 'import(page + "assets/a-1.js")',
  "run its scripts as the web once did": 'load("script", { src: page + "assets/a-1.js" })',
  "use its styles": 'load("link", { rel: "stylesheet", href: page + "assets/a-1.css" })',
  "show its pictures": 'load("img", { src: page + "icon.svg" })',
  "put it into a frame": `
    load("iframe", { src: page }).then(({ contentWindow }) => {
      // A frame that shows an error has an opaque origin, one that shows the page of the page's.
      try { return contentWindow.location.origin; } catch { return "refused"; }
    })`,
};

describe.runIf(hasBrowser())("in a real browser, another site that knows the address cannot", () => {
  test.each(Object.entries(tries))("%s", async (_, code) => {
    const answer = await inBrowser(
      browser!,
      join(top, "site"),
      `
      const page = ${JSON.stringify(served.url)};
      // What fails in a shadow tree fails there alone, and not on the page that runs the test.
      const shadow = document.body.appendChild(document.createElement("div")).attachShadow({ mode: "open" });
      const load = (name, properties) => new Promise((resolve, reject) => {
        const element = Object.assign(document.createElement(name), properties, { onload: () => resolve(element), onerror: reject });
        shadow.append(element);
      });
      await Promise.resolve(${code}).then((value) => answer(String(value)), () => answer("refused"));`,
    );
    expect(answer).toMatch(/refused$/);
    expect(readdirSync(join(top, "work"))).toEqual(["a.ts"]);
  });
});
