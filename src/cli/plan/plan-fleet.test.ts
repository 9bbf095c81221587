import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { serveChat } from "../../model/node/fixtures/scripted-chat-server.ts";
import { hasRedisServer, type RedisServer, startRedis } from "../../plan/node/fixtures/redis-server.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { type FilesToWrite, GitRepository } from "../fixtures/git-repository.ts";
import { buildPackage, type CliRun, main, runCli } from "../fixtures/run-cli.ts";
import { runAtTerminal, type TestTerminalOptions } from "../fixtures/test-terminal.ts";

const tsconfig = '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler" } }\n';
const price = "export function price(euros: number): number {\n  return euros * 100;\n}\n";
const cart =
  'import { price } from "./price";\n\nexport function total(list: readonly number[]): number {\n  return list.reduce((sum, one) => sum + price(one), 0);\n}\n';
const show =
  'import { total } from "./cart";\n\nexport function show(list: readonly number[]): string {\n  return total(list).toFixed();\n}\n';
const shop = { "tsconfig.json": tsconfig, "src/price.ts": price, "src/cart.ts": cart, "src/show.ts": show };

const renamed = price.replace("price(", "cents(");
const cartRenamed = cart.replace("{ price }", "{ cents }").replace("price(one)", "cents(one)");
const withRate = price.replace("euros: number)", "euros: number, rate: number)").replace("* 100", "* rate");
const totalWithRate =
  "export function total(list: readonly number[], rate: number): number {\n  return list.reduce((sum, one) => sum + price(one, rate), 0);\n}\n";
const showWithRate = show.slice(show.indexOf("export")).replace("total(list)", "total(list, 100)");

/** Several repositories with one list, and folders of their own for what Emend keeps. */
class Fleet {
  readonly folder: string = realpathSync(mkdtempSync(join(tmpdir(), "emend-fleet-")));
  readonly repositories: readonly GitRepository[];
  readonly environment: Readonly<Record<string, string>>;

  /** Each repository has these files, and these changes that are not committed. */
  constructor(...changes: readonly FilesToWrite[]) {
    this.repositories = changes.map((change) => {
      const repository = GitRepository.of(shop);
      repository.write(change);
      return repository;
    });
    this.list(...this.repositories.map(({ folder }) => folder));
    const own = (name: string) => join(this.folder, name);
    this.environment = { EMEND_STATE_DIR: own("state"), EMEND_CACHE_DIR: own("cache"), XDG_CONFIG_HOME: own("config") };
    onTestFinished(() => {
      for (const repository of this.repositories) repository.remove();
      removeFolder(this.folder);
    });
  }

  list(...lines: readonly string[]): void {
    writeFileSync(join(this.folder, "repos.txt"), `# all of them\n${lines.join("\n")}\n`);
  }

  /** How many plans were begun. */
  journals(): number {
    const plans = join(this.environment["EMEND_STATE_DIR"]!, "plans");
    if (!existsSync(plans)) return 0;
    const paths = readdirSync(plans, { recursive: true, encoding: "utf8" });
    return paths.filter((path) => path.endsWith("journal") && statSync(join(plans, path)).size > 0).length;
  }

  read(index: number, path: string): string {
    return readFileSync(join(this.repositories[index]!.folder, path), "utf8");
  }

  /** What is called `emend …` in its folder, in this process. */
  run(
    args: readonly string[],
    options: Partial<TestTerminalOptions> & { readonly redis?: string } = {},
  ): Promise<CliRun> {
    const { redis, ...more } = options;
    const { REDIS_URL: _, ...inherited } = process.env;
    const environment = { ...inherited, ...this.environment, ...(redis !== undefined && { REDIS_URL: redis }) };
    return runAtTerminal(args, { workingFolder: this.folder, environment, ...more });
  }

  /** The same in a repository, such as to go on with its plan. */
  runIn(index: number, args: readonly string[]): Promise<CliRun> {
    return this.run(args, { workingFolder: this.repositories[index]!.folder });
  }
}

/** The plans of `--json`, each by what counts: how it ended, what its steps are, and the diff. */
function outcomes(out: string) {
  interface Report {
    readonly plans: readonly {
      readonly end: unknown;
      readonly steps: readonly { readonly status: string; readonly block: { readonly name: string } }[];
      readonly diff: string;
    }[];
  }
  return (JSON.parse(out) as Report).plans.map(({ end, steps, diff }) => ({
    ...{ end, diff },
    steps: steps.map(({ status, block }) => `${status} ${block.name}`),
  }));
}

