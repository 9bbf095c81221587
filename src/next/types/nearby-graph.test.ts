import { afterAll, expect, test } from "vitest";
import { BlockReader, classifyChanges, type FileReferences, type ReferenceSource } from "../../codebase/index.ts";
import { parseScriptTree } from "../../codebase/node/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { TextIndex } from "../text-index.ts";
import { ScriptedWitness } from "./fixtures/scripted-witness.ts";
import { NearbyGraphs, type NearbyGraphsParts } from "./nearby-graph.ts";
import { PastReferences } from "./past-references.ts";
import { PresentTypes } from "./present-types.ts";
import { ScriptStates } from "./script-states.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const before = "export function send(text: string) {}\nfunction own() {}\nexport class Mail { post() {} }\n";

/** Asks around a change of `lib/send.ts` twice, and says who was asked for which names. */
async function askedAfter(
  after: string,
  others: Readonly<Record<string, string>>,
  limits: Partial<NearbyGraphsParts> & { readonly open?: readonly string[]; readonly signal?: AbortSignal } = {},
): Promise<readonly string[]> {
  const { open = [], signal, ...most } = limits;
  const states = new ScriptStates(new BlockReader({ parseScript: parseScriptTree, syntax }));
  const path = "lib/send.ts";
  const texts = Object.entries({ [path]: before, ...others });
  const types = new PresentTypes({ witness: new ScriptedWitness(texts), texts });
  types.update(path, after);
  const asked: string[] = [];
  const source: Pick<ReferenceSource, "referencesOf"> = {
    async referencesOf(paths, { saying = new Set() } = {}) {
      asked.push(`${paths.join(" ")} for ${[...saying].join(" ")}`);
      return paths.map((one): FileReferences => ({ path: one, references: [], unresolved: 0, precision: "types" }));
    },
  };
  const files = new TextIndex();
  for (const [one, text] of texts) files.update(one, text);
  files.update(path, after);
  files.show(open);
  const stateOf = (text: string) => ({ text, blocks: states.blocksOf(path, text) });
  const changes = classifyChanges([{ path, before: stateOf(before), after: stateOf(after) }]);
  const changed = new Map([[path, { before, after }]]);
  const question = { files, references: new PastReferences(types, source), signal };
  const graphs = new NearbyGraphs({ states, ...most });
  const first = await graphs.around(changes, changed, question);
  expect(await graphs.around(changes, changed, question)).toBe(first);
  return asked;
}

const call = 'import { send } from "./send.ts"; send();';
const changedSend = before.replace("text: string", "text: number");

type Case = readonly [
  what: string,
  after: string,
  others: Readonly<Record<string, string>>,
  limits: Parameters<typeof askedAfter>[2],
  ...asked: readonly string[],
];

const cases: readonly Case[] = [
  ["nobody, where nothing changed that others see", before.replace("own() {}", "own() { const a = 1; }"), {}, {}],
  [
    "the file itself alone, of what others cannot name",
    before.replace("own()", "own(a: A)"),
    { "lib/a.ts": "own();" },
    {},
    "lib/send.ts for own",
  ],
  [
    "who says the name and names the module",
    changedSend,
    { "lib/a.ts": call, "lib/b.ts": "send();", "lib/c.ts": 'import "./other.ts"; post();', "d.json": call },
    {},
    ...["lib/send.ts for send", "lib/a.ts for send"],
  ],
  [
    "of a member, who says it, too, after those that name the module",
    before.replace("post()", "post(a: A)"),
    { "lib/a.ts": "mail.post();", "lib/z.ts": 'import { Mail } from "./send.ts"; new Mail().post();' },
    {},
    ...["lib/send.ts for post", "lib/z.ts for post", "lib/a.ts for post"],
  ],
  [
    "open files, and then the nearest",
    changedSend,
    { "far/a.ts": call, "lib/b.ts": call, "lib/deep/c.ts": call, "far/z.ts": call },
    { open: ["far/z.ts"] },
    ...["lib/send.ts", "far/z.ts", "lib/b.ts", "lib/deep/c.ts", "far/a.ts"].map((path) => `${path} for send`),
  ],
  [
    "so many files and no more",
    changedSend,
    { "lib/a.ts": call, "lib/b.ts": call, "lib/c.ts": call },
    { maxFiles: 2 },
    ...["lib/send.ts for send", "lib/a.ts for send", "lib/b.ts for send"],
  ],
  [
    "so much text and no more",
    changedSend,
    { "lib/a.ts": call + " ".repeat(500), "lib/b.ts": call },
    { maxCharacters: 400 },
    ...["lib/send.ts for send", "lib/b.ts for send"],
  ],
];

test.each(cases.map((one) => [one[0], one] as const))(
  "is asked: %s",
  async (_, [, after, others, limits, ...asked]) => {
    expect(await askedAfter(after, others, limits)).toEqual(asked);
  },
);

test("who gives up ends the asking", async () => {
  const giving = new AbortController();
  giving.abort(new Error("enough"));
  const { signal } = giving;
  await expect(askedAfter(changedSend, { "lib/a.ts": call }, { signal })).rejects.toThrow("enough");
});
