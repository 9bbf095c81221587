import { describe, expect, test } from "vitest";
import { MemoryFileSystem } from "../workspace/index.ts";
import { defaultConfig } from "./default-config.ts";
import { printOrigin } from "./entries.ts";
import { type LoadConfigOptions, loadConfig } from "./load-config.ts";
import type { FlagSetting } from "./schema/merge-settings.ts";

const own = "/home/me/.config/emend/emend.config.json";

interface World extends Partial<Pick<LoadConfigOptions, "environment" | "flags" | "isTrusted" | "loadCode">> {
  /** Texts by path; paths from the workspace `/w` unless they begin with `/`. */
  readonly files?: Readonly<Record<string, string>>;
}

async function load({ files = {}, environment = {}, ...more }: World) {
  const fileSystem = new MemoryFileSystem({ "/w/a.ts": "" });
  for (const [path, text] of Object.entries(files)) {
    fileSystem.writeFile(path.startsWith("/") ? path : `/w/${path}`, text);
  }
  const options = { root: "/w", userFolder: "/home/me/.config/emend", environment, fileSystem, ...more };
  const loaded = await loadConfig(options);
  return {
    ...loaded,
    origins: Object.fromEntries([...loaded.origins].map(([key, origin]) => [key, printOrigin(origin, "/w")])),
    messages: loaded.issues.map(({ code, severity, message }) => `${severity} ${code}: ${message}`),
  };
}

function json(value: unknown): string {
  return JSON.stringify(value);
}

function flag(name: string, path: string, value: unknown): FlagSetting {
  return { flag: name, path: path.split("."), value };
}

describe("sources of settings", () => {
  test("without any source: the defaults, and no issue", async () => {
    const { config, origins, issues, files, isTrusted } = await load({});
    expect(config).toEqual(defaultConfig);
    expect({ origins, issues, files, isTrusted }).toEqual({ origins: {}, issues: [], files: [], isTrusted: false });
  });

  test("the user's file overrides the workspace, the environment the user's file, and flags override all", async () => {
    const { config, origins, issues, files } = await load({
      isTrusted: true,
      files: {
        "emend.config.json": json({
          model: "ollama:a",
          complete: { maxLines: 1, timeoutMs: 1000, eagerness: "quiet", languages: { python: false } },
        }),
        [own]: json({ complete: { maxLines: 2, timeoutMs: 2000, eagerness: "eager", languages: { zork: false } } }),
      },
      environment: { EMEND_COMPLETE_MAX_LINES: "3", EMEND_COMPLETE_TIMEOUT_MS: "3000", HOME: "/home/me" },
      flags: [flag("--max-lines", "complete.maxLines", 4), flag("--max-lines", "complete.maxLines", "5")],
    });
    expect(issues).toEqual([]);
    expect(config.model).toEqual(["ollama:a"]);
    expect(config.complete).toMatchObject({ maxLines: 5, timeoutMs: 3000, eagerness: "eager" });
    expect(config.complete.languages).toEqual({ ...defaultConfig.complete.languages, python: false, zork: false });
    expect(origins).toEqual({
      model: "emend.config.json:1",
      "complete.maxLines": "--max-lines",
      "complete.timeoutMs": "EMEND_COMPLETE_TIMEOUT_MS",
      "complete.eagerness": `${own}:1`,
      "complete.languages.python": "emend.config.json:1",
      "complete.languages.zork": `${own}:1`,
    });
    expect(files).toEqual(["/w/emend.config.json", own]);
  });

  test("JSON may have comments, trailing commas, a byte order mark and a schema address", async () => {
    const text =
      '\uFEFF{\r\n  // mine\r\n  "$schema": "./schema.json",\r\n  "complete": { "comments": false, },\r\n}\r\n';
    const { config, origins, issues } = await load({ files: { "emend.config.json": text } });
    expect(issues).toEqual([]);
    expect(config.complete.comments).toBe(false);
    expect(origins).toEqual({ "complete.comments": "emend.config.json:4" });
  });

  test("the `emend` key of package.json applies where there is no emend.config file", async () => {
    const packageFile = '{\n "name": "x",\n "emend": { "model": "ollama:b" }\n}';
    const alone = await load({ isTrusted: true, files: { "package.json": packageFile } });
    expect(alone.config.model).toEqual(["ollama:b"]);
    expect(alone.origins).toEqual({ model: "package.json:3" });
    const both = await load({
      isTrusted: true,
      files: { "package.json": packageFile, "emend.config.json": '{"model": "ollama:c"}' },
    });
    expect(both.config.model).toEqual(["ollama:c"]);
    expect(both.messages).toEqual([
      "error several-files: There are several configurations: emend.config.json counts, package.json not. Keep one.",
    ]);
    for (const text of ['{"name": "emend"}', '{"dependencies": {"emend": "1.0.0"}}', "[]", '"emend"']) {
      expect((await load({ isTrusted: true, files: { "package.json": text } })).issues).toEqual([]);
    }
  });

  test.each([
    ["true", true],
    ["on", true],
    ["YES", true],
    ["1", true],
    [" off ", false],
    ["0", false],
  ])("a variable %j is %j", async (text, value) => {
    const { config, issues } = await load({ environment: { EMEND_COMPLETE_ENABLED: text } });
    expect(issues).toEqual([]);
    expect(config.complete.enabled).toBe(value);
  });

  test("environment variables hold lists, numbers and booleans; empty ones and unknown ones are ignored", async () => {
    const environment = {
      EMEND_MODEL: "ollama:a:7b, builtin",
      EMEND_CONTEXT_SIMILAR_MODE: "plain-jaccard",
      EMEND_CONTEXT_SUFFIX_SHARE: "0.3",
      EMEND_COMPLETE_DEBOUNCE_MS: "auto",
      EMEND_COMPLETE_MAX_LINES: "",
      EMEND_CACHE_DIR: "/tmp",
      EMEND_DEBUG: "1",
    };
    const { config, issues } = await load({ environment });
    expect(issues).toEqual([]);
    expect(config.model).toEqual(["ollama:a:7b", "builtin"]);
    expect(config.context).toMatchObject({ similar: { mode: "plain-jaccard" }, suffixShare: 0.3 });
  });

  test("a folder that is the user's and the workspace's is read once", async () => {
    const fileSystem = new MemoryFileSystem({ [own]: json({ trust: ["/w"], model: "ollama:a" }) });
    const folder = "/home/me/.config/emend";
    const { config, issues } = await loadConfig({ root: folder, userFolder: folder, environment: {}, fileSystem });
    expect(issues).toEqual([]);
    expect(config).toMatchObject({ trust: ["/w"], model: ["ollama:a"] });
  });
});

