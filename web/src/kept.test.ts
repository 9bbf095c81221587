import { expect, test } from "vitest";
import { kept } from "./kept.ts";

class Memory {
  readonly texts = new Map<string, string>();

  getItem(key: string): string | null {
    return this.texts.get(key) ?? null;
  }

  setItem(key: string, text: string): void {
    this.texts.set(key, text);
  }
}

const shop = "file:///home/me/shop";
const shoes = "file:///home/me/shoes";

test.each([
  ["is there again in its folder", shop, shop, "make test"],
  ["is not there in another folder", shop, shoes, ""],
  ["is not there for the page", shop, "page", ""],
  ["is there again for the page", "page", "page", "make test"],
  ["of the page is not there in a folder", "page", shop, ""],
])("a kept value %s", (_, of, later, expected) => {
  const storage = new Memory();
  kept("command", "", { of, storage }).value = "make test";
  expect(kept("command", "", { of: later, storage }).value).toBe(expected);
});

test.each([
  ["cannot be parsed", "light"],
  ["has another type", "7"],
])("a kept value that %s is the first one", (_, text) => {
  const storage = new Memory();
  storage.setItem("emend.scheme", text);
  expect(kept("scheme", "system", { of: "page", storage }).value).toBe("system");
});
