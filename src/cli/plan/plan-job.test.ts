import { mkdtempSync, readdirSync, realpathSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { foldPlan } from "../../plan/index.ts";
import { FolderPlanStore } from "../../plan/node/index.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { type FilesToWrite, GitRepository } from "../fixtures/git-repository.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type JobRepository, jobAnswerFromJson, jobAnswerToJson, type PlanJob, runPlanJob } from "./plan-job.ts";

const price = "export function price(euros: number): number {\n  return euros * 100;\n}\n";
const cart = 'import { price } from "./price";\n\nexport const total = price(7);\n';
const files: FilesToWrite = {
  "tsconfig.json": '{ "compilerOptions": { "strict": true } }\n',
  "price.ts": price,
  "cart.ts": cart,
};
const renamed = { "price.ts": price.replace("price(", "cents(") };

/** A worker on this machine, and a repository in whose last commit a function was renamed. */
function ground() {
  const own = realpathSync(mkdtempSync(join(tmpdir(), "emend-job-")));
  const repository = GitRepository.of(files);
  repository.commit(renamed);
  onTestFinished(() => {
    repository.remove();
    removeFolder(own);
  });
  const environment = { ...process.env, EMEND_CACHE_DIR: join(own, "cache"), EMEND_STATE_DIR: join(own, "state") };
  const terminal: Terminal = {
    ...{ out: () => expect.fail(), err: () => expect.fail(), ask: async () => expect.fail() },
    readInput: async () => expect.fail(),
    ...{ colour: false, isShown: false, isWatched: false, columns: 80, rows: 24 },
    ...{ workingFolder: own, environment, signal: new AbortController().signal, now: () => performance.now() },
  };
  const store = new FolderPlanStore(join(own, "plans"));
  const carryOut = (place: JobRepository) => {
    const unset = { at: undefined, findings: undefined, model: undefined, maxCost: undefined, price: undefined };
    const limits = { verifyTimeout: undefined, maxSteps: undefined, maxRounds: undefined, maxTokens: undefined };
    const question = { ...unset, ...limits, seed: "HEAD~1..HEAD", fix: false, verify: ["true"], trust: false };
    const job: PlanJob = { id: "p", repository: place, question };
    return runPlanJob(job, { storeOf: () => store, report: () => undefined, signal: terminal.signal, terminal });
  };
  return { repository, own, store, carryOut };
}

test("a worker clones a repository of another machine at its commit, and removes the clone", async () => {
  const { repository, own, store, carryOut } = ground();
  const commit = repository.git("rev-parse", "HEAD").trim();
  repository.commit({ "price.ts": "export {};\n" });
  const from = `file://${repository.folder}`;
  const answer = await carryOut({ root: "/nowhere", host: `not-${hostname()}`, clone: { from, commit } });
  if (answer.kind === "refused") throw new Error(answer.message);
  expect([...answer.changes.before]).toEqual([["cart.ts", cart]]);
  const { events } = (await store.tryRead("p"))!;
  expect(foldPlan(events)).toMatchObject({ base: commit, ended: { why: "done" } });
  expect(readdirSync(join(own, "cache", "clones"))).toEqual([]);
  expect(jobAnswerFromJson(jobAnswerToJson(answer))).toEqual(answer);
});

test("a worker reports a repository that it lacks and cannot clone, with the machine", async () => {
  const { carryOut } = ground();
  const host = `not-${hostname()}`;
  expect(await carryOut({ root: "/nowhere", host })).toEqual({
    ...{ kind: "refused", code: "file-missing", exitCode: 3 },
    message: `There is no folder /nowhere on ${hostname()}. Workers on other machines than ${host} need it at the same path, or a URL in the list of repositories.`,
  });
  const clone = { from: "file:///nowhere", commit: "0".repeat(40) };
  expect(await carryOut({ root: "/nowhere", host, clone })).toMatchObject({
    message: expect.stringContaining(`file:///nowhere cannot be cloned on ${hostname()}: `),
  });
});

test("a worker continues a started plan, and does not plan its end twice", async () => {
  const { repository, store, carryOut } = ground();
  const here: JobRepository = { root: repository.folder, host: hostname() };
  const first = await carryOut(here);
  const before = (await store.tryRead("p"))!.events.length;
  expect(await carryOut(here)).toEqual(first);
  expect((await store.tryRead("p"))!.events.length).toBe(before);
});