describe("an invalid setting is reported with key, place and allowed values", () => {
  test.each<[string, unknown, string]>([
    [
      "unknown",
      { complete: { maxLnes: 1 } },
      "`complete.maxLnes` (emend.config.json:1) is no setting. Did you mean `complete.maxLines`?",
    ],
    [
      "in the wrong place",
      { eagerness: "quiet" },
      "`eagerness` (emend.config.json:1) is no setting. Did you mean `complete.eagerness`?",
    ],
    [
      "unknown, near nothing",
      { colour: { dark: { a: 1 }, light: 2 } },
      "`colour` (emend.config.json:1) is no setting. There are model, models, complete, next, context, edit, types, trust.",
    ],
    [
      "a name of its own",
      JSON.parse('{"__proto__": {"a": 1}}'),
      "`__proto__` (emend.config.json:1) is no setting. There are model, models, complete, next, context, edit, types, trust.",
    ],
    ["by its old name", { edit: { check: "npm test" } }, "`edit.check` (emend.config.json:1) is now `edit.verify`."],
    [
      "too small",
      { complete: { maxLines: 0 } },
      "`complete.maxLines` (emend.config.json:1) is 0; it may be a whole number from 1 to 200.",
    ],
    [
      "no whole number",
      { complete: { maxLines: 1.5 } },
      "`complete.maxLines` (emend.config.json:1) is 1.5; it may be a whole number from 1 to 200.",
    ],
    [
      "another kind",
      { complete: { comments: "no" } },
      '`complete.comments` (emend.config.json:1) is "no"; it may be true or false.',
    ],
    [
      "a choice",
      { complete: { eagerness: "loud" } },
      '`complete.eagerness` (emend.config.json:1) is "loud"; it may be "quiet", "normal" or "eager".',
    ],
    [
      "one of two kinds",
      { complete: { debounceMs: true } },
      '`complete.debounceMs` (emend.config.json:1) is true; it may be "auto" or a whole number from 0 to 10,000.',
    ],
    [
      "pages of no lines",
      { next: { context: { excerptLines: 0 } } },
      "`next.context.excerptLines` (emend.config.json:1) is 0; it may be a whole number from 1 to 1,000.",
    ],
    [
      "lines that vary in a way that there is not",
      { next: { context: { linesAbove: "all" } } },
      '`next.context.linesAbove` (emend.config.json:1) is "all"; it may be "up-to-text" or a whole number from 0 to 1,000.',
    ],
    [
      "no section",
      { context: { similar: "off" } },
      '`context.similar` (emend.config.json:1) is "off"; it may be an object with mode and maxSnippets.',
    ],
    [
      "null",
      { model: null },
      "`model` (emend.config.json:1) is null; it may be a text or a list of at least one text.",
    ],
    ["an object", { model: { name: "x" } }, "`model.name` (emend.config.json:1) is no setting. Take it out."],
    [
      "no model at all",
      { model: [] },
      "`model` (emend.config.json:1) is []; it may be a text or a list of at least one text.",
    ],
    ["in a list", { model: ["builtin", 3] }, "`model[1]` (emend.config.json:1) is 3; it may be a text."],
    [
      "a model's name",
      { model: "llama.cpp" },
      "`model` (emend.config.json:1): There is no `llama.cpp`; write `llamacpp`.",
    ],
    [
      "a model's name in a list",
      { model: ["ollama:a", "olama:b"] },
      "`model[1]` (emend.config.json:1): There is no `olama`; write `ollama:b`.",
    ],
    [
      "a language",
      { complete: { languages: { "Type-Script": false } } },
      '`complete.languages["Type-Script"]` (emend.config.json:1): There is no language `Type-Script`. Did you mean `typescript`?',
    ],
    [
      "of a model",
      { models: { "ollama:a": { retries: -1 } } },
      '`models["ollama:a"].retries` (emend.config.json:1) is -1; it may be a whole number from 0 to 10.',
    ],
    [
      "the name of a template",
      { models: { "ollama:a": { template: "qwenn" } } },
      expect.stringMatching(
        /^`models\["ollama:a"\]\.template` \(emend\.config\.json:1\) is "qwenn"; it may be "qwen", "codestral", .*"falcon-coder" or an object with name, /,
      ),
    ],
    [
      "a template that is no name and no object",
      { models: { "ollama:a": { template: ["qwen"] } } },
      expect.stringMatching(/^`models\["ollama:a"\]\.template` .* is \["qwen"\]; it may be "qwen", /),
    ],
    [
      "a template without the text after the cursor",
      { models: { "ollama:a": { template: { name: "x", fill: "<a>{prefix}<b>", stops: [], specialTokens: [] } } } },
      '`models["ollama:a"].template.fill` (emend.config.json:1): Each of these slots is required: `{prefix}`, `{suffix}`. Add `{suffix}`.',
    ],
    [
      "a template without the other files",
      {
        models: {
          "ollama:a": {
            template: {
              ...{ name: "x", fill: "{prefix}{suffix}", stops: [], specialTokens: [] },
              repository: { each: "{path}{text}", fill: "{prefix}" },
            },
          },
        },
      },
      '`models["ollama:a"].template.repository.fill` (emend.config.json:1): Each of these slots is required: `{others}`, `{prefix}`, `{suffix}`. Add `{others}` and `{suffix}`.',
    ],
  ])("%s", async (_, value, message) => {
    const { config, issues } = await load({ files: { "emend.config.json": json(value) } });
    expect(issues.map((issue) => issue.message)).toEqual([message]);
    expect(issues[0]!.severity).toBe("error");
    expect(config).toMatchObject({ ...defaultConfig, models: expect.anything() });
  });

  test("of a key that is written twice the last one counts, and the other is an issue at its place", async () => {
    const text = [
      '{ "model": "ollama:a",',
      '  "model": "ollama:b",',
      '  "complete": { "maxLines": 7, "comments": false },',
      '  "complete": {',
      '    "maxLines": 3,',
      '    "maxLines": 4 } }',
    ].join("\n");
    const { config, messages } = await load({ isTrusted: true, files: { "emend.config.json": text } });
    expect(messages).toEqual([
      "error repeated-key: `model` (/w/emend.config.json:1) is there again in line 2, which counts. Take one of them out.",
      "error repeated-key: `complete` (/w/emend.config.json:3) is there again in line 4, which counts. Take one of them out.",
      "error repeated-key: `complete.maxLines` (/w/emend.config.json:5) is there again in line 6, which counts. Take one of them out.",
    ]);
    expect(config.model).toEqual(["ollama:b"]);
    expect(config.complete).toMatchObject({ maxLines: 4, comments: true });
  });

  test("each issue is reported once, and all other settings are kept", async () => {
    const { config, messages } = await load({
      files: {
        "emend.config.json": json({
          models: { "ollama:a": { template: { name: 3 }, contextTokens: 4096 } },
          complete: { maxLines: 7, comments: 0, strings: false },
        }),
      },
      environment: { EMEND_COMPLETE_TIMEOUT: "3", EMEND_CONTEXT_MAX_TOKENS: "many" },
      flags: [flag("--eagerness", "complete.eagerness", "loud")],
    });
    expect(messages).toEqual([
      "error unknown-key: EMEND_COMPLETE_TIMEOUT sets nothing. Did you mean EMEND_COMPLETE_TIMEOUT_MS?",
      'error wrong-value: `models["ollama:a"].template.name` (emend.config.json:1) is 3; it may be a text.',
      'error wrong-value: `models["ollama:a"].template.fill` (emend.config.json:1) is missing; it may be a text.',
      'error wrong-value: `models["ollama:a"].template.stops` (emend.config.json:1) is missing; it may be a list of texts.',
      'error wrong-value: `models["ollama:a"].template.specialTokens` (emend.config.json:1) is missing; it may be a list of texts.',
      "error wrong-value: `complete.comments` (emend.config.json:1) is 0; it may be true or false.",
      'error wrong-value: `complete.eagerness` (--eagerness) is "loud"; it may be "quiet", "normal" or "eager".',
      'error wrong-value: `context.maxTokens` (EMEND_CONTEXT_MAX_TOKENS) is "many"; it may be a whole number from 256 to 1,000,000.',
    ]);
    expect(config.models).toEqual({ "ollama:a": { contextTokens: 4096 } });
    expect(config.complete).toMatchObject({ maxLines: 7, comments: true, strings: false, eagerness: "normal" });
  });

  test("an invalid required part discards the object that needs it, and is reported once", async () => {
    const template = { name: 3, fill: "{prefix}{suffix}", stops: [], specialTokens: [] };
    const value = {
      models: { "ollama:a": { template, retries: 1 }, "ollama:b": { template: { ...template, stops: [1] } } },
    };
    const { config, issues } = await load({ files: { "emend.config.json": json(value) } });
    expect(issues.map(({ key }) => key)).toEqual([
      'models["ollama:a"].template.name',
      'models["ollama:b"].template.name',
      'models["ollama:b"].template.stops[0]',
    ]);
    expect(config.models).toEqual({ "ollama:a": { retries: 1 } });
  });

  test("an invalid section keeps the settings that other sources have in it", async () => {
    const { config, issues } = await load({
      files: { "emend.config.json": json({ context: "all" }) },
      environment: { EMEND_CONTEXT_MAX_TOKENS: "4000" },
    });
    expect(issues.map(({ key }) => key)).toEqual(["context"]);
    expect(config.context).toEqual({ ...defaultConfig.context, maxTokens: 4000 });
  });

  test.each<[string, string | Uint8Array, string]>([
    [
      "broken",
      '{\n "model": \n}',
      "error broken-file: /w/emend.config.json:3 is no JSON: value expected. Its settings are ignored.",
    ],
    [
      "no object",
      '["builtin"]',
      "error broken-file: /w/emend.config.json:1 holds no settings: an object in braces is expected. Its settings are ignored.",
    ],
    ["empty", "", "error broken-file: /w/emend.config.json:1 is no JSON: value expected. Its settings are ignored."],
    [
      "binary",
      new Uint8Array([123, 0, 125]),
      "error unreadable-file: /w/emend.config.json cannot be read: it is no text in UTF-8. Its settings are ignored.",
    ],
  ])("a file that is %s", async (_, content, message) => {
    const fileSystem = new MemoryFileSystem();
    fileSystem.writeFile("/w/emend.config.json", content);
    const { config, issues, files } = await loadConfig({ root: "/w", userFolder: "/u", environment: {}, fileSystem });
    expect(issues.map((issue) => `${issue.severity} ${issue.code}: ${issue.message}`)).toEqual([message]);
    expect(config).toEqual(defaultConfig);
    expect(files).toEqual(["/w/emend.config.json"]);
  });
});

