import { totalmem } from "node:os";
import { pause } from "../../async/index.ts";
import {
  type Config,
  type FlagSetting,
  type LoadedConfig,
  loadConfig,
  printKey,
  printOrigin,
  type SettingEdit,
  settingInText,
  userConfigFolder,
} from "../../config/index.ts";
import {
  type FoundServer,
  findServer,
  findServers,
  hostedModels,
  hostedServer,
  isLoopback,
  isModelServer,
  localServerUrls,
  type ModelServerFound,
  parseModelName,
  preferredModel,
  printModelName,
  printNoServer,
  recommendedFor,
  type ServedModelTrial,
  shownModelName,
  trialMs,
  tryParseServerUrl,
  tryServedModel,
} from "../../model/index.ts";
import { webHost } from "../../model/node/index.ts";
import type { SetupCandidate, SetupDialog, SetupQuestion, SetupReport } from "../../server/index.ts";
import { modelSettingsOf } from "../../server/session/index.ts";
import type { FileSystem } from "../../workspace/index.ts";
import { disk } from "../../workspace/node/index.ts";
import { openRoot } from "../open-file.ts";
import { stateFolderOf } from "../state-folder.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { jsonLine } from "../terminal/masked-terminal.ts";
import { printable, styled, type Terminal } from "../terminal/terminal.ts";
import { editorSettingsOver } from "./editor-settings.ts";
import { completeSample } from "./sample-completion.ts";
import {
  findSettingsFile,
  missingSettings,
  previewSettings,
  type SettingsFile,
  takeOutSettings,
  trustFolder,
  writeSettings,
} from "./settings-file.ts";
import { candidatesOf, nameAmong, TerminalDialog } from "./terminal-dialog.ts";

/** The options of `emend setup`. */
export interface SetupOptions {
  /** Where to look instead of the usual ports of this machine. */
  readonly server: readonly string[] | undefined;
  /**
   * Whether the settings go to the file of this workspace: its folder, or true for the current one.
   */
  readonly workspace: string | true | undefined;
  /** A company's model, or the company alone, instead of a server: `mistral`, `openai:gpt-5`. */
  readonly hosted?: string;
  /** Whether a model that chats is used for next edits, too, without a question. */
  readonly next?: boolean;
  readonly yes: boolean;
  readonly reset: boolean;
  readonly json: boolean;
  /** Whether the person trusts the workspace's configuration. */
  readonly trust: boolean;
}

/** What the steps are run with. */
export interface SetupRun extends SetupOptions {
  /**
   * The workspace: an absolute folder, links resolved. By default it is found from the working
   * folder.
   */
  readonly root?: string;
  /** What the flags of the process that will use the settings set. */
  readonly flags?: readonly FlagSetting[];
}

/** The most milliseconds that are waited for models that are being loaded. */
const loadingMs = { alone: 40_000, besideOthers: 10_000 };

/**
 * Runs `emend setup`: finds servers, tries their models, writes the settings of those that are of
 * use, and completes a line of the person's own code. Having no server is a result, not a failure.
 *
 * The exit code is `notWritten` where settings are not confirmed, and `failed` where servers have
 * models and none works, or none is at the addresses of `server`. Throws a `CommandFailure` where
 * an address or a folder is wrong, and where a settings file can't be read or written. Rejects with
 * the signal's reason on abort.
 */
export async function setup(options: SetupOptions, terminal: Terminal): Promise<ExitCode> {
  const report = await runSetup(options, terminal, new TerminalDialog(options, terminal));
  print(report, options, terminal);
  if (report.kind === "not-written") return exitCodes.notWritten;
  const isFailure = report.kind === "no-server" ? options.server !== undefined : report.tried.length > 0;
  return (report.kind === "no-model" || report.kind === "no-server") && isFailure ? exitCodes.failed : exitCodes.done;
}

/**
 * Runs the steps of `emend setup`, and takes the decisions from `dialog`. Throws and rejects as
 * {@link setup} does.
 */
export async function runSetup(options: SetupRun, terminal: Terminal, dialog: SetupDialog): Promise<SetupReport> {
  return await new Setup(options, terminal, dialog).run();
}