describe("a plan over several repositories in this process", () => {
  test("propagates the same change through each, and writes after a confirmation", async () => {
    const fleet = new Fleet({ "src/price.ts": renamed }, { "src/price.ts": renamed });
    const first = await fleet.run(["plan", "--fleet", "repos.txt", "--dry-run"]);
    expect([first.exitCode, first.err]).toEqual([
      0,
      expect.stringMatching(
        /^repository +end +steps +left to you +tokens\nemend-git-\w+ +done +3 +0 +0\nemend-git-\w+ +done +3 +0 +0\nall +6 +0 +0\n$/m,
      ),
    ]);
    expect(first.out.match(/^\+.*cents\(one\)/gm)).toHaveLength(2);
    expect(fleet.read(0, "src/cart.ts")).toBe(cart);
    const second = await fleet.run(["plan", "--fleet", "repos.txt"], { answers: ["y", "n"] });
    expect(second.exitCode).toBe(8);
    expect([fleet.read(0, "src/cart.ts"), fleet.read(1, "src/cart.ts")]).toEqual([cartRenamed, cart]);
    expect((await fleet.runIn(1, ["plan", "apply", "--yes"])).exitCode).toBe(0);
    expect(fleet.read(1, "src/cart.ts")).toBe(cartRenamed);
  });

  test("reports a failure in one, finishes the others, and exits with the worst code", async () => {
    const fleet = new Fleet({ "src/price.ts": withRate }, {}, { "src/price.ts": renamed });
    rmSync(join(fleet.repositories[1]!.folder, ".git"), { recursive: true });
    const { exitCode, err } = await fleet.run(["plan", "--fleet", "repos.txt", "--yes"]);
    expect([exitCode, err]).toEqual([1, expect.stringMatching(/failed: .* is not in a git repository/)]);
    expect(err).toMatch(/ steps left +\d+ +1 +0\n/);
    expect(fleet.read(2, "src/cart.ts")).toBe(cartRenamed);
    fleet.list(fleet.repositories[0]!.folder, fleet.repositories[2]!.folder);
    const json = await fleet.run(["plan", "--fleet", "repos.txt", "--seed", "working-tree", "--json", "--dry-run"]);
    expect(json.exitCode).toBe(12);
    expect(outcomes(json.out).map(({ end }) => end)).toEqual([{ why: "obligations" }, { why: "done" }]);
  });

  test("starts no plan in a repository without a change", async () => {
    const { exitCode, err } = await new Fleet({}, { "src/price.ts": renamed }).run([
      "plan",
      "--fleet",
      "repos.txt",
      "--yes",
    ]);
    expect([exitCode, err]).toEqual([0, expect.stringContaining("not started: Nothing differs between HEAD")]);
  });

  test("clones a repository named by a URL, and continues its plan in the clone", async () => {
    const fleet = new Fleet({});
    fleet.repositories[0]!.commit({ "src/price.ts": renamed });
    fleet.list(`file://${fleet.repositories[0]!.folder}`);
    const { exitCode, err } = await fleet.run(["plan", "--fleet", "repos.txt", "--seed", "HEAD~1..HEAD", "--yes"]);
    expect([exitCode, err]).toEqual([0, expect.stringContaining("Written: src/cart.ts.")]);
    expect(fleet.read(0, "src/cart.ts")).toBe(cart);
    const clone = /Cloning .* into (.*)\n/.exec(err)![1]!;
    expect(readFileSync(join(clone, "src/cart.ts"), "utf8")).toBe(cartRenamed);
    const shown = await fleet.run(["plan", "show", "--workspace", clone]);
    expect(shown.out).toContain("function cents in src/price.ts by you, before the plan\n");
  });

  test("continues an interrupted plan, and keeps a person's changes meanwhile", async () => {
    const fleet = new Fleet({ "src/price.ts": renamed }, { "src/price.ts": renamed });
    const interruption = new AbortController();
    const { signal } = interruption;
    const running = fleet.run(["plan", "--fleet", "repos.txt", "--verify", "sleep 5"], { signal });
    await expect.poll(() => fleet.journals(), { timeout: 40_000 }).toBe(2);
    interruption.abort(new Error("no more"));
    expect((await running).exitCode).toBe(130);
    fleet.repositories[1]!.write({ "src/price.ts": `${renamed}export const mine = 1;\n` });
    const { exitCode, err } = await fleet.run(["plan", "continue", "--fleet", "--yes"]);
    expect([exitCode, err]).toEqual([1, expect.stringContaining("src/price.ts changed since the plan stopped.")]);
    expect([0, 1].map((index) => fleet.read(index, "src/cart.ts"))).toEqual([cartRenamed, cart]);
    fleet.repositories[1]!.write({ "src/price.ts": renamed });
    expect((await fleet.run(["plan", "continue", "--fleet", "--yes"])).exitCode).toBe(0);
    expect([0, 1].map((index) => fleet.read(index, "src/cart.ts"))).toEqual([cartRenamed, cartRenamed]);
  }, 120_000);

  test("reads a diff once, and applies it in each", async () => {
    const fleet = new Fleet({}, { "src/price.ts": renamed });
    const diff = fleet.repositories[1]!.git("diff");
    fleet.repositories[1]!.git("checkout", "--quiet", ".");
    const args = ["plan", "--fleet", "repos.txt", "--seed", "-", "--yes"];
    expect((await fleet.run(args, { input: diff })).exitCode).toBe(0);
    for (const index of [0, 1]) {
      expect([fleet.read(index, "src/price.ts"), fleet.read(index, "src/cart.ts")]).toEqual([renamed, cartRenamed]);
    }
  });
});