describe("keys are refused in files", () => {
  const random = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY";
  test.each<[unknown, string]>([
    [{ apiKey: "x" }, "apiKey"],
    [{ models: { "ollama:a": { api_key: "x" } } }, 'models["ollama:a"].api_key'],
    [
      { models: { "ollama:a": { headers: { Authorization: "Bearer abc" } } } },
      'models["ollama:a"].headers.Authorization',
    ],
    [{ models: { "ollama:a": { headers: { "x-api-key": "abc" } } } }, 'models["ollama:a"].headers["x-api-key"]'],
    [{ models: { "ollama:a": { headers: { "x-team": random } } } }, 'models["ollama:a"].headers["x-team"]'],
    [{ model: "openai:https://me:password1@host/v1#m" }, "model"],
  ])("%j", async (value, key) => {
    for (const file of ["emend.config.json", own]) {
      const { issues, config } = await load({ files: { [file]: json(value) }, isTrusted: true });
      expect(issues.map((issue) => [issue.code, issue.key])).toEqual([["key-in-file", key]]);
      expect(issues[0]!.message).toContain("environment only");
      expect(json(issues)).not.toContain(random);
      expect(json(config)).not.toMatch(/abc|password1/);
    }
  });

  test("a header may name an environment variable", async () => {
    const headers = { Authorization: `Bearer \${TEAM_KEY}`, "x-team": "blue" };
    const { issues, config } = await load({ files: { [own]: json({ models: { "ollama:a": { headers } } }) } });
    expect(issues).toEqual([]);
    expect(config.models).toEqual({ "ollama:a": { headers } });
  });
});

