import { spawn } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from "vscode-languageserver/node";
import { localServerUrls } from "../../model/index.ts";
import { canTestLlamaServer, startLlamaServer } from "../../model/node/fixtures/llama-server.ts";
import { scriptedCompany } from "../../model/node/fixtures/scripted-company.ts";
import { type Script, ScriptedServer } from "../../model/node/fixtures/scripted-server.ts";
import { writeTinyModel } from "../../model/node/fixtures/tiny-model.ts";
import type { ServerStatus, SetupReport } from "../../server/index.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { hasPseudoTerminal, PseudoTerminal } from "../fixtures/pseudo-terminal.ts";
import { buildPackage, type CliRun, main, runCli } from "../fixtures/run-cli.ts";

beforeAll(buildPackage, 300_000);

/**
 * A person's machine: a workspace, an own folder of settings, and servers that are stopped at the
 * end.
 */
class Machine {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), "emend-setup-")));
  readonly work = join(this.#folder, "work");
  readonly ownFile = join(this.#folder, "config/emend/emend.config.json");
  readonly workspaceFile = join(this.work, "emend.config.json");
  readonly environment: Record<string, string> = {
    XDG_CONFIG_HOME: join(this.#folder, "config"),
    EMEND_STATE_DIR: join(this.#folder, "state"),
    EMEND_CACHE_DIR: join(this.#folder, "cache"),
  };

  constructor() {
    onTestFinished(() => removeFolder(this.#folder));
    this.write(join(this.work, "package.json"), "{}\n");
    const functions = ["Price", "Weight", "Size"].map(
      (name) =>
        `export function sum${name}(left: Item, right: Item) {\n  const total = add(left, right, quantity);\n  return total;\n}\n`,
    );
    this.write(join(this.work, "a.ts"), functions.join(""));
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** A path in the folder of the machine. */
  file(name: string): string {
    return join(this.#folder, name);
  }

  run(...args: readonly string[]): Promise<CliRun> {
    return runCli(args, { folder: this.work, environment: this.environment });
  }

  async setup(
    urls: readonly string[],
    ...args: readonly string[]
  ): Promise<SetupReport & { readonly exitCode: number | null }> {
    const servers = urls.flatMap((url) => ["--server", url]);
    const { out, err, exitCode } = await this.run("setup", "--json", ...servers, ...args);
    expect(err).toBe("");
    return { exitCode, ...(JSON.parse(out) as SetupReport) };
  }

  /** Runs a command at a terminal, and answers its questions in their order. */
  async answer(args: readonly string[], answers: Readonly<Record<string, string>>) {
    const size = { rows: 60, columns: 200 };
    const terminal = new PseudoTerminal(args, { folder: this.work, environment: this.environment, ...size });
    onTestFinished(() => terminal[Symbol.dispose]());
    for (const [question, answer] of Object.entries(answers)) {
      await terminal.shows((rows) => rows.some((row) => row.includes(question)));
      terminal.type(answer);
    }
    return { exitCode: await terminal.ended, printed: terminal.printed };
  }

  startLanguageServer() {
    const env = { ...process.env, ...this.environment };
    const child = spawn(process.execPath, [main, "lsp", "--stdio"], { env, cwd: this.work, stdio: "pipe" });
    onTestFinished(() => void child.kill());
    const connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    connection.listen();
    return connection;
  }

  /** The real llama.cpp server with a model of a few tokens, whose answers are these. */
  async startLlama(kind: "fills" | "chats") {
    const fills = { "<HOLE>": { "1": 6 }, "1": { ";": 6 }, ";": { "</s>": 6 }, "<0x0A>": { "</s>": 6 } };
    // 2,3:5;7
    const chats = {
      ...{ "<0x0A>": { "2": 6 }, "2": { "<0x2C>": 6 }, "<0x2C>": { "<0x33>": 6 }, "<0x33>": { "<0x3A>": 6 } },
      ...{ "<0x3A>": { "<0x35>": 6 }, "<0x35>": { ";": 6 }, ";": { "<0x37>": 6 }, "<0x37>": { "</s>": 6 } },
    };
    const file = this.file(`${kind}.gguf`);
    const chatTemplate = "{% for message in messages %}{{ message.content }}{{ '\\n' }}{% endfor %}";
    const script = kind === "fills" ? { after: fills } : { after: chats, hasHole: false, chatTemplate };
    writeFileSync(file, writeTinyModel({ ...script, contextTokens: 4096 }));
    const server = await startLlamaServer(file, "-c", "2048");
    onTestFinished(() => server[Symbol.dispose]());
    return server;
  }
}

/** Whether nothing listens at the addresses that setup looks at. */
const isNothingServed = (
  await Promise.all(
    localServerUrls().map((url) =>
      fetch(url).then(
        () => false,
        () => true,
      ),
    ),
  )
).every((isClosed) => isClosed);

async function script(answer: Script): Promise<ScriptedServer> {
  const server = await ScriptedServer.start(answer);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

const json = (value: unknown) => ({ headers: { "content-type": "application/json" }, chunks: [JSON.stringify(value)] });
const loading = {
  status: 503,
  chunks: ['{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}'],
};

/** A scripted llama.cpp server that fills with `1;` and cannot chat. */
const scriptedLlama: Script = ({ route }) => {
  if (route === "/props") return json({ build_info: "b1", default_generation_settings: { n_ctx: 2048 } });
  if (route === "/v1/models") return json({ data: [{ id: "scripted.gguf", owned_by: "llamacpp" }] });
  if (route !== "/infill") return { status: 404, chunks: ["{}"] };
  const parts = [
    { content: "1;", stop: false },
    { content: "", stop: true, stop_type: "eos" },
  ];
  return {
    headers: { "content-type": "text/event-stream" },
    chunks: parts.map((part) => `data: ${JSON.stringify(part)}\n\n`),
  };
};

async function scriptedLlamaUrl(): Promise<string> {
  return (await script(scriptedLlama)).url;
}

/** What a new process completes without options, and where the setting comes from. */
async function inNewProcesses(machine: Machine): Promise<readonly unknown[]> {
  const completion = JSON.parse((await machine.run("complete", "a.ts:2:17", "--json")).out);
  const config = JSON.parse((await machine.run("config", "--json")).out);
  return [completion.kind, completion.model, config.origins.model?.path];
}

describe.runIf(canTestLlamaServer())("setup finds the model of the real llama.cpp server", { timeout: 240_000 }, () => {
  test("beside one that only chats; a new process completes with it, and says when it is stopped", async () => {
    const machine = new Machine();
    const [chats, fills] = [await machine.startLlama("chats"), await machine.startLlama("fills")];
    const report = await machine.setup([chats.url, fills.url], "--yes");
    const model = `llamacpp:${fills.url}`;
    expect(report).toMatchObject({
      kind: "written",
      exitCode: 0,
      model,
      editModel: `llamacpp:${chats.url}`,
    });
    // On a busy machine the model may be slow.
    expect(report.notes.filter((note) => !note.includes(" tokens a second, "))).toEqual([]);
    expect(report.completion?.model).toBe(model);
    // On a busy machine the model may be too slow at the first place.
    expect([6, 10]).toContain(report.completion?.line);
    expect(await inNewProcesses(machine)).toEqual(["offered", model, machine.ownFile]);
    fills[Symbol.dispose]();
    const { out } = await machine.run("complete", "a.ts:2:17", "--explain");
    expect(out).toContain(`Nothing listens at ${fills.url}`);
  });

  test("beside one that answers 503, one that is silent, and a web server, which gets GET requests alone", async () => {
    const machine = new Machine();
    const fills = await machine.startLlama("fills");
    const [busy, silent] = [await script(() => loading), await script(() => "hang")];
    const page = await script(() => ({ headers: { "content-type": "text/html" }, chunks: ["<!doctype html><p>Mine"] }));
    const report = await machine.setup([page.url, silent.url, busy.url, fills.url], "--yes");
    expect(report).toMatchObject({ kind: "written", exitCode: 0, model: `llamacpp:${fills.url}` });
    expect(report.servers.map(({ kind }) => kind)).toEqual(["unknown", "silent", "loading", "ready"]);
    // On a busy machine the model may be slow.
    expect(report.notes.filter((note) => !note.includes(" tokens a second, "))).toEqual([
      `What answers at ${page.url} is no server with models. Check the address, or start the server there.`,
      `What listens at ${silent.url} accepts connections, but does not answer. Look at its log, or start it again.`,
      `llama.cpp at ${busy.url} still loads its model. Run \`emend setup\` again.`,
    ]);
    const methods = [page, silent, busy].map(({ seen }) => [...new Set(seen.map(({ method }) => method))]);
    expect(methods).toEqual([["GET"], ["GET"], ["GET"]]);
    expect(await inNewProcesses(machine)).toEqual(["offered", `llamacpp:${fills.url}`, machine.ownFile]);
  });

  test("one that only chats is for instructions, and a note says what that means for ghost text", async () => {
    const machine = new Machine();
    const { url } = await machine.startLlama("chats");
    const report = await machine.setup([url], "--yes");
    expect(report.settings).toEqual([{ key: "edit.model", value: `llamacpp:${url}` }]);
    expect(report.notes[0]).toContain('"fillBy": "chat"');
    expect(report.completion?.model).toBe("builtin");
  });
});

describe("setup with scripted servers", { timeout: 120_000 }, () => {
  test.runIf(isNothingServed)(
    "without any server, the exit code is 0, no file is written, and the built-in model completes",
    async () => {
      const machine = new Machine();
      const report = await machine.setup([], "--yes");
      expect(report).toMatchObject({ kind: "no-server", exitCode: 0, servers: [], settings: [] });
      expect(report.notes).toHaveLength(3);
      expect(report.completion).toMatchObject({ model: "builtin", text: expect.stringMatching(/\S/) });
      expect([machine.ownFile, machine.file("state")].filter((path) => existsSync(path))).toEqual([]);
    },
  );

  test("at an address that was named, what is missing is named, and the exit code is 1", async () => {
    const machine = new Machine();
    const { url } = await script(() => ({ headers: { "content-type": "text/html" }, chunks: ["<p>A page</p>"] }));
    const report = await machine.setup(["http://127.0.0.1:1", url], "--yes");
    expect(report).toMatchObject({ kind: "no-server", exitCode: 1, settings: [], completion: { model: "builtin" } });
    expect(report.notes).toEqual([
      "Nothing listens at http://127.0.0.1:1. Check the address, or start the server.",
      `What answers at ${url} is no server with models. Check the address, or start the server there.`,
    ]);
    expect(existsSync(machine.ownFile)).toBe(false);
  });

  test("a line of the person's code is completed before one of tests", async () => {
    const machine = new Machine();
    const test = readFileSync(join(machine.work, "a.ts"), "utf8");
    for (const path of ["a.test.ts", "tests/b.ts", "fixtures/c.ts"]) machine.write(join(machine.work, path), test);
    const { completion } = await machine.setup(["http://127.0.0.1:1"], "--yes");
    expect(completion).toMatchObject({ file: expect.stringMatching(/\/a\.ts$/), isExample: false });
  });

  test("the line of the file is shown beside the sample, which leaves its rest out", async () => {
    const machine = new Machine();
    const { out } = await machine.run("setup", "--server", "http://127.0.0.1:1", "--yes");
    expect(out).toMatch(/A completion at \S+\/a\.ts:\d+:\d+:/);
    expect(out).toContain(
      "\nThe rest of the line was left out for this sample: const total = add(left, right, quantity);\n",
    );
  });

  test("a model that stays although it is down is not said to be set up", async () => {
    const machine = new Machine();
    const url = await scriptedLlamaUrl();
    const before = '{ "model": ["llamacpp:http://127.0.0.1:1", "builtin"] }\n';
    machine.write(machine.ownFile, before);
    machine.environment["OLLAMA_HOST"] = url;
    const { out } = await machine.run("setup", "--yes");
    expect(out).toContain(`Nothing is changed in ${machine.ownFile}.\n`);
    expect(out).not.toContain("has these settings");
    expect(out).toContain("stays [");
    expect(readFileSync(machine.ownFile, "utf8")).toBe(before);
  });

  test.each([
    ["a function of one line", "export function twice(number: number) {\n  return number + number;\n}\n"],
    ["a line outside of functions", "export const count = 1;\nexport const next = count + count;\n"],
  ])("a line of the person's code is completed where the folder has only %s", async (_, text) => {
    const machine = new Machine();
    machine.write(join(machine.work, "a.ts"), text);
    const { completion } = await machine.setup(["http://127.0.0.1:1"], "--yes");
    expect(completion).toMatchObject({ file: expect.stringMatching(/\/a\.ts$/), isExample: false });
  });

  test("in a folder without sources, the line is one of an example", async () => {
    const machine = new Machine();
    for (const name of ["a.ts", "package.json"]) rmSync(join(machine.work, name));
    const { out } = await machine.run("setup", "--server", "http://127.0.0.1:1", "--yes");
    expect(out).toMatch(/A completion in an example at .*\/examples\//);
  });

  test("a model that is being loaded is waited for", async () => {
    const machine = new Machine();
    let requests = 0;
    const server = await script((request) => {
      requests += 1;
      return requests <= 6 ? loading : scriptedLlama(request);
    });
    expect(await machine.setup([server.url], "--yes")).toMatchObject({
      kind: "written",
      model: `llamacpp:${server.url}`,
    });
  });

  describe("a model that only chats and reasons", () => {
    const chunk = (delta: object, end: string | null) =>
      `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`;
    const answer = [chunk({ content: "<think>Hm.</think>2, 3, 5, 7" }, null), chunk({}, "stop"), "data: [DONE]\n\n"];
    const reasoningChat: Script = (request) => {
      if (request.route === "/infill")
        return { status: 501, chunks: ['{"error":{"message":"Infill is not supported by this model"}}'] };
      if (!request.route.includes("chat")) return scriptedLlama(request);
      return { headers: { "content-type": "text/event-stream" }, chunks: answer };
    };

    test("is for instructions, and the advice for ghost text turns reasoning off", async () => {
      const { url } = await script(reasoningChat);
      const report = await new Machine().setup([url], "--yes");
      expect(report.settings).toEqual([{ key: "edit.model", value: `llamacpp:${url}` }]);
      expect(report.notes.join()).toContain(
        '"fillBy": "chat", "request": { "chat_template_kwargs": { "enable_thinking": false } }',
      );
    });

    test("with --next is for next edits, too, without reasoning; a second run changes nothing", async () => {
      const machine = new Machine();
      const { url } = await script(reasoningChat);
      const model = `llamacpp:${url}`;
      const report = await machine.setup([url], "--yes", "--next");
      expect(report).toMatchObject({ kind: "written", editModel: model, nextModel: model });
      const written = readFileSync(machine.ownFile, "utf8");
      expect(JSON.parse(written)).toEqual({
        edit: { model },
        next: { model, request: { chat_template_kwargs: { enable_thinking: false } } },
      });
      expect(await machine.setup([url], "--yes", "--next")).toMatchObject({ kind: "unchanged" });
      expect(await machine.setup([url], "--yes")).toMatchObject({ kind: "unchanged" });
      expect(readFileSync(machine.ownFile, "utf8")).toBe(written);
    });

    test.runIf(hasPseudoTerminal)("is for next edits where the person chooses it", async () => {
      const machine = new Machine();
      const { url } = await script(reasoningChat);
      const ended = await machine.answer(["setup", "--server", url], {
        "for next edits, too, where no other provider has one? [y/N]": "y\n",
        "Write this? [Y/n]": "\n",
      });
      expect(ended.exitCode).toBe(0);
      expect(JSON.parse(readFileSync(machine.ownFile, "utf8")).next.model).toBe(`llamacpp:${url}`);
    });
  });

  test("--yes contacts no other machine, also where the settings name one", async () => {
    const machine = new Machine();
    const proxy = await script(() => "break");
    machine.environment["HTTP_PROXY"] = proxy.url;
    machine.environment["HTTPS_PROXY"] = proxy.url;
    const settings = {
      model: ["openai-compatible:http://192.0.2.1:8000#m", "mistral:codestral-latest"],
      models: { "openai-compatible:http://192.0.2.1:8000#m": { template: "qwen" } },
    };
    machine.write(machine.ownFile, JSON.stringify(settings));
    machine.environment["MISTRAL_API_KEY"] = "key-of-mine";
    machine.environment["OLLAMA_HOST"] = "192.0.2.1";
    const alone = await machine.setup(["http://127.0.0.1:1"], "--yes");
    expect([alone.kind, alone.exitCode, alone.completion?.model]).toEqual(["no-server", 1, "builtin"]);
    const { out } = await machine.run("setup", "--json", "--yes");
    expect((JSON.parse(out) as SetupReport).notes).toContain(
      "http://192.0.2.1:8000 of your settings is not on this machine and was left out: `emend setup --server http://192.0.2.1:8000` at a terminal, without --yes, looks at it.",
    );
    expect(proxy.connections).toBe(0);
  });

  describe("a hosted model", () => {
    const key = "sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z";
    const hosted = async (machine: Machine) => {
      const server = await script(scriptedCompany);
      machine.write(machine.file("key"), `${key}\n`);
      return { server, model: `mistral:${server.url}#codestral-latest` };
    };

    test.runIf(hasPseudoTerminal)("is confirmed, and its key comes from a command; the key is in no file", async () => {
      const machine = new Machine();
      const { server, model } = await hosted(machine);
      const ended = await machine.answer(["setup", "--hosted", model], {
        [`Send this to ${server.url}? [y/N]`]: "y\n",
        "Which command prints the key": `${key}\n`,
        "Emend stores none. Which command prints it?": `cat "${machine.file("key")}"\n`,
        "for next edits, too": "n\n",
        "Write this? [Y/n]": "\n",
      });
      expect(ended.printed).toContain("up to 8,192 tokens");
      const written = readFileSync(machine.ownFile, "utf8");
      expect(JSON.parse(written)).toEqual({
        model: [model, "builtin"],
        edit: { model },
        models: { [model]: { keyCommand: ["cat", machine.file("key")] } },
      });
      expect(`${written}${readFileSync(join(machine.file("state"), "setup.json"), "utf8")}`).not.toContain(key);
      const posts = server.seen.filter(({ method }) => method === "POST");
      expect(new Set(posts.map(({ headers }) => headers["authorization"]))).toEqual(new Set([`Bearer ${key}`]));
      expect(ended.exitCode).toBe(0);
    });

    test.runIf(hasPseudoTerminal)("without a key: the variable and the setting to add, and no request", async () => {
      const machine = new Machine();
      const { server, model } = await hosted(machine);
      const ended = await machine.answer(["setup", "--hosted", model], {
        [`Send this to ${server.url}? [y/N]`]: "y\n",
        "OPENAI_COMPATIBLE_API_KEY is not set. Which command": "\n",
      });
      expect(ended.printed).toMatch(/There is no key\. Set OPENAI_COMPATIBLE_API_KEY where .*"keyCommand"/s);
      expect([ended.exitCode, server.seen, existsSync(machine.ownFile)]).toEqual([8, [], false]);
    });

    test.runIf(hasPseudoTerminal)("is sent nothing after a no, and the message advises nothing", async () => {
      const machine = new Machine();
      const { server, model } = await hosted(machine);
      const ended = await machine.answer(["setup", "--hosted", model], {
        [`Send this to ${server.url}? [y/N]`]: "n\n",
      });
      expect(ended.printed).toContain("was not confirmed. Nothing was sent.");
      expect(ended.printed).not.toContain("--yes");
      expect([ended.exitCode, server.seen]).toEqual([8, []]);
    });

    test.each([["--yes"], ["--json"]])("is sent nothing with %s, without a terminal", async (flag) => {
      const machine = new Machine();
      machine.environment["OPENAI_COMPATIBLE_API_KEY"] = key;
      const { server, model } = await hosted(machine);
      expect(await machine.run("setup", "--hosted", model, flag)).toMatchObject({ exitCode: 8 });
      expect(server.seen).toEqual([]);
    });

    test.each([
      [["--hosted", "nobody"], /`nobody` names no hosted model\. Write one of `mistral` \(codestral-latest\), /],
      [["--hosted", "ollama:a"], /`ollama:a` names no hosted model/],
      [["--hosted", "mistral", "--workspace"], /leave out --workspace/],
    ])("%j is refused", async (args, message) => {
      const run = await new Machine().run("setup", ...args);
      expect(run).toMatchObject({ exitCode: 2, err: expect.stringMatching(message) });
    });
  });

  test("a server without a model: the command that fetches one, with its size", async () => {
    const machine = new Machine();
    const server = await script(({ route }) =>
      route === "/api/version"
        ? json({ version: "1" })
        : route === "/api/tags"
          ? json({ models: [] })
          : { status: 404, chunks: [] },
    );
    const report = await machine.setup([server.url], "--yes");
    expect(report).toMatchObject({ kind: "no-model", exitCode: 0 });
    expect(report.notes.join()).toMatch(/Ollama at \S+ has no model\. `ollama pull \S+-base` fetches .*, [\d.]+ GB\./);
  });

  test("an existing file is edited in place, a second run changes nothing, and --reset takes the lines out", async () => {
    const machine = new Machine();
    const url = await scriptedLlamaUrl();
    const before = '{\n  // mine\n  "complete": { "maxLines": 4 }, // four\n}\n';
    machine.write(machine.ownFile, before);
    expect(await machine.setup([url], "--yes")).toMatchObject({ kind: "written" });
    const after = readFileSync(machine.ownFile, "utf8");
    expect(after).toBe(before.replace("{\n", `{\n  "model": ["llamacpp:${url}", "builtin"],\n`));
    expect(readFileSync(`${machine.ownFile}.old`, "utf8")).toBe(before);
    expect(await machine.setup([url], "--yes")).toMatchObject({ kind: "unchanged", exitCode: 0 });
    expect(readFileSync(machine.ownFile, "utf8")).toBe(after);
    expect(await machine.setup([], "--reset")).toMatchObject({ kind: "reset", exitCode: 0 });
    expect(readFileSync(machine.ownFile, "utf8")).toBe(before);
    expect(existsSync(`${machine.ownFile}.old`)).toBe(false);
  });

  test("--reset removes a file that was made, and leaves a setting that was changed since", async () => {
    const machine = new Machine();
    const url = await scriptedLlamaUrl();
    await machine.setup([url], "--yes");
    expect((await machine.setup([], "--reset")).notes).toEqual([
      `${machine.ownFile} is deleted: it had only \`model\`, which setup wrote.`,
    ]);
    expect(existsSync(machine.ownFile)).toBe(false);
    await machine.setup([url], "--yes");
    machine.write(machine.ownFile, '{ "model": "builtin" }\n');
    expect((await machine.setup([], "--reset")).notes).toEqual(["model was changed since, and stays."]);
    expect(readFileSync(machine.ownFile, "utf8")).toBe('{ "model": "builtin" }\n');
  });

  test("a variable that counts over the setting is named", async () => {
    const machine = new Machine();
    machine.environment["EMEND_MODEL"] = "builtin";
    const { notes } = await machine.setup([await scriptedLlamaUrl()], "--yes");
    expect(notes).toEqual([`The variable EMEND_MODEL counts over \`model\` in ${machine.ownFile}. Unset it.`]);
  });

  test("settings of editors that count over the setting are named with their lines", async () => {
    const machine = new Machine();
    const [own, project] = [
      machine.file("config/VSCodium/User/settings.json"),
      join(machine.work, ".vscode/settings.json"),
    ];
    machine.write(own, '{\n  "emend.model": "builtin", // mine\n}\n');
    machine.write(project, '{ "emend.model": ["ollama:a"] }\n');
    const url = await scriptedLlamaUrl();
    const { notes } = await machine.setup([url], "--yes");
    const change = `Take it out there, or set it to ["llamacpp:${url}","builtin"].`;
    expect(notes).toEqual([
      `\`emend.model\` in ${own}:2 counts in VSCodium. ${change}`,
      `\`emend.model\` in ${project}:1 counts in VS Code and editors made from it. ${change}`,
    ]);
  });

  test.runIf(hasPseudoTerminal)("the workspace's file is written and trusted after confirmation", async () => {
    const machine = new Machine();
    const url = await scriptedLlamaUrl();
    machine.write(machine.ownFile, '{ "model": "builtin" }\n');
    const ended = await machine.answer(["setup", "--workspace", "--server", url], {
      "Write this? [Y/n]": "\n",
      "so that its models count? [y/N]": "y\n",
    });
    expect(ended.exitCode).toBe(0);
    expect(ended.printed).toMatch(/`model` in \S+ counts over \S+\. Take it out there\./);
    expect(JSON.parse(readFileSync(machine.workspaceFile, "utf8"))).toEqual({ model: [`llamacpp:${url}`, "builtin"] });
    expect(JSON.parse(readFileSync(machine.ownFile, "utf8"))).toEqual({ trust: [machine.work], model: "builtin" });
  });

  test("a language server that runs takes the model that setup writes, and leaves it after --reset", async () => {
    const machine = new Machine();
    const url = await scriptedLlamaUrl();
    const server = machine.startLanguageServer();
    const rootUri = pathToFileURL(machine.work).href;
    const folders = { workspaceFolders: [{ uri: rootUri, name: "work" }] };
    await server.sendRequest("initialize", { processId: process.pid, rootUri, capabilities: {}, ...folders });
    await server.sendNotification("initialized", {});
    const models = async () => {
      const { sessions } = await server.sendRequest<ServerStatus>("emend/status");
      return sessions[0]?.models;
    };
    const slowly = { timeout: 30_000, interval: 200 };
    await expect.poll(models, slowly).toEqual(["builtin"]);
    await machine.setup([url], "--yes");
    await expect.poll(models, slowly).toEqual([`llamacpp:${url}`, "builtin"]);
    await machine.setup([], "--reset");
    await expect.poll(models, slowly).toEqual(["builtin"]);
  });

  test.each<[what: string, name: string, args: readonly string[]]>([
    ["a file of code", "config/emend/emend.config.mjs", ["--yes"]],
    ["the workspace's file, which --yes does not confirm", "work/emend.config.json", ["--yes", "--workspace"]],
    ["the own file without a confirmation", "config/emend/emend.config.json", []],
  ])("%s is not written: exit code 8, and the settings are reported", async (_, name, args) => {
    const machine = new Machine();
    const text = name.endsWith(".mjs") ? "export default {};\n" : "{}\n";
    machine.write(machine.file(name), text);
    const url = await scriptedLlamaUrl();
    const report = await machine.setup([url], ...args);
    expect(report).toMatchObject({ kind: "not-written", exitCode: 8, file: machine.file(name) });
    expect(report.completion).toBeUndefined();
    expect(report.settings).toEqual([{ key: "model", value: [`llamacpp:${url}`, "builtin"] }]);
    expect(readFileSync(machine.file(name), "utf8")).toBe(text);
  });

  test.each<[what: string, args: readonly string[], exitCode: number, message: RegExp]>([
    ["another machine", ["--server", "http://192.0.2.1:8012", "--yes"], 8, /--yes confirms 127\.0\.0\.1 alone/],
    ["what is no address", ["--server", "my server"], 2, /`my server` is no address of a server/],
  ])("%s is refused without a request", async (_, args, exitCode, message) => {
    const run = await new Machine().run("setup", ...args);
    expect(run).toMatchObject({ exitCode, err: expect.stringMatching(message) });
  });

  describe("a setting that is there", () => {
    const down = "llamacpp:http://127.0.0.1:1";

    /** Runs setup where it looks by itself and finds one server, which fills. */
    async function runBeside(model: unknown, ...args: readonly string[]) {
      const machine = new Machine();
      const url = await scriptedLlamaUrl();
      machine.environment["OLLAMA_HOST"] = url;
      machine.write(machine.ownFile, JSON.stringify({ model }));
      const { out } = await machine.run("setup", "--json", ...args.map((arg) => arg.replace("URL", url)));
      const { notes, ...report } = JSON.parse(out) as SetupReport;
      const written = JSON.parse(readFileSync(machine.ownFile, "utf8")) as unknown;
      const masked = notes.map((note) => note.replaceAll(url, "URL"));
      return { report, written, notes: masked, found: `llamacpp:${url}` };
    }

    test.runIf(isNothingServed).each<[model: unknown, note: string]>([
      [
        [down, "builtin"],
        `\`model\` stays ["${down}","builtin"]. No model answers at http://127.0.0.1:1: start the server there; \`emend setup --server URL\` sets up llamacpp:URL instead.`,
      ],
      [
        "llamacpp:1",
        '`model` stays "llamacpp:1". No model answers at http://127.0.0.1:1: start the server there; `emend setup --server URL` sets up llamacpp:URL instead.',
      ],
      [
        "mistral:codestral-latest",
        '`model` stays "mistral:codestral-latest". It is not on this machine\'s servers, and was not tried; `emend setup --server URL` sets up llamacpp:URL instead.',
      ],
    ])("%j is not replaced by --yes where its server does not answer", async (model, note) => {
      const { report, written, notes } = await runBeside(model, "--yes");
      expect([report.kind, report.model, written]).toEqual(["unchanged", undefined, { model }]);
      expect(notes).toContain(note);
    });

    test("is replaced by the server that was named, and what was replaced is said", async () => {
      const { report, written, notes, found } = await runBeside([down, "builtin"], "--yes", "--server", "URL");
      expect([report.kind, report.model, written]).toEqual(["written", found, { model: [found, "builtin"] }]);
      expect(notes).toContain(`\`model\` was ["${down}","builtin"].`);
    });

    test("stays where another server that was looked at first works, too", async () => {
      const machine = new Machine();
      const [first, second] = [await scriptedLlamaUrl(), await scriptedLlamaUrl()];
      machine.write(machine.ownFile, JSON.stringify({ model: `llamacpp:${second.slice("http://127.0.0.1:".length)}` }));
      const report = await machine.setup([first, second], "--yes");
      expect([report.kind, report.model]).toEqual(["unchanged", `llamacpp:${second}`]);
    });

    test.runIf(isNothingServed)("has its address, also the default one, where several servers were found", async () => {
      const home = await ScriptedServer.start(scriptedLlama, 8012);
      onTestFinished(() => home[Symbol.asyncDispose]());
      const model = (written: string) => [{ key: "model", value: [written, "builtin"] }];
      const alone = await new Machine().setup([home.url], "--yes");
      expect(alone).toMatchObject({ kind: "written", settings: model("llamacpp") });
      const machine = new Machine();
      const urls = [home.url, await scriptedLlamaUrl()];
      const among = await machine.setup(urls, "--yes");
      expect(among).toMatchObject({ kind: "written", settings: model(`llamacpp:${home.url}`) });
      expect(JSON.parse(readFileSync(machine.ownFile, "utf8"))).toEqual({ model: [`llamacpp:${home.url}`, "builtin"] });
      const { err } = await machine.run("setup", ...urls.flatMap((url) => ["--server", url]), "--yes");
      for (const url of urls) expect(err).toContain(`Trying llamacpp:${url} (`);
      expect(await machine.setup(urls, "--yes")).toMatchObject({ kind: "unchanged", exitCode: 0 });
    });

    test.runIf(hasPseudoTerminal)("is shown before it is replaced; each of two servers can be chosen", async () => {
      const machine = new Machine();
      const [first, second] = [await scriptedLlamaUrl(), await scriptedLlamaUrl()];
      machine.write(machine.ownFile, JSON.stringify({ model: down }));
      const ended = await machine.answer(["setup", "--server", first, "--server", second], {
        "Which ones? Numbers, with blanks between them [1 2]": "2\n",
        "Write this? [Y/n]": "\n",
      });
      expect(ended.printed).toContain(`instead of model: "${down}"`);
      expect(JSON.parse(readFileSync(machine.ownFile, "utf8"))).toEqual({ model: [`llamacpp:${second}`, "builtin"] });
    });
  });

  test("mistakes in the file that is edited are named", async () => {
    const machine = new Machine();
    machine.write(machine.ownFile, '{ "complete": { "maxLnes": 4 } }\n');
    const { notes } = await machine.setup([await scriptedLlamaUrl()], "--yes");
    expect(notes).toEqual([expect.stringContaining("maxLnes")]);
  });

  test.skipIf(process.platform === "win32").each([["that is there"], ["that is still to be made"]])(
    "a link to a file %s stays a link",
    async (kind) => {
      const machine = new Machine();
      const target = machine.file("dotfiles/emend.json");
      if (kind === "that is there") machine.write(target, "{}\n");
      mkdirSync(dirname(machine.ownFile), { recursive: true });
      symlinkSync(target, machine.ownFile);
      await machine.setup([await scriptedLlamaUrl()], "--yes");
      expect(readlinkSync(machine.ownFile)).toBe(target);
      expect(JSON.parse(readFileSync(target, "utf8"))).toMatchObject({ model: [expect.any(String), "builtin"] });
    },
  );

  test("row 31: a file with hard links is refused by setup and --reset, and no link is split", async () => {
    const machine = new Machine();
    const [url, other] = [await scriptedLlamaUrl(), machine.file("other.json")];
    const refusal = `${machine.ownFile} has 2 names on the disk (hard links)`;
    const text = '{ "model": "builtin", "debounceMs": 100 }\n';
    machine.write(machine.ownFile, text);
    linkSync(machine.ownFile, other);
    const setup = await machine.run("setup", "--yes", "--server", url);
    expect(setup).toMatchObject({ exitCode: 1, err: expect.stringContaining(refusal) });
    expect([readFileSync(other, "utf8"), statSync(machine.ownFile).nlink]).toEqual([text, 2]);
    // Nothing was recorded as written.
    expect(await machine.run("setup", "--reset")).toMatchObject({ exitCode: 0 });

    rmSync(other);
    expect(await machine.run("setup", "--yes", "--server", url)).toMatchObject({ exitCode: 0 });
    linkSync(machine.ownFile, other);
    const written = readFileSync(other, "utf8");
    const reset = await machine.run("setup", "--reset");
    expect(reset).toMatchObject({ exitCode: 1, err: expect.stringContaining(refusal) });
    expect([readFileSync(machine.ownFile, "utf8"), statSync(other).nlink]).toEqual([written, 2]);
  });

  test("a file that cannot be written is named, with the remedy", async () => {
    const machine = new Machine();
    machine.write(machine.ownFile, "{}\n");
    mkdirSync(`${machine.ownFile}.old`);
    const { exitCode, err } = await machine.run("setup", "--yes", "--server", await scriptedLlamaUrl());
    expect(exitCode).toBe(1);
    expect(err).toMatch(
      /emend\.config\.json cannot be written \(E\w+\)\. Make it and its folder writable, and run the command again\.\n$/,
    );
  });

  test.each([["--yes"], ["--reset"]])("a folder in place of the file is named, with %s", async (flag) => {
    const machine = new Machine();
    mkdirSync(machine.ownFile, { recursive: true });
    const run = await machine.run("setup", flag, "--server", "http://127.0.0.1:1");
    expect(run).toMatchObject({ exitCode: 1, err: expect.stringContaining(`${machine.ownFile} is a folder`) });
  });

  test("a completion by another model than the one that was set up has the reason", async () => {
    const machine = new Machine();
    // It fills the holes of the trial, and nothing else.
    const server = await script((request) =>
      request.route === "/infill" && !/one|primes/.test(JSON.stringify(request.body))
        ? { status: 500, chunks: ['{"error":{"message":"out of memory"}}'] }
        : scriptedLlama(request),
    );
    const { completion } = await machine.setup([server.url], "--yes");
    expect(completion).toMatchObject({ model: "builtin", reason: expect.stringContaining("out of memory") });
  });

  test("a broken file is named before anything is looked at", async () => {
    const machine = new Machine();
    machine.write(machine.ownFile, '{ "model": \n');
    const run = await machine.run("setup", "--yes", "--server", await scriptedLlamaUrl());
    expect(run).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/emend\.config\.json can't be edited: line 2/),
    });
  });
});