describe("an error about repositories and queues contains what to do", () => {
  test.each([
    [["/nowhere/at/all"], 3, "repos.txt:2: There is no folder /nowhere/at/all. Name a folder, or the URL"],
    [["repos.txt"], 3, "repos.txt:2: repos.txt is not a folder."],
    [["https://"], 2, "repos.txt:2: https:// names no repository."],
    [["../nowhere", "ext::sh"], 3, /repos\.txt:2: There is no folder .* repos\.txt:3: ext::sh makes git run a program/],
    [[], 2, "There is no repository in repos.txt"],
    [["file:///nowhere/at/all"], 1, "repos.txt:2: file:///nowhere/at/all cannot be cloned (fatal: "],
  ] as const)("a list with %j", async (lines, code, message) => {
    const fleet = new Fleet();
    fleet.list(...lines);
    const { exitCode, err } = await fleet.run(["plan", "--fleet", "repos.txt"]);
    expect(err).toMatch(message);
    expect(exitCode).toBe(code);
  });

  test("for the same folder by two names", async () => {
    const fleet = new Fleet({});
    const { folder } = fleet.repositories[0]!;
    fleet.list(folder, `${folder}/src/..`);
    const { exitCode, err } = await fleet.run(["plan", "--fleet", "repos.txt"]);
    expect([exitCode, err]).toEqual([2, expect.stringContaining("is the repository of line 2. Leave one of them out")]);
  });

  test.each([
    ["plan --fleet no-such.txt", 3, "no-such.txt"],
    ["plan --fleet repos.txt --workspace .", 2, "Give --fleet or --workspace"],
    ["plan x --fleet repos.txt --at a.ts:1 --seed HEAD", 2, "A plan starts from only one of --at and --seed."],
    ["plan continue --fleet", 3, "There is no fleet yet"],
    ["plan continue --fleet --plan x", 2, "Give --fleet alone"],
    ["worker", 2, "Set REDIS_URL"],
    ["worker --takeover-after 0", 2, "Give a number of seconds from 1 to 3600."],
  ] as const)("%s", async (line, code, message) => {
    const { exitCode, err } = await new Fleet().run(line.split(" "));
    expect([exitCode, err]).toEqual([code, expect.stringContaining(message)]);
  });

  test.each([
    ["redis://me:secret@127.0.0.1:1", /REDIS_URL: There is no Redis at redis:\/\/127\.0\.0\.1:1 \(.*\)\. Start it/],
    ["localhost", /REDIS_URL: "localhost" is no address of a Redis server\. Write redis:\/\/HOST:PORT/],
  ])("for a Redis at %s", async (redis, message) => {
    const fleet = new Fleet({ "src/price.ts": renamed });
    for (const args of [["plan", "--fleet", "repos.txt"], ["worker"]]) {
      const { exitCode, err } = await fleet.run(args, { redis });
      expect([exitCode, err]).toEqual([1, expect.stringMatching(message)]);
    }
  });
});