test.each<[name: string, value: string, messages: readonly string[]]>([
  ["EMEND_TRUST", "/w:~/work", []],
  ["EMEND_TRUST", "C:\\work;D:\\more", []],
  [
    "EMEND_TRUST",
    "work:/w",
    ["`work` in EMEND_TRUST: A folder is trusted by its absolute path: write for example `~/work`."],
  ],
  ["EMEND_TRUST", "/w/*", ["`/w/*` in EMEND_TRUST: A folder is trusted with all below it: write `/w`."]],
  ["EMEND_HEADERS", "X-Team: blue\n\nX-Time: 12:30\n", []],
  [
    "EMEND_HEADERS",
    "X-Team: blue\nsecret-text",
    ["EMEND_HEADERS, line 2: A header is written as `Name: value`, each on a line of its own."],
  ],
  [
    "EMEND_HEADERS",
    "X Team: secret-text",
    ["EMEND_HEADERS, line 1: A header's name has letters, digits and `-`: write for example `X-Team`."],
  ],
])("the variable %s is checked: %j", async (name, value, expected) => {
  const { issues } = await load({ environment: { [name]: value } });
  expect(issues.map(({ message }) => message)).toEqual(expected);
  expect(issues.every(({ severity, key }) => severity === "error" && key === name)).toBe(true);
});

