import { afterAll, expect, test } from "vitest";
import { ScriptedTypeChecker } from "../../../analysis/fixtures/scripted-type-checker.ts";
import {
  BlockReader,
  classifyChanges,
  type FileReferences,
  ParseCache,
  type ReferenceSource,
  TypeCheckCache,
} from "../../../analysis/index.ts";
import { parseScriptTree } from "../../../names/node/index.ts";
import { openSyntax } from "../../../syntax/node/index.ts";
import { TextIndex } from "../../engine/text-index.ts";
import { NearbyGraphs, type NearbyGraphsParts } from "./nearby-graph.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const before = "export function send(text: string) {}\nfunction own() {}\nexport class Mail { post() {} }\n";

/**
 * Builds the graph around a change of `lib/send.ts` twice. Returns the requested files and names.
 */
async function requestsAfter(
  after: string,
  others: Readonly<Record<string, string>>,
  limits: Partial<NearbyGraphsParts> & {
    readonly open?: readonly string[];
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<readonly string[]> {
  const { open = [], signal, ...most } = limits;
  const states = new ParseCache(new BlockReader({ parseScript: parseScriptTree, syntax }));
  const path = "lib/send.ts";
  const texts = Object.entries({ [path]: before, ...others });
  const requests: string[] = [];
  const source: Pick<ReferenceSource, "referencesOf"> = {
    async referencesOf(paths, { onlyNames = new Set() } = {}) {
      requests.push(`${paths.join(" ")} for ${[...onlyNames].join(" ")}`);
      return paths.map((one): FileReferences => ({ path: one, references: [], unresolved: 0, precision: "types" }));
    },
  };
  const checker = Object.assign(new ScriptedTypeChecker(texts), source);
  const types = new TypeCheckCache({ checker, texts });
  types.update(path, after);
  const files = new TextIndex();
  for (const [one, text] of texts) files.update(one, text);
  files.update(path, after);
  files.show(open);
  const stateOf = (text: string) => ({ text, blocks: states.blocksOf(path, text) });
  const changes = classifyChanges([{ path, before: stateOf(before), after: stateOf(after) }]);
  const changed = new Map([[path, { before, after }]]);
  const question = { files, types, signal };
  const graphs = new NearbyGraphs({ states, ...most });
  const first = await graphs.around(changes, changed, question);
  expect(await graphs.around(changes, changed, question)).toBe(first);
  return requests;
}

const call = 'import { send } from "./send.ts"; send();';
const changedSend = before.replace("text: string", "text: number");

type Case = readonly [
  what: string,
  after: string,
  others: Readonly<Record<string, string>>,
  limits: Parameters<typeof requestsAfter>[2],
  ...requests: readonly string[],
];

const cases: readonly Case[] = [
  ["no file where nothing visible changed", before.replace("own() {}", "own() { const a = 1; }"), {}, {}],
  [
    "only the changed file for a local declaration",
    before.replace("own()", "own(a: A)"),
    { "lib/a.ts": "own();" },
    {},
    "lib/send.ts for own",
  ],
  [
    "files that contain the name and import the module",
    changedSend,
    { "lib/a.ts": call, "lib/b.ts": "send();", "lib/c.ts": 'import "./other.ts"; post();', "d.json": call },
    {},
    ...["lib/send.ts for send", "lib/a.ts for send"],
  ],
  [
    "for a member also files that only contain its name, after those that import the module",
    before.replace("post()", "post(a: A)"),
    { "lib/a.ts": "mail.post();", "lib/z.ts": 'import { Mail } from "./send.ts"; new Mail().post();' },
    {},
    ...["lib/send.ts for post", "lib/z.ts for post", "lib/a.ts for post"],
  ],
  [
    "open files, then the nearest",
    changedSend,
    { "far/a.ts": call, "lib/b.ts": call, "lib/deep/c.ts": call, "far/z.ts": call },
    { open: ["far/z.ts"] },
    ...["lib/send.ts", "far/z.ts", "lib/b.ts", "lib/deep/c.ts", "far/a.ts"].map((path) => `${path} for send`),
  ],
  [
    "at most `maxFiles` other files",
    changedSend,
    { "lib/a.ts": call, "lib/b.ts": call, "lib/c.ts": call },
    { maxFiles: 2 },
    ...["lib/send.ts for send", "lib/a.ts for send", "lib/b.ts for send"],
  ],
  [
    "files of at most `maxCharacters` together",
    changedSend,
    { "lib/a.ts": call + " ".repeat(500), "lib/b.ts": call },
    { maxCharacters: 400 },
    ...["lib/send.ts for send", "lib/b.ts for send"],
  ],
];

test.each(cases.map((one) => [one[0], one] as const))(
  "references are requested from: %s",
  async (_, [, after, others, limits, ...requests]) => {
    expect(await requestsAfter(after, others, limits)).toEqual(requests);
  },
);

test("building the graph rejects with the reason of an aborted signal", async () => {
  const giving = new AbortController();
  giving.abort(new Error("enough"));
  const { signal } = giving;
  await expect(requestsAfter(changedSend, { "lib/a.ts": call }, { signal })).rejects.toThrow("enough");
});