class Setup {
  readonly #options: SetupRun;
  readonly #terminal: Terminal;
  readonly #dialog: SetupDialog;
  readonly #notes: string[] = [];
  /** Of the hosted model, where no variable and no setting has its key. */
  #keyCommand: readonly string[] | undefined;

  constructor(options: SetupRun, terminal: Terminal, dialog: SetupDialog) {
    this.#options = options;
    this.#terminal = terminal;
    this.#dialog = dialog;
  }

  async run(): Promise<SetupReport> {
    const { workspace, reset, hosted } = this.#options;
    const { workingFolder } = this.#terminal;
    const named = workspace === true ? undefined : workspace;
    const root = this.#options.root ?? (await openRoot({ workspace: named, workingFolder, fileSystem: disk }));
    const file = await findSettingsFile(workspace === undefined ? userConfigFolder() : root);
    if (reset) return this.#reset(file);
    const loaded = await this.#load(root);
    const servers =
      hosted === undefined
        ? await this.#findServers(loaded.config)
        : [await this.#hostedServer(hosted, { config: loaded.config, file })];
    const [fillName, chatName] = [namesIn(file, ["model"])[0], namesIn(file, ["edit", "model"])[0]];
    const tried = await this.#tryModels(servers, { config: loaded.config, configured: [fillName, chatName] });
    const filling = tried.filter((trial) => trial.fills);
    const fills = filling.find(({ name }) => name === fillName) ?? filling[0];
    const chatting = tried.filter((trial) => trial.chats);
    // One that does nothing else was made for chats.
    const chats =
      chatting.find(({ name }) => name === chatName) ?? chatting.find((trial) => !trial.fills) ?? chatting[0];
    const isFillKept = fills !== undefined && this.#isKept(fillName, servers);
    const settings = this.#settingsFor(fills, chats, { file, servers, isFillKept });
    if (chats !== undefined) settings.push(...(await this.#nextEditSettings(chats, { file, servers })));
    this.#noteServers(servers, { tried, fills, chats });
    const missing = missingSettings(file, settings);
    const kind = !servers.some(isModelServer)
      ? "no-server"
      : settings.length === 0
        ? "no-model"
        : missing.length === 0
          ? "unchanged"
          : (await this.#write(root, file, missing))
            ? "written"
            : "not-written";
    if (kind === "written" && workspace !== undefined) await this.#offerTrust(root);
    if (kind === "written" || kind === "unchanged") await this.#noteOutranked(root, file, settings);
    this.#notes.push(...(await this.#load(root)).issues.map(({ message }) => message));
    const { trust } = this.#options;
    const model = isFillKept ? "builtin" : (fills?.name ?? "builtin");
    const isAllowed = await this.#isContactAllowed(root, servers);
    // Settings that were there before may name servers elsewhere.
    const only = isAllowed ? undefined : [...new Set([model, "builtin"])];
    const completion =
      kind === "not-written" ? undefined : await completeSample({ root, trust, model, only }, this.#terminal);
    return {
      ...{ kind, servers, tried, file: file.path, notes: this.#notes },
      ...(fills !== undefined && !isFillKept && { model: fills.name }),
      ...(chats !== undefined && { editModel: chats.name }),
      ...(chats !== undefined &&
        settings.some(({ path }) => printKey(path) === "next.model") && { nextModel: chats.name }),
      settings: settings.map(({ path, value }) => ({ key: printKey(path), value })),
      ...(completion !== undefined && { completion }),
    };
  }

  #load(root: string, fileSystem = disk): Promise<LoadedConfig> {
    const { environment } = this.#terminal;
    const { flags = [] } = this.#options;
    const source = { root, userFolder: userConfigFolder(), environment, flags, fileSystem };
    return loadConfig({ ...source, ...(this.#options.trust && { isTrusted: true }) });
  }

  /** The servers at the addresses to look at; what is being loaded is waited for. */
  async #findServers(config: Config): Promise<readonly FoundServer[]> {
    const { environment, signal } = this.#terminal;
    // What is not known to be a model server gets no key and none of the person's headers.
    const host = webHost({ environment: { ...environment, EMEND_HEADERS: undefined } });
    const urls = await this.#urls(config);
    // Of the usual addresses most have no server; one that was named has to be reported.
    const found = await (this.#options.server === undefined
      ? findServers(urls, host, { signal })
      : Promise.all(urls.map((url) => findServer(url, host, { signal }))));
    const deadline = host.clock.now() + (found.some(isReady) ? loadingMs.besideOthers : loadingMs.alone);
    const wait = async (server: FoundServer): Promise<FoundServer> => {
      if (server.kind !== "loading") return server;
      const text = `Waiting for ${server.title} at ${server.url}, which loads ${loadedName(server)}.`;
      this.#dialog.show({ kind: "waiting", text });
      let now: FoundServer = server;
      while (now.kind === "loading" && host.clock.now() < deadline) {
        await pause(1_000, { clock: host.clock, signal });
        now = await findServer(server.url, host, { signal });
      }
      return isModelServer(now) ? now : server;
    };
    const servers = await Promise.all(found.map(wait));
    this.#dialog.show({ kind: "found", servers });
    return servers;
  }

  /** Addresses on other machines are looked at only where the person confirms each. */
  async #urls(config: Config): Promise<readonly string[]> {
    const { server } = this.#options;
    const { environment } = this.#terminal;
    if (server === undefined) {
      const configured = [...config.model, ...config.edit.model, ...config.next.model].flatMap(addressOf);
      const urls: string[] = [];
      for (const url of new Set([...localServerUrls(environment["OLLAMA_HOST"]), ...configured])) {
        if (isLoopback(url) || (await this.#mayContact(url, "look"))) urls.push(url);
        else {
          const how = `\`emend setup --server ${url}\` at a terminal, without --yes, looks at it`;
          this.#notes.push(`${url} of your settings is not on this machine and was left out: ${how}.`);
        }
      }
      return urls;
    }
    const urls = server.map((text) => {
      const url = tryParseServerUrl(text);
      if (url !== undefined) return url;
      const message = `\`${text}\` is no address of a server. Write it like http://127.0.0.1:8012.`;
      throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
    });
    for (const url of urls.filter((one) => !isLoopback(one))) {
      const isConfirmed = await this.#mayContact(url, "contact");
      if (isConfirmed !== true) throw notConfirmed(url, isConfirmed);
    }
    return urls;
  }

  /** `undefined` where it cannot be confirmed: with `--yes`, and without a terminal. */
  async #mayContact(url: string, kind: "contact" | "look"): Promise<boolean | undefined> {
    const question = `${url} is not on this machine. Send it requests, a short sample of code and a question?`;
    return this.#options.yes ? undefined : this.#confirm({ kind, details: "", question, ifEmpty: "no" });
  }

  /**
   * Whether each model that completes now is on this machine, or on a server that was confirmed.
   */
  async #isContactAllowed(root: string, servers: readonly FoundServer[]): Promise<boolean> {
    const { config } = await this.#load(root);
    const urls = servers.map(({ url }) => url);
    return config.model.every((text) => {
      const { name } = parseModelName(text);
      return name === undefined || !("baseUrl" in name) || isLoopback(name.baseUrl) || urls.includes(name.baseUrl);
    });
  }

  /**
   * A company's server, after the person has confirmed what it gets, and where its key is stored.
   */
  async #hostedServer(
    hosted: string,
    { config, file }: { readonly config: Config; readonly file: SettingsFile },
  ): Promise<ModelServerFound> {
    const { workspace, server: other, yes } = this.#options;
    if (workspace !== undefined || other !== undefined) {
      const message = "--hosted writes your own file, and looks for no server: leave out --workspace and --server.";
      throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
    }
    const { environment } = this.#terminal;
    const hostFor = (name: string) => webHost({ environment, settings: modelSettingsOf(config, name, "complete") });
    const found = hostedServer(hosted, hostFor);
    if (found === undefined) {
      const names = hostedModels.map(({ provider, model }) => `\`${provider}\` (${model})`).join(", ");
      const message = `\`${hosted}\` names no hosted model. Write one of ${names}, or a model of theirs, such as \`mistral:codestral-latest\`.`;
      throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
    }
    const { keyNames, keyFrom, ...server } = found;
    const { name } = server.models[0]!;
    const details = printTransfer(server, config.context.maxTokens);
    const question = `Send this to ${server.url}?`;
    const isConfirmed = yes ? undefined : await this.#confirm({ kind: "contact", details, question, ifEmpty: "no" });
    if (isConfirmed !== true) throw notConfirmed(server.url, isConfirmed);
    if (keyFrom !== undefined) return server;
    const variables = keyNames.join(" or ");
    this.#keyCommand = await this.#dialog.askForKeyCommand(
      `${variables} is not set. Which command prints the key, such as \`pass show ${server.provider}\`? Nothing: you set the variable.`,
    );
    if (this.#keyCommand !== undefined) return server;
    const key = `"models": { ${JSON.stringify(name)}: { "keyCommand": ["pass", "show", "${server.provider}"] } }`;
    const message = `There is no key. Set ${variables} where your shell and editor start, or add ${key} to ${file.path} with a command of yours. ${this.#dialog.again}`;
    throw new CommandFailure("no-key", message, { exitCode: exitCodes.notWritten });
  }

  async #tryModels(
    servers: readonly FoundServer[],
    { config, configured }: { readonly config: Config; readonly configured: readonly (string | undefined)[] },
  ): Promise<readonly ServedModelTrial[]> {
    const { environment, signal } = this.#terminal;
    const chosen = await this.#chooseModels(servers.filter(isReady), configured);
    const tried: ServedModelTrial[] = [];
    // One after the other, so that they do not slow each other down.
    for (const { server, model } of chosen) {
      const { name } = model;
      const text = `Trying ${shownModelName(nameAmong(servers, name))} (${model.id}), ${trialMs / 1000} s at most.`;
      this.#dialog.show({ kind: "trying", name, text });
      const own = modelSettingsOf(config, name, "complete");
      const keyCommand = this.#keyCommand;
      const host = webHost({ environment, settings: { ...own, ...(keyCommand && { keyCommand }) } });
      const trial = await tryServedModel(server, model, host, { signal });
      tried.push(trial);
      this.#dialog.show({ kind: "tried", trial, text: printTrial(trial) });
      if (trial.slow !== undefined) this.#notes.push(trial.slow);
    }
    return tried;
  }

  /**
   * The configured models and the preferred one of each server, unless the person chooses others.
   */
  async #chooseModels(
    servers: readonly ModelServerFound[],
    configured: readonly (string | undefined)[],
  ): Promise<readonly SetupCandidate[]> {
    const candidates = candidatesOf(servers);
    const preferred = candidates.filter(
      ({ server, model }) => preferredModel(server) === model || configured.includes(model.name),
    );
    if (this.#options.yes || candidates.length < 2) return preferred;
    return this.#dialog.chooseModels({ candidates, preferred });
  }

  /**
   * Whether a configured model stays without a question, since none of the servers has its address:
   * it is only down, or elsewhere. A server or a company that was named replaces it.
   */
  #isKept(configured: string | undefined, servers: readonly FoundServer[]): boolean {
    const { yes, server, hosted } = this.#options;
    if (!yes || server !== undefined || hosted !== undefined) return false;
    if (configured === undefined || configured === "builtin") return false;
    const { name } = parseModelName(configured);
    return (
      name !== undefined && !("baseUrl" in name && servers.some((one) => isReady(one) && one.url === name.baseUrl))
    );
  }

  #settingsFor(
    fills: ServedModelTrial | undefined,
    chats: ServedModelTrial | undefined,
    {
      file,
      servers,
      isFillKept,
    }: { readonly file: SettingsFile; readonly servers: readonly FoundServer[]; readonly isFillKept: boolean },
  ): SettingEdit[] {
    const settings: SettingEdit[] = [];
    if (fills !== undefined && isFillKept) {
      const value = settingInText(file.text, ["model"]);
      settings.push({ path: ["model"], value });
      const { url } = servers.find(
        (server) => isModelServer(server) && server.models.some((one) => one.name === fills.name),
      )!;
      const how = `\`emend setup --server ${url}\` sets up ${shownModelName(fills.name)} instead`;
      this.#notes.push(`\`model\` stays ${printValue(value)}. ${whyNotTried(namesIn(file, ["model"])[0]!)}; ${how}.`);
    } else if (fills !== undefined) {
      const [first] = namesIn(file, ["model"]);
      settings.push({
        path: ["model"],
        value: first === fills.name ? settingInText(file.text, ["model"]) : [nameAmong(servers, fills.name), "builtin"],
      });
      const { template } = fills.settings;
      if (template !== undefined) settings.push({ path: ["models", fills.name, "template"], value: template });
    }
    if (chats !== undefined) settings.push(...this.#chatSetting(["edit", "model"], chats, { file, servers }));
    const name = (fills ?? chats)?.name;
    if (name !== undefined && this.#keyCommand !== undefined) {
      settings.push({ path: ["models", name, "keyCommand"], value: this.#keyCommand });
    }
    return settings;
  }

  /** None where the person chose a model that is not on the servers. */
  #chatSetting(
    path: readonly string[],
    { name }: ServedModelTrial,
    { file, servers }: { readonly file: SettingsFile; readonly servers: readonly FoundServer[] },
  ): readonly SettingEdit[] {
    const served = servers.filter(isModelServer).flatMap(({ models }) => models.map((one) => one.name));
    const named = namesIn(file, path);
    const elsewhere = named.find((one) => !served.includes(one));
    if (elsewhere === undefined || this.#options.hosted !== undefined) {
      return [{ path, value: named[0] === name ? settingInText(file.text, path) : nameAmong(servers, name) }];
    }
    this.#notes.push(`\`${printKey(path)}\` stays \`${shownModelName(elsewhere)}\`, which you chose.`);
    return [];
  }

  /** Of a model that chats, where the person wants it for next edits. */
  async #nextEditSettings(
    chats: ServedModelTrial,
    from: { readonly file: SettingsFile; readonly servers: readonly FoundServer[] },
  ): Promise<readonly SettingEdit[]> {
    const path = ["next", "model"];
    if (this.#options.next !== true) {
      if (this.#options.yes || namesIn(from.file, path).length > 0) return [];
      const question = `Use ${shownModelName(chats.name)} for next edits, too, where no other provider has one?`;
      if (!(await this.#confirm({ kind: "next", details: "", question, ifEmpty: "no" }))) return [];
    }
    const settings = this.#chatSetting(path, chats, from);
    // Reasoning takes longer than a next edit may.
    const request = ["next", "request", ...reasoningOption(chats)];
    return settings.length > 0 && isReasoning(chats) ? [...settings, { path: request, value: false }] : settings;
  }

  /** What the person should know about servers that are of no use, and about what is missing. */
  #noteServers(
    servers: readonly FoundServer[],
    {
      tried,
      fills,
      chats,
    }: {
      readonly tried: readonly ServedModelTrial[];
      readonly fills: ServedModelTrial | undefined;
      readonly chats: ServedModelTrial | undefined;
    },
  ): void {
    const memoryGb = Math.round(totalmem() / 1e9);
    for (const server of servers) {
      if (!isModelServer(server)) this.#notes.push(printNoServer(server));
      if (server.kind === "loading") {
        this.#notes.push(`${server.title} at ${server.url} still loads ${loadedName(server)}. ${this.#dialog.again}`);
      }
      if (server.kind === "no-model") {
        const fit = recommendedFor(server.provider, memoryGb);
        const fetches = fit === undefined ? "" : ` \`${fit.command}\` fetches ${fit.title}, ${fit.sizeGb} GB.`;
        this.#notes.push(`${server.title} at ${server.url} has no model.${fetches}`);
      }
    }
    if (this.#options.server === undefined && !servers.some(isModelServer))
      this.#notes.push(...whatToInstall(memoryGb));
    if (fills === undefined && chats !== undefined) {
      const name = JSON.stringify(chats.name);
      const option = reasoningOption(chats).reduceRight(
        (inner, key) => `{ ${JSON.stringify(key)}: ${inner} }`,
        "false",
      );
      // Reasoning takes longer than ghost text may.
      const request = isReasoning(chats) ? `, "request": ${option}` : "";
      this.#notes.push(
        `\`${shownModelName(chats.name)}\` only chats, so ghost text stays with \`builtin\`. To request ghost text by chat, which is slower and less accurate, add "model": [${name}, "builtin"], "models": { ${name}: { "fillBy": "chat"${request} } }.`,
      );
    }
    if (tried.length > 0 && fills === undefined && chats === undefined) {
      this.#notes.push("No model that was found works; the reasons are above.");
    }
  }

  /** Returns whether the settings were written. */
  async #write(root: string, file: SettingsFile, settings: readonly SettingEdit[]): Promise<boolean> {
    const replaced = settings.flatMap(({ path }) => {
      const value = file.isCode ? undefined : settingInText(file.text, path);
      return value === undefined ? [] : [{ path, value }];
    });
    const now = replaced.map(({ path, value }) => `\n  instead of ${printKey(path)}: ${printValue(value)}`).join("");
    const lines = settings.map(({ path, value }) => `  ${printKey(path)}: ${JSON.stringify(value)}`).join("\n") + now;
    if (file.isCode) {
      this.#notes.push(`${file.path} is not edited by setup. Add to it:\n${lines}`);
      return false;
    }
    const isOwn = this.#options.workspace === undefined;
    const confirm = async () => {
      const loaded = await this.#load(root, withText(file.path, previewSettings(file, settings)));
      const outranked = [...outrankedIn(loaded, { root, file, settings }), ...(await this.#inEditors(root, settings))];
      const details = `For ${file.path}:\n${lines}`;
      return this.#confirm({ kind: "write", details, question: "Write this?", outranked, ifEmpty: "yes" });
    };
    const isConfirmed = (this.#options.yes && isOwn) || (await confirm());
    if (isConfirmed === true) {
      await writeSettings(file, settings, stateFolderOf(this.#terminal));
      this.#notes.push(...replaced.map(({ path, value }) => `\`${printKey(path)}\` was ${printValue(value)}.`));
    } else {
      const how = isOwn
        ? " Use --yes, or run the command at a terminal."
        : " Confirm at a terminal: --yes writes your own file alone.";
      this.#notes.push(`Nothing was written to ${file.path}.${isConfirmed === undefined ? how : ""}`);
    }
    return isConfirmed === true;
  }

  /** A workspace's models count only where it is trusted, which is the person's own setting. */
  async #offerTrust(root: string): Promise<void> {
    const { isTrusted } = await this.#load(root);
    const question = `Trust ${root}, so that its models count?`;
    if (isTrusted || !(await this.#confirm({ kind: "trust", details: "", question, ifEmpty: "no" }))) return;
    const report = await trustFolder(root, {
      ...{ userFolder: userConfigFolder(), setupState: stateFolderOf(this.#terminal) },
    });
    if (report.kind === "by-hand") this.#notes.push(`Add to ${report.file}: ${report.line}`);
  }

  /** Names whatever counts over the settings, and what to change. */
  async #noteOutranked(root: string, file: SettingsFile, settings: readonly SettingEdit[]): Promise<void> {
    const loaded = await this.#load(root);
    this.#notes.push(...outrankedIn(loaded, { root, file, settings }), ...(await this.#inEditors(root, settings)));
  }

  #inEditors(root: string, settings: readonly SettingEdit[]): Promise<readonly string[]> {
    return editorSettingsOver(settings, { root, environment: this.#terminal.environment });
  }

  async #reset(file: SettingsFile): Promise<SetupReport> {
    const { restored, left, isRemoved } = await takeOutSettings(file, stateFolderOf(this.#terminal));
    const taken = restored.map((key) => `\`${key}\``).join(", ");
    if (restored.length === 0 && left.length === 0) this.#notes.push(`Setup has written nothing to ${file.path}.`);
    else if (isRemoved) this.#notes.push(`${file.path} is deleted: it had only ${taken}, which setup wrote.`);
    else if (restored.length > 0) this.#notes.push(`${taken} of ${file.path} is as it was before setup.`);
    if (left.length > 0) this.#notes.push(`${left.join(", ")} was changed since, and stays.`);
    return { kind: "reset", servers: [], tried: [], file: file.path, settings: [], notes: this.#notes };
  }

  #confirm(question: Omit<SetupQuestion, "outranked"> & Partial<SetupQuestion>): Promise<boolean | undefined> {
    return this.#dialog.confirm({ outranked: [], ...question });
  }
}

function print(
  { completion, ...report }: SetupReport,
  { json, server, workspace }: Pick<SetupOptions, "json" | "server" | "workspace">,
  terminal: Pick<Terminal, "out" | "colour" | "environment">,
): void {
  const { colour } = terminal;
  if (json) {
    const { shown: _, ...sample } = completion ?? {};
    terminal.out(jsonLine({ ...report, ...(completion !== undefined && { completion: sample }) }, terminal));
    return;
  }
  const { kind, file, notes } = report;
  const isNamed = server !== undefined;
  // A configured model that stays is not among those that were found.
  const isTriedLeftOut = report.model === undefined && report.tried.some(({ fills }) => fills);
  const title = {
    written: `Written to ${file}; \`emend setup${workspace === undefined ? "" : " --workspace"} --reset\` takes it out again.`,
    unchanged: isTriedLeftOut ? `Nothing is changed in ${file}.` : `Nothing to change: ${file} has these settings.`,
    "not-written": "",
    "no-model": "No model to set up.",
    "no-server": isNamed
      ? "No model to set up."
      : "No server with models answers on this machine. `emend setup --hosted mistral` sets up a company's.",
    reset: "",
  }[kind];
  const place =
    completion &&
    `${styled(completion.isExample ? "A completion in an example" : "A completion", "bold", colour)} at ${printable(completion.file)}:${completion.line}:${completion.column}:`;
  const sections = [
    [title, ...notes]
      .filter((line) => line !== "")
      .map(printable)
      .join("\n"),
    place === undefined ? "" : `${place}\n\n${completion?.shown ?? ""}`,
  ];
  terminal.out(`${sections.filter((section) => section !== "").join("\n\n")}\n`);
}

/** `undefined`: a person could not be asked. */
function notConfirmed(url: string, isConfirmed: false | undefined): CommandFailure {
  const how =
    isConfirmed === undefined ? " Run the command at a terminal, without --yes: --yes confirms 127.0.0.1 alone." : "";
  const message = `${url} is not on this machine and was not confirmed. Nothing was sent.${how}`;
  return new CommandFailure("not-confirmed", message, { exitCode: exitCodes.notWritten });
}

/** Names whatever counts over the settings of a file, and what to change. */
function outrankedIn(
  { origins }: LoadedConfig,
  {
    root,
    file,
    settings,
  }: { readonly root: string; readonly file: SettingsFile; readonly settings: readonly SettingEdit[] },
): readonly string[] {
  return settings.flatMap(({ path }) => {
    const key = printKey(path);
    const origin = origins.get(key);
    if (origin?.kind === "variable") {
      return [`The variable ${origin.name} counts over \`${key}\` in ${file.path}. Unset it.`];
    }
    if (origin?.kind === "flag") {
      return [`${origin.name} counts over \`${key}\` in ${file.path}. Start Emend without it.`];
    }
    return origin?.kind === "file" && !isSamePath(origin.path, file.path)
      ? [`\`${key}\` in ${printOrigin(origin, root)} counts over ${file.path}. Take it out there.`]
      : [];
  });
}

/** The disk, where the file at a path has this text. */
function withText(path: string, text: string): FileSystem {
  const bytes = new TextEncoder().encode(text);
  const isIt = (other: string) => isSamePath(path, other);
  return {
    ...disk,
    readFile: async (other, options) => (isIt(other) ? bytes : disk.readFile(other, options)),
    stat: async (other) => (isIt(other) ? { kind: "file", size: bytes.length, mtimeMs: 0 } : disk.stat(other)),
  };
}

/** What a company's server gets, for a person to confirm. */
function printTransfer({ title, url, models }: ModelServerFound, maxTokens: number): string {
  const { name } = models[0]!;
  return [
    `${shownModelName(name)} runs on a server of ${title}, ${url}, which may charge for it. It gets`,
    "  now: a hole in code and a question that are not yours, then the surroundings of one line of your code;",
    `  later: for ghost text the text around the cursor, up to ${maxTokens.toLocaleString("en")} tokens, with snippets of other files,`,
    "  recent edits and diagnostics; for an instruction or a plan the instruction and the files that it is about.",
    "Secret and ignored files are never sent; secrets in snippets are replaced.",
  ].join("\n");
}

/**
 * The address of a model's server, but for those of companies, which have no list of models to look
 * at.
 */
function addressOf(text: string): readonly string[] {
  const { name } = parseModelName(text);
  const isHosted = hostedModels.some(({ provider }) => provider === name?.provider);
  return name !== undefined && "baseUrl" in name && !isHosted ? [name.baseUrl] : [];
}

/** The models that a setting of a file of JSON names, written as servers' models are. */
function namesIn({ isCode, text }: SettingsFile, path: readonly string[]): readonly string[] {
  const value = isCode ? undefined : settingInText(text, path);
  return (Array.isArray(value) ? value : value === undefined ? [] : [value]).map((one) => {
    const { name } = parseModelName(String(one));
    return name === undefined ? String(one) : printModelName(name);
  });
}

/** Why a configured model that stays was not tried: a sentence without its full stop. */
function whyNotTried(configured: string): string {
  const [url] = addressOf(configured);
  return url === undefined || !isLoopback(url)
    ? "It is not on this machine's servers, and was not tried"
    : `No model answers at ${url}: start the server there`;
}

function printValue(value: unknown): string {
  return shownModelName(JSON.stringify(value));
}

function isReasoning({ chat }: ServedModelTrial): boolean {
  return chat?.chatAnswer?.isReasoned === true;
}

/** The request option that turns the reasoning of a model off where it is false, by its names. */
function reasoningOption({ name }: ServedModelTrial): readonly string[] {
  return parseModelName(name).name?.provider === "ollama" ? ["think"] : ["chat_template_kwargs", "enable_thinking"];
}

function isReady(server: FoundServer): server is ModelServerFound {
  return server.kind === "ready";
}

function loadedName({ models }: ModelServerFound): string {
  return models[0]?.id ?? "its model";
}

function printTrial({ fills, chats, fill, chat }: ServedModelTrial): string {
  const can = fills && chats ? "fills and chats" : fills ? "fills" : chats ? "only chats" : "neither fills nor chats";
  const { firstTokenMs, tokensPerSecond, promptTokensPerSecond } = (fills ? fill : chat) ?? {};
  const speeds = [
    ...(firstTokenMs === undefined ? [] : [`first token after ${Math.round(firstTokenMs)} ms`]),
    ...(tokensPerSecond === undefined ? [] : [`then about ${Math.round(tokensPerSecond)} tokens a second`]),
    ...(promptTokensPerSecond === undefined
      ? []
      : [`reads about ${Math.round(promptTokensPerSecond)} tokens of a prompt a second`]),
  ];
  return `${[can, ...speeds].join(", ")}.`;
}

/** Three lines: what a machine with so much memory, in GB, can run, and how to get it. */
function whatToInstall(memoryGb: number): readonly string[] {
  const [llamacpp, ollama] = [recommendedFor("llamacpp", memoryGb)!, recommendedFor("ollama", memoryGb)!];
  return [
    `With ${memoryGb} GB of memory ${ollama.title} runs here. Install one of these, and setup finds it:`,
    `  Ollama (https://ollama.com), then \`${ollama.command}\`, ${ollama.sizeGb} GB`,
    `  llama.cpp (https://github.com/ggml-org/llama.cpp), then \`${llamacpp.command}\`, ${llamacpp.sizeGb} GB`,
  ];
}

function isSamePath(one: string, other: string): boolean {
  return one.replaceAll("\\", "/") === other.replaceAll("\\", "/");
}