describe("trust in workspaces", () => {
  const code = { "emend.config.mjs": "not looked at" };
  const loadCode = async () => ({ complete: { maxLines: 3 } });

  test("a configuration file with code is not run without trust, and the message explains how to trust", async () => {
    const never = () => expect.fail("must not run");
    const { config, messages, isTrusted } = await load({ files: code, loadCode: never });
    expect(config).toEqual(defaultConfig);
    expect(isTrusted).toBe(false);
    expect(messages).toEqual([
      `warning not-trusted: emend.config.mjs is not run, since this workspace is not trusted. If you trust it, use --trust, or run \`emend trust /w\`. Or write emend.config.json, which runs nothing.`,
    ]);
  });

  test.each<[string, World, boolean]>([
    ["the host", { isTrusted: true }, true],
    ["a variable", { environment: { EMEND_TRUST: "/elsewhere:/w/" } }, true],
    ["a folder above", { environment: { EMEND_TRUST: "/" } }, true],
    ["the user's file", { files: { [own]: json({ trust: ["/w"] }) } }, true],
    ["a name in front", { environment: { EMEND_TRUST: "/w2:/" + "w/a" } }, false],
    ["a relative path", { environment: { EMEND_TRUST: "." } }, false],
    ["the host, against the variable", { isTrusted: false, environment: { EMEND_TRUST: "/w" } }, false],
    ["the workspace itself", { files: { "package.json": json({ emend: { trust: ["/w"] } }) } }, false],
  ])("%s", async (_, world, isTrusted) => {
    const files = { ...world.files, ...code };
    const loaded = await load({ loadCode, ...world, files });
    expect(loaded.isTrusted).toBe(isTrusted);
    expect(loaded.config.complete.maxLines).toBe(isTrusted ? 3 : 16);
  });

  test("links and `~` are resolved in trusted folders", async () => {
    const fileSystem = new MemoryFileSystem({ "/home/me/work/p/emend.config.mjs": "", "/x/a": "" });
    fileSystem.makeLink("/w", "/home/me/work/p");
    const load = (folder: string) =>
      loadConfig({
        root: "/w",
        userFolder: "/u",
        environment: { EMEND_TRUST: folder, HOME: "/home/me" },
        fileSystem,
        loadCode,
      });
    expect((await load("~/work")).isTrusted).toBe(true);
    expect((await load("/home/me/work/p")).isTrusted).toBe(true);
    expect((await load("/w")).isTrusted).toBe(true);
    expect((await load("~/other")).isTrusted).toBe(false);
    expect((await load("/x")).isTrusted).toBe(false);
  });

  test("a workspace cannot declare itself trusted", async () => {
    const { messages } = await load({ files: { "emend.config.json": json({ trust: ["/"] }) } });
    expect(messages).toEqual([
      `error not-yours: \`trust\` (emend.config.json:1): a workspace cannot trust itself. Write it into ${own}.`,
    ]);
  });

  test.each([
    ["builtin", true],
    ["ollama:a", false],
    ["openai:gpt-5", false],
    ["mistral:https://codestral.mistral.ai#codestral-latest", false],
    ["llamacpp:http://127.0.0.1:9000", false],
    ["ollama:localhost:11434#a", false],
    ["ollama:http://[::1]:11434#a", false],
    ["ollama:http://192.168.0.9:11434#a", false],
    ["openai-compatible:https://example.org/v1#a", false],
    ["openai:https://127.0.0.1.example.org#a", false],
    ["gguf:/w/model.gguf", false],
  ])("without it a workspace's model %s counts: %s", async (model, counts) => {
    for (const value of [model, ["builtin", model]]) {
      const world = { files: { "emend.config.json": json({ model: value }) } };
      const { config, issues } = await load(world);
      expect(config.model).toEqual(counts ? [value].flat() : ["builtin"]);
      expect(issues.map(({ code, severity }) => `${severity} ${code}`)).toEqual(counts ? [] : ["warning not-trusted"]);
      expect((await load({ ...world, isTrusted: true })).config.model).toEqual([value].flat());
      expect((await load({ files: { [own]: json({ model: value }) } })).config.model).toEqual([value].flat());
    }
  });

  test.each([
    [{ model: "builtin" }, true],
    [{ model: "ollama:a" }, false],
    [{ model: "ollama:http://192.168.0.9:11434#a" }, false],
    [{ verify: "npm test" }, false],
    [{ verify: "" }, true],
  ])("without it a workspace's edit settings %o count: %s", async (edit, counts) => {
    const world = { files: { "emend.config.json": json({ edit }) } };
    const { config, issues } = await load(world);
    const trusted = await load({ ...world, isTrusted: true });
    expect(trusted.issues).toEqual([]);
    expect(config.edit).toEqual(counts ? trusted.config.edit : defaultConfig.edit);
    expect(issues.map(({ code }) => code)).toEqual(counts ? [] : ["not-trusted"]);
  });

  test.each([
    [{ model: "builtin" }, true],
    [{ model: "ollama:a" }, false],
    [{ model: "ollama:http://192.168.0.9:11434#a" }, false],
    [{ recordTo: "session.edits.json" }, false],
    [{ recordTo: "" }, true],
  ])("without it a workspace's settings of next edits %o count: %s", async (next, counts) => {
    const world = { files: { "emend.config.json": json({ next }) } };
    const { config, issues } = await load(world);
    const trusted = await load({ ...world, isTrusted: true });
    expect(trusted.issues).toEqual([]);
    expect(config.next).toEqual(counts ? trusted.config.next : defaultConfig.next);
    expect(issues.map(({ code }) => code)).toEqual(counts ? [] : ["not-trusted"]);
  });

  const all = {
    model: "llamacpp:http://127.0.0.1:8012",
    next: { model: ["ollama:a"] },
    edit: { model: "gguf:/w/a.gguf" },
  };

  test("row 2: without trust only `builtin` of a workspace's models is used, which is reported once with both remedies", async () => {
    const { config, messages } = await load({ files: { "emend.config.json": json(all) } });
    expect([config.model, config.next.model, config.edit.model]).toEqual([["builtin"], [], []]);
    expect(messages).toEqual([
      `warning not-trusted: \`model\` (emend.config.json:1), \`next.model\` (emend.config.json:1), \`edit.model\` (emend.config.json:1) are put aside: of the models of a workspace that is not trusted only \`builtin\` counts. If you trust it, use --trust, or run \`emend trust /w\`. Or put the same lines into your own file, ${own}.`,
    ]);
  });

  test.each<[string, World]>([
    ["in a list with others", { files: { "emend.config.json": json({ model: ["ollama:a", "builtin", "openai:b"] }) } }],
    [
      "in package.json",
      { files: { "package.json": json({ emend: { model: ["ollama:a", "builtin"], edit: all.edit } }) } },
    ],
    ["beside a host that decided", { files: { "emend.config.json": json(all) }, isTrusted: false }],
  ])("row 2: `builtin` counts %s", async (_, world) => {
    const { config, issues } = await load(world);
    expect([config.model, config.next.model, config.edit.model]).toEqual([["builtin"], [], []]);
    expect(issues.map(({ code }) => code)).toEqual(["not-trusted"]);
  });

  test.each<[string, World]>([
    ["the user's own file", { files: { [own]: json(all) } }],
    [
      "the environment",
      { environment: { EMEND_MODEL: all.model, EMEND_NEXT_MODEL: "ollama:a", EMEND_EDIT_MODEL: "gguf:/w/a.gguf" } },
    ],
    [
      "flags",
      {
        flags: [
          flag("--model", "model", all.model),
          flag("--model", "next.model", "ollama:a"),
          flag("--model", "edit.model", "gguf:/w/a.gguf"),
        ],
      },
    ],
    ["a trusted workspace", { files: { "emend.config.json": json(all), [own]: json({ trust: ["/w"] }) } }],
  ])("row 2: models of %s count", async (_, world) => {
    const { config, issues } = await load(world);
    expect([config.model, config.next.model, config.edit.model].flat()).toEqual([
      ...["llamacpp:http://127.0.0.1:8012", "ollama:a", "gguf:/w/a.gguf"],
    ]);
    expect(issues).toEqual([]);
  });

  test("row 2: the message names the user's existing configuration file", async () => {
    const folder = own.replace(/\/[^/]*$/, "");
    const { config, messages } = await load({
      files: { "emend.config.json": json({ model: "ollama:theirs" }), [`${folder}/emend.config.mjs`]: "" },
      loadCode: async () => ({ complete: { maxLines: 3 } }),
    });
    expect(config.model).toEqual(["builtin"]);
    expect(messages[0]).toContain(`put the same lines into your own file, ${folder}/emend.config.mjs.`);
  });

  test.each<[string, World]>([
    ["their own file", { files: { [own]: json({ model: "ollama:mine" }) } }],
    ["the environment", { environment: { EMEND_MODEL: "ollama:mine" } }],
    ["a flag", { flags: [flag("--model", "model", "ollama:mine")] }],
  ])("row 2: nothing is said of a workspace's models to those who name theirs in %s", async (_, world) => {
    const files = { ...world.files, "emend.config.json": json({ model: ["ollama:theirs", "builtin"] }) };
    const { config, issues } = await load({ ...world, files });
    expect([config.model, issues]).toEqual([["ollama:mine"], []]);
  });

  test("headers of an untrusted workspace are ignored", async () => {
    const models = { "ollama:a": { headers: { "x-all": `\${OPENAI_API_KEY}` }, contextTokens: 4096 } };
    const world = { files: { "emend.config.json": json({ models }) } };
    const { config, messages } = await load(world);
    expect(config.models).toEqual({ "ollama:a": { contextTokens: 4096 } });
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain("is sent to a server and may hold variables, and this workspace is not trusted.");
    expect((await load({ ...world, isTrusted: true })).config.models).toEqual(models);
  });
});

