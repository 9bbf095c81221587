import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { FilesToWrite } from "./fixtures/git-repository.ts";
import { compiler, PlanTrial } from "./fixtures/plan-trial.ts";
import { type BookPage, fenced, serveBook } from "./fixtures/scripted-book-server.ts";

/**
 * The complete output of `emend plan` for faulty workspaces, models and verification commands:
 * `fixtures/plan-trouble/*`. Files, index, branches and work trees stay unchanged except for what
 * is written at the end, and no copy is left over.
 */
const tsconfig = '{ "compilerOptions": { "strict": true, "noEmit": true, "lib": ["es2022"], "types": [] } }\n';
const price = "export function price(euros: number): number {\n  return euros * 100;\n}\n";
const cart =
  'import { price } from "./price";\n\nexport function total(list: readonly number[]): number {\n  return list.reduce((sum, one) => sum + price(one), 0);\n}\n';
const shop = { "tsconfig.json": tsconfig, "price.ts": price, "cart.ts": cart };
const renamed = price.replace("price(", "cents(");
const withRate = price.replace("euros: number)", "euros: number, rate: number)");
const cartAbove = cart.replace("./price", "../price");

/** Something that is not as it should be, what a person types, and what changes by that. */
interface Trouble {
  readonly what: string;
  /** In the only commit; a shop of two files by default. */
  readonly files?: FilesToWrite;
  /** What the person changed; the name of a function by default. */
  readonly seed?: FilesToWrite;
  readonly prepare?: (trial: PlanTrial) => void;
  /** Commands, and what the person does between them. */
  readonly runs: readonly (readonly string[] | ((trial: PlanTrial) => void))[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The answer of a model to each request. */
  readonly model?: BookPage["answer"];
}

const plan = ["plan", "--yes"];
const goOn = ["plan", "continue", "--yes"];

const workspaces: readonly Trouble[] = [
  {
    what: "no git",
    prepare: (trial) => {
      trial.write({ "change.diff": trial.git("diff"), "price.ts": price });
      rmSync(join(trial.folder, ".git"), { recursive: true });
    },
    runs: [plan, [...plan, "--seed", "change.diff"]],
  },
  {
    what: "no commit",
    files: {},
    prepare: (trial) => trial.write(shop),
    runs: [plan, ["plan", "Count in cents.", "--at", "price.ts:1"]],
  },
  { what: "no work tree", runs: [".git", "nowhere", "price.ts"].map((folder) => ["plan", "--workspace", folder]) },
  { what: "detached head", prepare: (trial) => trial.git("checkout", "--quiet", "--detach"), runs: [plan] },
  {
    what: "dirty tree",
    files: { ...shop, "gone.ts": "export const gone = 1;\n" },
    prepare: (trial) => {
      trial.commit({});
      const mine = 'import { price } from "./price";\nexport const mine = price(3);\n';
      trial.write({ "new.ts": mine, "cart.ts": `${cart}// mine\n`, "gone.ts": undefined, "staged.txt": "mine\n" });
      trial.git("add", "staged.txt");
    },
    runs: [[...plan, "--seed", "HEAD~1..HEAD"], ["undo"]],
  },
  {
    what: "half of the work is done",
    seed: {
      "price.ts": renamed,
      "cart.ts": cart.replace("0);", "1);"),
      "new.ts": 'import { price } from "./price";\nexport const mine = price(3);\n',
    },
    runs: [plan],
  },
  {
    what: "a merge with conflicts",
    prepare: (trial) => {
      trial.commit({});
      trial.git("checkout", "--quiet", "-b", "other", "HEAD~1");
      trial.commit({ "price.ts": withRate });
      expect(() => trial.git("merge", "main")).toThrow();
    },
    runs: [plan],
  },
  { what: "no tsconfig", files: { "price.ts": price, "cart.ts": cart }, runs: [plan] },
  {
    what: "a broken tsconfig",
    files: { ...shop, "tsconfig.json": '{ "compilerOptions": { "strict": maybe' },
    runs: [plan],
  },
  {
    what: "a tsconfig of nobody",
    files: { ...shop, "tsconfig.json": '{ "extends": "@nobody/tsconfig" }' },
    runs: [plan],
  },
  {
    what: "a file that does not parse",
    files: { ...shop, "broken.ts": 'import { price } from "./price";\nexport function f( {\n  return price(1;\n}\n' },
    runs: [plan],
  },
  { what: "a seed that does not parse", seed: { "price.ts": renamed.replace("{\n", "\n") }, runs: [plan] },
  {
    what: "files that import each other",
    files: {
      ...shop,
      "price.ts": `import { total } from "./cart";\n\n${price}\nexport const all = () => total([price(1)]);\n`,
    },
    seed: {
      "price.ts": `import { total } from "./cart";\n\n${renamed}\nexport const all = () => total([cents(1)]);\n`,
    },
    runs: [plan],
  },
  {
    what: "odd names of files",
    files: { ...shop, "a dir/ünï çödé 'q'.ts": cartAbove, "-dash.ts": cart, "$(touch x).ts": cart },
    runs: [plan],
  },
  {
    what: "carriage returns and a byte order mark",
    files: { ...shop, "cart.ts": `\uFEFF${cart.replaceAll("\n", "\r\n")}` },
    runs: [plan, ["undo"]],
  },
  {
    what: "links",
    files: { ...shop, "real/use.ts": cartAbove },
    prepare: (trial) => {
      for (const [name, target] of Object.entries({
        "link.ts": "cart.ts",
        "out.ts": "/etc/hostname",
        "dead.ts": "nowhere",
        folder: "real",
      }))
        symlinkSync(target, join(trial.folder, name));
    },
    runs: [plan],
  },
  {
    what: "a submodule",
    prepare: (trial) => {
      trial.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", trial.folder, "sub");
      trial.write({ "sub/use.ts": cartAbove });
    },
    runs: [plan],
  },
  { what: "ten thousand files", files: { ...shop, ...manyFiles(10_000) }, runs: [plan] },
  {
    what: "no change but of the form",
    seed: { "price.ts": `// In cents.\n${price.replace(" * ", "  *  ")}` },
    runs: [plan],
  },
  { what: "a file that is gone", seed: { "price.ts": undefined }, runs: [plan] },
  { what: "a file that moved", seed: { "price.ts": undefined, "lib/price.ts": price }, runs: [plan] },
  {
    what: "a change of what is no text",
    files: { ...shop, "a.png": new Uint8Array([137, 80, 0, 1]), "latin.ts": new Uint8Array([47, 47, 228, 10]) },
    seed: { "a.png": new Uint8Array([137, 80, 0, 2]), "latin.ts": new Uint8Array([47, 47, 229, 10]) },
    runs: [plan],
  },
];

const asking = (model: BookPage["answer"]): Pick<Trouble, "seed" | "model" | "runs"> => {
  return { model, seed: { "price.ts": withRate }, runs: [[...plan, "--model", "MODEL"]] };
};

const models: readonly Trouble[] = [
  { what: "writes another block", ...asking(fenced("export function other(): number {", "  return 1;", "}")) },
  { what: "writes the whole file", ...asking(fenced(cart.replace("price(one)", "price(one, 1)"))) },
  {
    what: "writes a diff of another file",
    ...asking(
      "```diff\n--- a/price.ts\n+++ b/price.ts\n@@ -1 +1 @@\n-export function price(euros: number, rate: number): number {\n+export function price() {\n```\n",
    ),
  },
  { what: "talks", ...asking("I am sorry, but I cannot see what is to be done here.\n") },
  { what: "says nothing", ...asking({ deltas: [] }) },
  { what: "answers with an empty fence", ...asking(fenced()) },
  { what: "writes what does not parse", ...asking(fenced("export function total(list: {{{ [", "  return )")) },
  {
    what: "is cut off",
    ...asking({ deltas: ["```ts\nexport function total(list: readonly number[]): number {\n  return"], end: "length" }),
  },
  { what: "hangs up", ...asking({ deltas: ["```ts\nexport function total"], breaks: true }) },
  { what: "sends a page", ...asking({ status: 200, body: "<html>Log in first.</html>" }) },
  {
    what: "has an error inside",
    seed: { "price.ts": withRate },
    model: { status: 400, body: '{"error":{"message":"out of memory"}}' },
    runs: [[...plan, "--model", "MODEL"], goOn],
  },
  { what: "is not there", seed: { "price.ts": withRate }, runs: [[...plan, "--model", "NOBODY"]] },
  { what: "is nobody's", seed: { "price.ts": withRate }, runs: [[...plan, "--model", "nobody:none"]] },
  {
    what: "writes what the compiler refuses again and again",
    seed: { "price.ts": withRate },
    model: fenced(cart.slice(cart.indexOf("export")).replace("price(one)", 'price(one, "x")')),
    runs: [[...plan, "--model", "MODEL", "--verify", "TSC"]],
  },
];

const judgedBy = (verifier: string, ...more: readonly string[]): Pick<Trouble, "runs"> => ({
  runs: [[...plan, "--verify", verifier, ...more]],
});

const verifiers: readonly Trouble[] = [
  { what: "is missing", runs: [[...plan, "--verify", "no-such-tool --check"], goOn] },
  { what: "hangs", ...judgedBy("echo begun; sleep 60", "--verify-timeout", "1") },
  { what: "talks garbage", ...judgedBy("printf '\\377\\000\\033[31m{\"a\":\\n'; exit 3") },
  { what: "is killed", ...judgedBy("kill -9 $$") },
  {
    what: "is killed behind a change",
    runs: [
      [...plan, "--verify", "grep -q cents cart.ts && kill -9 $$; true"],
      ["plan", "--branch", "cents", "--verify", "grep -q cents cart.ts && kill -9 $$; true"],
      ["plan", "apply", "--yes"],
      ["undo"],
    ],
  },
  { what: "says no and not why", ...judgedBy("exit 1") },
  {
    what: "says no of new files alone",
    ...judgedBy("grep -q cents cart.ts && { echo 'gone.ts(1,1): error TS1: What?'; exit 2; }; true"),
  },
  { what: "floods", ...judgedBy("head -c 100000000 /dev/zero | tr '\\0' x; exit 1") },
  {
    what: "writes to the files",
    ...judgedBy("echo '// mine' >> cart.ts; echo mine > made.txt; printf '\\0' > made.bin"),
  },
  { what: "removes the files", ...judgedBy("rm -f cart.ts price.ts") },
  { what: "asks", ...judgedBy('read answer; echo "answer: $answer"') },
  { what: "found errors before", files: { ...shop, "old.ts": "export const old: string = 1;\n" }, ...judgedBy("TSC") },
  {
    what: "is none",
    runs: [
      [...plan, "--verify", ""],
      [...plan, "--verify", "tsc:"],
    ],
  },
];

const removing = (path: string) => (trial: PlanTrial) => trial.write({ [path]: undefined });
const changing = (path: string) => (trial: PlanTrial) => trial.write({ [path]: `${trial.read(path)}// changed\n` });

const later: readonly Trouble[] = [
  {
    what: "a file of an open step is gone",
    seed: { "price.ts": withRate },
    runs: [plan, removing("cart.ts"), goOn, ["plan", "show"]],
  },
  {
    what: "a file to write is another",
    runs: [["plan", "--dry-run"], changing("cart.ts"), ["plan", "apply", "--yes"], goOn],
  },
  {
    what: "a file to write is gone",
    runs: [["plan", "--dry-run"], removing("cart.ts"), ["plan", "apply", "--yes"], goOn],
  },
  {
    what: "the seed is another",
    runs: [["plan", "--dry-run"], changing("price.ts"), ["plan", "apply", "--yes"], goOn],
  },
  {
    what: "a file beside is another",
    files: { ...shop, "other.ts": "export const other = 1;\n" },
    runs: [["plan", "--dry-run"], changing("other.ts"), ["plan", "apply", "--yes"]],
  },
  {
    what: "the seed is committed meanwhile",
    runs: [["plan", "--dry-run"], (trial) => trial.commit({}), ["plan", "apply", "--yes"]],
  },
  {
    what: "steps that are not there",
    runs: [
      ["plan", "--dry-run"],
      ...[
        "reject 99",
        "reject 3",
        "continue --done 99",
        "continue --done 1",
        "show --plan ../../x",
        "show --plan none",
      ].map((line) => ["plan", ...line.split(" ")]),
    ],
  },
  { what: "no folder for what is kept", environment: { EMEND_STATE_DIR: "/dev/null/state" }, runs: [plan] },
  { what: "no folder for copies", environment: { EMEND_CACHE_DIR: "/dev/null/cache" }, runs: [plan] },
  { what: "the seed is rejected", runs: [plan, ["plan", "reject", "1", "--yes"], goOn] },
];

describe.skipIf(process.platform === "win32").each([
  ["a workspace", workspaces],
  ["a model", models],
  ["a verifier", verifiers],
  ["later", later],
] as const)("%s", (group, troubles) => {
  test.each(troubles)(
    "$what",
    async ({ what, files = shop, seed = { "price.ts": renamed }, prepare, runs, model = "", environment }) => {
      const server = await serveBook([{ expected: [], answer: model }]);
      onTestFinished(() => server[Symbol.asyncDispose]());
      const trial = new PlanTrial(files);
      trial.write(seed);
      prepare?.(trial);
      const own = new Map([
        ["MODEL", server.model],
        ["TSC", compiler],
        ["NOBODY", await modelWithoutServer()],
      ]);
      const transcripts: string[] = [];
      for (const run of runs) {
        if (typeof run === "function") {
          run(trial);
          continue;
        }
        const before = trial.possessions();
        const { exitCode, out, err } = await trial.run(
          run.map((word) => own.get(word) ?? word),
          { environment: { ...trial.environment, ...environment } },
        );
        const changed = changedIn(before, trial.possessions());
        // What a person has stays theirs: only files are written, and only those that it lists.
        for (const path of changed) expect([path, err + out]).toEqual([path, expect.stringContaining(path)]);
        expect(trial.leftovers()).toEqual([]);
        const command = run.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)));
        transcripts.push(
          `$ emend ${command.join(" ")}\n${err}${out}exit code ${exitCode}, changed: ${changed.join(", ") || "nothing"}\n`,
        );
      }
      const golden = `./fixtures/plan-trouble/${`${group} ${what}`.replaceAll(" ", "-")}.txt`;
      await expect(trial.plain(transcripts.join("\n")).replaceAll(/x{99,}/g, "xxx…")).toMatchFileSnapshot(golden);
    },
    300_000,
  );
});

/** So many files, of which each thirtieth is a module; the last one calls the shop's function. */
function manyFiles(count: number): FilesToWrite {
  const paths = Array.from(
    { length: count },
    (_, index) => `part${index % 100}/${index % 30 === 0 ? `m${index}.ts` : `n${index}.txt`}`,
  );
  return { ...Object.fromEntries(paths.map((path) => [path, "export {};\n"])), "part99/last.ts": cartAbove };
}

/** A model at an address without a listener. */
async function modelWithoutServer(): Promise<string> {
  const server = await serveBook([]);
  await server[Symbol.asyncDispose]();
  return server.model;
}

/** What is another now. Of git's status, which lists changed files, nothing but the rest. */
function changedIn(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => before[key] !== after[key] && !key.startsWith("git status")).sort();
}
