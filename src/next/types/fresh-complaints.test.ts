import { afterAll, expect, test } from "vitest";
import { BlockReader } from "../../codebase/index.ts";
import { parseScriptTree } from "../../codebase/node/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { ScriptedWitness } from "./fixtures/scripted-witness.ts";
import { FreshComplaints } from "./fresh-complaints.ts";
import { PresentTypes } from "./present-types.ts";
import { ScriptStates } from "./script-states.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const before = "export function send(text: A) { return 1; }\n";
const after = before.replace("text: A", "mail: A");

test("what others see decides whether other files are asked again; an edited one always is", async () => {
  const states = new ScriptStates(new BlockReader({ parseScript: parseScriptTree, syntax }));
  const texts = new Map([
    ["send.ts", before],
    ["a.ts", 'bad0; "wants send.ts:text";'],
    ["b.ts", '"wants send.ts:A";'],
  ]);
  const witness = new ScriptedWitness(texts);
  const types = new PresentTypes({ witness, texts });
  const complaints = new FreshComplaints(states);
  /** The complaints about these files after `now` was typed, and who was asked. */
  const ask = async (now: string, ...paths: readonly string[]) => {
    texts.set("send.ts", now);
    types.update("send.ts", now);
    witness.log.length = 0;
    const files = { textOf: (path: string) => texts.get(path) };
    const of = complaints.at({ types, files, changes: new Map([["send.ts", { before, after: now }]]) });
    const said: string[] = [];
    for (const path of paths) for (const { message } of await of(path)) said.push(`${path}: ${message}`);
    return { said, asked: witness.log.flatMap((line) => /^asked (?:what is held )?(.*)/.exec(line)?.[1] ?? []) };
  };
  const wanting = ["a.ts: send.ts says no text"];
  expect(await ask(after, "a.ts", "b.ts")).toEqual({ said: wanting, asked: ["a.ts", "a.ts", "b.ts"] });
  expect(await ask(after, "a.ts", "b.ts")).toEqual({ said: wanting, asked: [] });
  // Another body.
  expect(await ask(after.replace("1", "bad2"), "a.ts", "b.ts")).toEqual({ said: wanting, asked: [] });
  expect(await ask(after.replace("1", "bad3"), "send.ts")).toEqual({
    said: ["send.ts: bad3 is bad"],
    asked: ["send.ts", "send.ts"],
  });
  // Another type of what it takes.
  expect(await ask(after.replace("mail: A", "mail: B"), "b.ts")).toEqual({
    ...{ said: ["b.ts: send.ts says no A"], asked: ["b.ts", "b.ts"] },
  });
});