describe("a command that prints a key", () => {
  const models = { "mistral:m": { keyCommand: ["pass", "show", "mistral"] } };
  const elsewhere = `is not run: such a command counts in your own file alone. Write it into ${own}.`;

  test("counts in the user's own file", async () => {
    const { config, issues } = await load({ files: { [own]: json({ models }) } });
    expect([issues, config.models]).toEqual([[], models]);
  });

  test.each<[string, World, string]>([
    ["a workspace", { files: { "emend.config.json": json({ models }) } }, "emend.config.json:1"],
    [
      "a trusted workspace",
      { isTrusted: true, files: { "emend.config.json": json({ models }) } },
      "emend.config.json:1",
    ],
    [
      "package.json of a trusted workspace",
      { isTrusted: true, files: { "package.json": json({ emend: { models } }) } },
      "package.json:1",
    ],
    [
      "code of a trusted workspace",
      { isTrusted: true, files: { "emend.config.mjs": "" }, loadCode: async () => ({ models }) },
      "emend.config.mjs",
    ],
    [
      "an editor",
      {
        flags: [
          { flag: "emend.models of the editor", path: ["models", "mistral:m", "keyCommand"], value: ["pass", "show"] },
        ],
      },
      "emend.models of the editor",
    ],
  ])("does not count in %s", async (_, world, place) => {
    const { config, messages } = await load(world);
    expect(config.models).toEqual({});
    expect(messages).toEqual([`error not-yours: \`models["mistral:m"].keyCommand\` (${place}) ${elsewhere}`]);
  });

  test("does not count in a variable", async () => {
    const { config, messages } = await load({ environment: { EMEND_MODELS_KEY_COMMAND: "pass,show" } });
    expect(config.models).toEqual({});
    expect(messages).toEqual([expect.stringContaining("EMEND_MODELS_KEY_COMMAND sets nothing.")]);
  });

  test.each([["./pass"], ["bin/pass"], ["~/pass"], [""]])("may not begin with %j", async (program) => {
    const { messages } = await load({ files: { [own]: json({ models: { "mistral:m": { keyCommand: [program] } } }) } });
    expect(messages).toEqual([
      expect.stringContaining("The program is a name that `PATH` finds, or an absolute path."),
    ]);
  });
});

