import { afterAll, expect, test } from "vitest";
import { ScriptedTypeChecker } from "../../../analysis/fixtures/scripted-type-checker.ts";
import { BlockReader, ParseCache, TypeCheckCache } from "../../../analysis/index.ts";
import { parseScriptTree } from "../../../names/node/index.ts";
import { openSyntax } from "../../../syntax/node/index.ts";
import { NewDiagnostics } from "./new-diagnostics.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const before = "export function send(text: A) { return 1; }\n";
const after = before.replace("text: A", "mail: A");

test("the new diagnostics of other files are requested again only when an exported signature changed; an edited file always is", async () => {
  const states = new ParseCache(new BlockReader({ parseScript: parseScriptTree, syntax }));
  const texts = new Map([
    ["send.ts", before],
    ["a.ts", 'bad0; "wants send.ts:text";'],
    ["b.ts", '"wants send.ts:A";'],
  ]);
  const checker = new ScriptedTypeChecker(texts);
  const types = new TypeCheckCache({ checker, texts });
  const diagnostics = new NewDiagnostics(states);
  /** Returns the new diagnostics of these files after `now` was typed, and the requested files. */
  const request = async (now: string, ...paths: readonly string[]) => {
    texts.set("send.ts", now);
    types.update("send.ts", now);
    checker.log.length = 0;
    const files = { textOf: (path: string) => texts.get(path) };
    const of = diagnostics.at({ types, files, changes: new Map([["send.ts", { before, after: now }]]) });
    const messages: string[] = [];
    for (const path of paths) for (const { message } of await of(path)) messages.push(`${path}: ${message}`);
    return {
      messages,
      requested: checker.log.flatMap((line) => /^(?:snapshot )?errors (.*)/.exec(line)?.[1] ?? []),
    };
  };
  const wanting = ["a.ts: send.ts lacks text"];
  expect(await request(after, "a.ts", "b.ts")).toEqual({ messages: wanting, requested: ["a.ts", "a.ts", "b.ts"] });
  expect(await request(after, "a.ts", "b.ts")).toEqual({ messages: wanting, requested: [] });
  // A changed body.
  expect(await request(after.replace("1", "bad2"), "a.ts", "b.ts")).toEqual({ messages: wanting, requested: [] });
  expect(await request(after.replace("1", "bad3"), "send.ts")).toEqual({
    messages: ["send.ts: bad3 is bad"],
    requested: ["send.ts", "send.ts"],
  });
  // A changed parameter type.
  expect(await request(after.replace("mail: A", "mail: B"), "b.ts")).toEqual({
    ...{ messages: ["b.ts: send.ts lacks A"], requested: ["b.ts", "b.ts"] },
  });
});