describe.runIf(hasRedisServer())("a plan over several repositories by workers on a Redis", () => {
  let redis: RedisServer;
  beforeAll(async () => {
    await buildPackage();
    redis = await startRedis();
    return () => redis[Symbol.asyncDispose]();
  }, 180_000);

  /** A process that works until it is stopped or killed. */
  function startWorker(fleet: Fleet): ChildProcess & { readonly output: () => string } {
    const env = { ...process.env, ...fleet.environment, REDIS_URL: redis.address };
    const child = spawn(process.execPath, [main, "worker", "--takeover-after", "10"], { env, stdio: "pipe" });
    let output = "";
    child.stderr.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    onTestFinished(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    });
    return Object.assign(child, { output: () => output });
  }

  /** `emend plan --fleet` as a process of its own. */
  function offer(
    fleet: Fleet,
    args: readonly string[],
    interrupt?: Promise<unknown>,
    command: readonly string[] = ["plan", "--fleet", "repos.txt"],
  ): Promise<CliRun> {
    return runCli([...command, ...args], {
      folder: fleet.folder,
      environment: { ...fleet.environment, REDIS_URL: redis.address },
      ...(interrupt && { whenStarted: (kill) => void interrupt.then(() => kill()) }),
    });
  }

  /**
   * A server whose second answer never comes, unless the first is the only one that is requested
   * twice.
   */
  async function serve(...answers: readonly (string | undefined)[]) {
    const scripts = answers.map((answer) =>
      answer === undefined ? { isSilent: true } : { deltas: [`\`\`\`ts\n${answer}\`\`\`\n`] },
    );
    const server = await serveChat("openai", ...scripts);
    onTestFinished(() => server[Symbol.asyncDispose]());
    const requests = () =>
      server.calls.map(({ body }) => (JSON.stringify(body).includes("`total` in") ? "show" : "total"));
    return { requests, flags: ["--model", `openai-compatible:${server.url}#scripted`] };
  }

  test("is finished by another worker with the same result after a kill, without repeated requests", async () => {
    const change = { "src/price.ts": withRate };
    const quiet = new Fleet(change);
    const book = await serve(totalWithRate, showWithRate);
    const undisturbed = await quiet.run(["plan", "--fleet", "repos.txt", "--json", "--dry-run", ...book.flags]);
    expect(book.requests()).toEqual(["total", "show"]);

    const fleet = new Fleet(change);
    const slow = await serve(totalWithRate, undefined, showWithRate);
    const first = startWorker(fleet);
    const running = offer(fleet, ["--json", "--dry-run", ...slow.flags]);
    await expect.poll(slow.requests, { timeout: 100_000 }).toEqual(["total", "show"]);
    first.kill("SIGKILL");
    await once(first, "exit");
    const second = startWorker(fleet);
    const { exitCode, out, err } = await running;
    expect([exitCode, err]).toEqual([0, ""]);
    expect(slow.requests()).toEqual(["total", "show", "show"]);
    expect(outcomes(out)).toEqual(outcomes(undisturbed.out));
    expect(outcomes(out)[0]!.steps).toContain("done show");
    expect(second.output()).toMatch(/: started\n.*: done\n$/s);
    expect(fleet.read(0, "src/cart.ts")).toBe(cart);
    expect((await fleet.runIn(0, ["plan", "apply", "--yes"])).exitCode).toBe(0);
    expect(fleet.read(0, "src/show.ts")).toContain("total(list, 100)");
  }, 240_000);

  test("shares the repositories between two workers, and a stopped one gives its plans back", async () => {
    const changes = { "src/price.ts": renamed };
    const fleet = new Fleet(changes, changes, changes);
    const workers = [startWorker(fleet), startWorker(fleet)];
    const running = offer(fleet, ["--yes"]);
    await expect.poll(workers[0]!.output, { timeout: 100_000 }).toContain("started");
    workers[0]!.kill("SIGTERM");
    const [code] = await once(workers[0]!, "exit");
    expect(code).toBe(143);
    const { exitCode, err } = await running;
    expect([exitCode, err]).toEqual([0, expect.stringMatching(/\nall +9 +0 +0\n$/)]);
    for (const index of [0, 1, 2]) expect(fleet.read(index, "src/cart.ts")).toBe(cartRenamed);
  }, 240_000);

  test("stops the workers when the waiting command ends, and each plan continues in its repository", async () => {
    const fleet = new Fleet({ "src/price.ts": withRate });
    const slow = await serve(totalWithRate, undefined, showWithRate);
    const worker = startWorker(fleet);
    const requested = expect.poll(slow.requests, { timeout: 100_000 }).toEqual(["total", "show"]);
    const { exitCode, err } = await offer(fleet, ["--dry-run", ...slow.flags], requested);
    expect([exitCode, err]).toEqual([
      130,
      expect.stringContaining("`emend plan continue --fleet` continues from here"),
    ]);
    await expect.poll(worker.output, { timeout: 20_000 }).toContain("The job was cancelled.");
    const { exitCode: later, err: laterErr } = await offer(fleet, ["--yes"], undefined, [
      "plan",
      "continue",
      "--fleet",
    ]);
    expect([later, laterErr]).toEqual([0, expect.stringMatching(/: done\n/)]);
    expect(slow.requests()).toEqual(["total", "show", "show"]);
    expect(fleet.read(0, "src/cart.ts")).toContain("price(one, rate)");
  }, 240_000);

  test("reports that no worker runs, and waits", async () => {
    const fleet = new Fleet({ "src/price.ts": renamed });
    const running = offer(fleet, ["--yes"], new Promise((resolve) => setTimeout(resolve, 8_000)));
    const { exitCode, err } = await running;
    expect([exitCode, err]).toEqual([130, expect.stringContaining("There is no worker. Start one: emend worker")]);
  });
});