describe("request options", () => {
  const request = { temperature: 0, keep_alive: "-1m", stop_token: null, options: { num_gpu: 0, list: [{ a: [1] }] } };
  const config = { models: { "ollama:a": { request } }, next: { request }, edit: { request: { think: false } } };

  test("are kept at any depth, and merged by name over those of the workspace", async () => {
    const theirs = { models: { "ollama:a": { request: { temperature: 1, options: { seed: 1 } } } } };
    const loaded = await load({
      isTrusted: true,
      files: { [own]: json(config), "emend.config.json": json(theirs) },
    });
    expect(loaded.issues).toEqual([]);
    const merged = { ...request, options: { ...request.options, seed: 1 } };
    expect(JSON.parse(json(loaded.config.models))).toEqual({ "ollama:a": { request: merged } });
    expect(JSON.parse(json([loaded.config.next.request, loaded.config.edit.request]))).toEqual([
      request,
      { think: false },
    ]);
  });

  test.each([
    ["models", { models: { "ollama:a": { request: { temperature: 0 } } } }],
    ["next", { next: { request: { options: { num_gpu: 0 } } } }],
    ["edit", { edit: { request: { temperature: 0 } } }],
  ])("of `%s` in a workspace count only with trust", async (section, value) => {
    const world = { files: { "emend.config.json": json(value) } };
    const { config, messages } = await load(world);
    const sent = ({ models, next, edit }: typeof config) => json([models, next.request, edit.request]);
    expect(sent(config)).toBe(json([{}, {}, {}]));
    expect(messages).toEqual([
      expect.stringMatching(
        new RegExp(`^warning not-trusted: \`${section}.*is put aside: it changes what is sent to a server,`),
      ),
    ]);
    const trusted = await load({ ...world, isTrusted: true });
    expect([trusted.issues, sent(trusted.config) === sent(config)]).toEqual([[], false]);
  });

  test.each([
    ...["model", "prompt", "suffix", "input_extra", "messages", "contents", "system", "raw", "stream", "n", "stop"],
    ...["max_tokens", "max_completion_tokens", "n_predict", "options.num_predict", "options.stop", "logprobs"],
    ...["generationConfig.maxOutputTokens", "options.num_ctx", "options", "generationConfig"],
  ])("may not set `%s`, and the error says what to do instead", async (name) => {
    const request = name.split(".").reduceRight<unknown>((value, part) => ({ [part]: value }), 1) as object;
    const { config, messages } = await load({
      files: { [own]: json({ next: { request: { ...request, temperature: 0 } } }) },
    });
    expect(messages).toEqual([
      expect.stringMatching(new RegExp(`^error wrong-value: \`next.request.${name}\` .*(Take|take) (this|it) out`)),
    ]);
    expect(json(config.next.request)).toBe(json({ temperature: 0 }));
  });

  test("of models that no server has are refused, and so are all settings of requests", async () => {
    const models = {
      builtin: { request: { temperature: 0 } },
      "gguf:/m/a.gguf": { request: { temperature: 0 }, retries: 1, template: "qwen", contextTokens: 4096 },
    };
    const { config, messages } = await load({ files: { [own]: json({ models }) } });
    const refused = (key: string, kind: string) =>
      expect.stringContaining(
        `error wrong-value: \`${key}\` (${own}:1): It has no effect, since \`${kind}\` is not a server: no request is sent. Take it out.`,
      );
    expect(messages).toEqual([
      refused("models.builtin.request", "builtin"),
      refused('models["gguf:/m/a.gguf"].request', "gguf"),
      refused('models["gguf:/m/a.gguf"].retries', "gguf"),
    ]);
    expect(config.models).toEqual({ "gguf:/m/a.gguf": { template: "qwen", contextTokens: 4096 } });
  });

  test("have errors with the key, the place and the remedy", async () => {
    const { messages } = await load({
      files: {
        [own]: json({
          models: { "ollama:a": { request: { options: { num_ctx: 4096 } } }, "ollama:b": { request: "t=0" } },
        }),
      },
    });
    expect(messages).toEqual([
      `error wrong-value: \`models["ollama:b"].request\` (${own}:1) is "t=0"; it may be an object.`,
      `error wrong-value: \`models["ollama:a"].request.options.num_ctx\` (${own}:1): Take this out, and set \`models["…"].contextTokens\`, which Ollama gets as \`num_ctx\`.`,
    ]);
  });

  test.each([
    ["a number that JSON lacks", () => ({ a: [1, Number.NaN] }), "request.a[1]"],
    ["a function", () => ({ a: { b: () => 1 } }), "request.a.b"],
    ["an object of a class", () => ({ a: new Date(0) }), "request.a"],
    [
      "a list that contains itself",
      () => {
        const list: unknown[] = [];
        list.push(list);
        return { a: list };
      },
      "request.a[0]",
    ],
  ])("may not hold %s", async (_, options, key) => {
    const { issues } = await load({
      files: { "emend.config.js": "" },
      isTrusted: true,
      loadCode: async () => ({ models: { "ollama:a": { request: options() } } }),
    });
    expect(issues.map((issue) => [issue.code, issue.key])).toEqual([["wrong-value", `models["ollama:a"].${key}`]]);
  });
});

