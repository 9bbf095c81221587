import { afterEach, expect, test } from "vitest";
import type { Model } from "../model/index.ts";
import { TestClient } from "./fixtures/test-client.ts";

const uri = "file:///w/src/log.ts";
const automatic = { context: { triggerKind: 2 } };

let client: TestClient | undefined;
afterEach(async () => {
  await client?.[Symbol.asyncDispose]();
  client = undefined;
});

/**
 * An editor with one document, whose text and cursor follow what is typed, and a model that always
 * gives one answer.
 */
class Typist {
  readonly #client: TestClient;
  #text: string;
  #offset: number;
  #version = 100;

  static async open(marked: string, answer: string): Promise<Typist> {
    const model: Model = {
      name: "ollama:scripted",
      async *fill() {
        yield { kind: "text-delta" as const, text: answer };
        return { reason: "finished" as const };
      },
    };
    client = await TestClient.start({ model });
    await client.open(uri, marked, "typescript");
    return new Typist(client, marked);
  }

  private constructor(client: TestClient, marked: string) {
    this.#client = client;
    this.#offset = marked.indexOf("|");
    this.#text = marked.replace("|", "");
  }

  /** Replaces `[start, end)` with `text`; the cursor goes behind it. */
  async replace(start: number, end: number, text: string): Promise<void> {
    const range = { start: this.#positionAt(start), end: this.#positionAt(end) };
    this.#text = this.#text.slice(0, start) + text + this.#text.slice(end);
    this.#offset = start + text.length;
    this.#version++;
    await this.#client.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: this.#version },
      contentChanges: [{ range, text }],
    });
  }

  type(text: string): Promise<void> {
    return this.replace(this.#offset, this.#offset, text);
  }

  async backspace(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.replace(this.#offset - 1, this.#offset, "");
  }

  /** As a key does that deletes a word. */
  backspaceAtOnce(count: number): Promise<void> {
    return this.replace(this.#offset - count, this.#offset, "");
  }

  /** Puts the cursor before the first `text`, and deletes it key by key. */
  async deleteForwards(text: string): Promise<void> {
    const start = this.#text.indexOf(text);
    for (let i = 0; i < text.length; i++) await this.replace(start, start + 1, "");
  }

  /** Deletes the first `text` in one go. */
  remove(text: string): Promise<void> {
    return this.put(text, "");
  }

  /** Replaces the first `text` in one go. */
  put(text: string, other: string): Promise<void> {
    const start = this.#text.indexOf(text);
    return this.replace(start, start + text.length, other);
  }

  /** Types at the end of the line with this index. */
  typeAtEndOf(line: number, text: string): Promise<void> {
    this.#offset = this.#text
      .split("\n")
      .slice(0, line + 1)
      .join("\n").length;
    return this.type(text);
  }

  /** Opens another document, and types in it. */
  async editOther(): Promise<void> {
    const { textDocument } = await this.#client.open("file:///w/src/other.ts", "const c = 1;|\n", "typescript");
    await this.#client.connection.sendNotification("textDocument/didChange", {
      textDocument: { ...textDocument, version: 500 },
      contentChanges: [{ range: { start: { line: 1, character: 0 }, end: { line: 1, character: 0 } }, text: "c;\n" }],
    });
  }

  /** Puts the cursor right behind the first `text`. */
  goBehind(text: string): void {
    this.#offset = this.#text.indexOf(text) + text.length;
  }

  /** What is offered, or the kind of the reason why nothing is. */
  async ask(options: object = automatic): Promise<string> {
    const place = { textDocument: { uri }, position: this.#positionAt(this.#offset) };
    const [item] = await this.#client.complete(place, options);
    return item === undefined ? String(await this.#client.lastReasonKind()) : String(item.insertText);
  }

  #positionAt(offset: number) {
    const lines = this.#text.slice(0, offset).split("\n");
    return { line: lines.length - 1, character: lines.at(-1)!.length };
  }
}

const logging = 'const a = 1;\nlog.debug("removing", user.id|);\nconst b = 2;\n';

test("row 49: text deleted key by key is not suggested again automatically", async () => {
  const typist = await Typist.open(logging, ", user.id");
  await typist.backspace(", user.id".length);
  expect(await typist.ask()).toBe("just-deleted");
  // A request by key gets it.
  expect(await typist.ask({})).toBe(", user.id");
});

test.each([
  [
    "and requested after each key",
    async (typist: Typist) => {
      for (let i = 0; i < ", user.id".length; i++) {
        await typist.backspace(1);
        await typist.ask();
      }
    },
  ],
  [
    "in one go",
    async (typist: Typist) => {
      typist.goBehind('removing"');
      const start = logging.indexOf(", user.id");
      await typist.replace(start, start + ", user.id".length, "");
    },
  ],
  [
    "and something else was written on another line",
    async (typist: Typist) => {
      await typist.backspace(", user.id".length);
      typist.goBehind("const b = 2");
      await typist.type("0");
      typist.goBehind('removing"');
    },
  ],
])("row 49: text deleted %s is not suggested again automatically", async (_, remove) => {
  const typist = await Typist.open(logging, ", user.id");
  await remove(typist);
  expect(await typist.ask()).toBe("just-deleted");
});

test.each([
  ["with more behind it", ", user.id, user.name"],
  ["in part", ", user"],
])("row 49: deleted text is not suggested again %s", async (_, answer) => {
  const typist = await Typist.open(logging, answer);
  await typist.backspace(", user.id".length);
  expect(await typist.ask()).toBe("just-deleted");
});

test("row 49: typed and undone text is not suggested again automatically", async () => {
  const typist = await Typist.open("const a = 1;\nconst b = |\n", "call(a);");
  for (const key of "call(a);") await typist.type(key);
  await typist.backspace("call(a);".length);
  expect(await typist.ask()).toBe("just-deleted");
});

test("row 49: a suggestion that was accepted and undone is not suggested again automatically", async () => {
  const typist = await Typist.open("const a = 1;\nconst b = |\n", "call(a);");
  expect(await typist.ask()).toBe("call(a);");
  await typist.type("call(a);");
  await typist.backspace(0);
  const start = "const a = 1;\nconst b = ".length;
  await typist.replace(start, start + "call(a);".length, "");
  expect(await typist.ask()).toBe("just-deleted");
});

test("row 49: deleted text is suggested again after other edits around it", async () => {
  const typist = await Typist.open(logging, ", user.id");
  await typist.backspace(", user.id".length);
  typist.goBehind('"removing');
  await typist.type(" it");
  typist.goBehind('"removing it"');
  expect(await typist.ask()).toBe(", user.id");
});

test("row 49: another text is suggested in place of deleted text, and the deleted text elsewhere", async () => {
  const other = await Typist.open(logging, ", account");
  await other.backspace(", user.id".length);
  expect(await other.ask()).toBe(", account");
  await client?.[Symbol.asyncDispose]();
  const elsewhere = await Typist.open(`${logging}log.debug("adding");\n`, ", user.id");
  await elsewhere.backspace(", user.id".length);
  elsewhere.goBehind('"adding"');
  expect(await elsewhere.ask()).toBe(", user.id");
});

const block = "function f(user) {\n  check(user);\n  log(user.id);|\n  save(user);\n}\n";

/** What a person does before an automatic request; `offered`: what would come back. */
const removals: readonly (readonly [
  name: string,
  marked: string,
  offered: string,
  remove: (typist: Typist) => Promise<void>,
])[] = [
  [
    "word by word",
    logging,
    ", user.id",
    async (typist) => {
      for (const word of ["id", "user.", ", "]) await typist.backspaceAtOnce(word.length);
    },
  ],
  ["the last word alone", logging, "id", (typist) => typist.backspaceAtOnce(2)],
  ["with the key that deletes forwards", logging, ", user.id", (typist) => typist.deleteForwards(", user.id")],
  ["the text of a line, whose indentation stays", block, "log(user.id);", (typist) => typist.remove("log(user.id);")],
  ["the text of a line with its indentation", block, "  log(user.id);", (typist) => typist.remove("  log(user.id);")],
  [
    "a whole line, and a new line opened there",
    block,
    "log(user.id);",
    async (typist) => {
      await typist.remove("  log(user.id);\n");
      typist.goBehind("check(user);");
      await typist.type("\n  ");
    },
  ],
  [
    "a whole line, and a new line opened above the next one",
    block,
    "log(user.id);",
    async (typist) => {
      await typist.remove("  log(user.id);\n");
      typist.goBehind("check(user);\n");
      await typist.type("  \n");
      typist.goBehind("check(user);\n  ");
    },
  ],
  [
    "two lines, and a new line opened there",
    block,
    "log(user.id);\n  save(user);",
    async (typist) => {
      await typist.remove("  log(user.id);\n  save(user);\n");
      typist.goBehind("check(user);");
      await typist.type("\n  ");
    },
  ],
  [
    "and the cursor moved away and back",
    logging,
    ", user.id",
    async (typist) => {
      await typist.backspace(", user.id".length);
      typist.goBehind("const b = ");
      await typist.ask();
      typist.goBehind('removing"');
    },
  ],
  [
    "before another deletion on another line",
    logging,
    ", user.id",
    async (typist) => {
      await typist.backspace(", user.id".length);
      typist.goBehind("const b = 2");
      await typist.backspace(1);
      typist.goBehind('removing"');
    },
  ],
  [
    "after another deletion on the same line",
    logging,
    ", user.id",
    async (typist) => {
      await typist.remove("debug");
      typist.goBehind(", user.id");
      await typist.backspace(", user.id".length);
    },
  ],
  [
    "before another deletion on the same line",
    logging,
    ", user.id",
    async (typist) => {
      await typist.remove(", user.id");
      await typist.remove("debug");
      typist.goBehind('removing"');
    },
  ],
  [
    "and a space is put in its place",
    logging,
    ", user.id",
    async (typist) => {
      await typist.backspace(", user.id".length);
      await typist.type(" ");
      await typist.backspace(1);
    },
  ],
  [
    "and another file was edited in between",
    logging,
    ", user.id",
    async (typist) => {
      await typist.backspace(", user.id".length);
      await typist.editOther();
    },
  ],
  [
    "and twelve other places were edited since",
    `${logging}${"const more = 1;\n".repeat(12)}`,
    ", user.id",
    async (typist) => {
      await typist.backspace(", user.id".length);
      for (let line = 3; line < 15; line++) await typist.typeAtEndOf(line, "0");
      typist.goBehind('removing"');
    },
  ],
  [
    "that was a suggestion, taken key by key and deleted at once",
    "const a = 1;\nconst b = |\n",
    "call(a);",
    async (typist) => {
      for (const key of "call(a);") await typist.type(key);
      await typist.remove("call(a);");
    },
  ],
  [
    "that was put in the place of another text, and undone",
    logging,
    "account",
    async (typist) => {
      await typist.put("user.id", "account");
      await typist.put("account", "user.id");
      await typist.remove("user.id");
    },
  ],
];

test.each(removals)(
  "row 49: deleted text is not suggested again automatically: %s",
  async (_, marked, offered, remove) => {
    const typist = await Typist.open(marked, offered);
    await remove(typist);
    expect(await typist.ask()).toBe("just-deleted");
  },
);

test.each<[string, string, (typist: Typist) => Promise<void>]>([
  [
    "something was written in its place",
    " user.id",
    async (typist) => {
      await typist.backspace(", user.id".length);
      await typist.type(",");
    },
  ],
  [
    "another word was put before it on its line",
    ", user.id",
    async (typist) => {
      await typist.backspace(", user.id".length);
      await typist.put("debug", "info");
      typist.goBehind('removing"');
    },
  ],
])("row 49: deleted text is suggested again where %s", async (_, offered, change) => {
  const typist = await Typist.open(logging, offered);
  await change(typist);
  expect(await typist.ask()).toBe(offered);
});
