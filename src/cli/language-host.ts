import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { disk, gitDiff, systemClock, watchDisk } from "../codebase/node/index.ts";
import { userConfigFolder } from "../config/index.ts";
import { RegionGuides } from "../edit/index.ts";
import { LanguageGuides } from "../grammar/index.ts";
import { grammarFor } from "../grammar/node/index.ts";
import type { LanguageServerHost } from "../server/index.ts";
import { TypeScriptMembers, WelcomeStore } from "../server/session/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { cacheFolderOf, indexCacheOf } from "./index-cache-of.ts";
import { modelFlags } from "./model-flags.ts";
import { NamedModels } from "./named-models.ts";
import { packageVersion } from "./package-version.ts";
import { DiskPlanHost } from "./plan-host.ts";
import type { Terminal } from "./terminal.ts";

/** What a person may say of the language server, whoever its client is. */
export interface LanguageHostOptions {
  /** The names of models in order of preference, which count more than any configuration. */
  readonly model: readonly string[] | undefined;
  /** Whether the person trusts the workspaces that are opened. */
  readonly trust: boolean;
}

/** The outside of language servers: this machine. Any number of them may run on one host; dispose of it after them. */
export interface LanguageHost extends AsyncDisposable {
  readonly host: LanguageServerHost;
}

/** Longer documents have no guide: to look at all of one takes longer than a key may wait. UTF-16 units. */
const maxGuidedCharacters = 30_000;

/** How long ghost text may wait for the members of a type, in milliseconds. */
const membersMs = 300;

/** How often what was learnt of the person is written, if anything was. */
const keepWelcomeMs = 60_000;

/** Opens what language servers work with. What was learnt of the person is kept from time to time, and at the end. */
export async function openLanguageHost(options: LanguageHostOptions, terminal: Terminal): Promise<LanguageHost> {
  const { environment, workingFolder } = terminal;
  const syntax = openSyntax();
  const models = new NamedModels({ environment });
  const guides = new LanguageGuides({ load: grammarFor, maxCharacters: maxGuidedCharacters });
  const welcome = await WelcomeStore.open(join(cacheFolderOf(terminal), "welcome.json"));
  const keepWelcome = () =>
    welcome
      .save()
      .catch((error: Error) => terminal.err(`What was learnt of you could not be kept: ${error.message}\n`));
  const keeping = setInterval(keepWelcome, keepWelcomeMs).unref();
  return {
    host: {
      ...{ fileSystem: disk, watch: watchDisk, clock: systemClock, cache: indexCacheOf(terminal), syntax },
      ...{ version: packageVersion(), yieldThread: () => setImmediate(), memory, isAlive },
      welcome: welcome.model,
      regionGuides: new RegionGuides({ load: grammarFor, maxCharacters: maxGuidedCharacters }),
      plans: new DiskPlanHost({ environment, workingFolder, isTrusted: options.trust, now: () => Date.now() }),
      guide: (language, prefix, suffix) => guides.guideFor(language, prefix, suffix),
      openMembers: (root) => new TypeScriptMembers({ root, clock: systemClock, timeoutMs: membersMs }),
      async readDiff(folder, options) {
        const answer = await gitDiff(folder, options);
        return answer.kind === "answer" ? answer.value : undefined;
      },
      settings: {
        ...{ userFolder: userConfigFolder(), environment, flags: modelFlags(options.model) },
        ...(options.trust && { isTrusted: true }),
        openModel: (name, settings) => models.open(name, settings),
      },
    },
    async [Symbol.asyncDispose]() {
      clearInterval(keeping);
      await keepWelcome();
      await models[Symbol.asyncDispose]();
      syntax[Symbol.dispose]();
    },
  };
}

/** Without what is garbage, where Node was started with `--expose-gc` to measure. */
function memory(): { readonly heapUsed: number; readonly arrayBuffers: number; readonly rss: number } {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { heapUsed, arrayBuffers, rss };
}

/** Whether a process is there; one that may not be asked is. */
function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