describe("results of configuration files with code", () => {
  test.each<[string, () => unknown, string]>([
    [
      "throws",
      () => {
        throw new Error("no\nway");
      },
      "/w/emend.config.js does not run: no. Its settings are ignored.",
    ],
    [
      "is no object",
      () => 7,
      "/w/emend.config.js does not run: its default export is no object with settings. Its settings are ignored.",
    ],
    [
      "refers to itself",
      () => {
        const loop: Record<string, unknown> = {};
        loop["models"] = loop;
        return loop;
      },
      "/w/emend.config.js does not run: its default export refers to itself. Its settings are ignored.",
    ],
    [
      "has a setting that is an object of a class and refers to itself",
      () => {
        class Client {
          readonly self = this;
        }
        return { model: new Client() };
      },
      "`model` (emend.config.js) is an object of a class; it may be a text or a list of at least one text.",
    ],
    [
      "has a list that contains itself",
      () => {
        const list: unknown[] = [];
        list.push(list);
        return { complete: { maxLines: list } };
      },
      "`complete.maxLines` (emend.config.js) is a list; it may be a whole number from 1 to 200.",
    ],
    [
      "has a getter that throws",
      () => ({
        get model() {
          throw new Error("no key");
        },
      }),
      "/w/emend.config.js does not run: no key. Its settings are ignored.",
    ],
    [
      "holds a function",
      () => ({ complete: { maxLines: () => 3 } }),
      "`complete.maxLines` (emend.config.js) is a function; it may be a whole number from 1 to 200.",
    ],
  ])("%s", async (_, answer, message) => {
    const { issues } = await load({
      files: { "emend.config.js": "" },
      isTrusted: true,
      loadCode: async () => answer(),
    });
    expect(issues.map((issue) => issue.message)).toEqual([message]);
  });
});
