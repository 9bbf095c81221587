import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { userConfigFolder } from "../../config/index.ts";
import { RegionGuides } from "../../edit/index.ts";
import { LanguageGuides } from "../../grammar/index.ts";
import { grammarFor, threadSlices } from "../../grammar/node/index.ts";
import type { LanguageServerHost } from "../../server/index.ts";
import { AcceptanceModelStore } from "../../server/session/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { disk, gitDiff, systemClock, watchDisk } from "../../workspace/node/index.ts";
import { cacheFolderOf, indexCacheOf } from "../cache-folder.ts";
import { explainStop } from "../edit/undo.ts";
import { modelFlags, NamedModels } from "../named-models.ts";
import { findWorkspaceRoot } from "../open-file.ts";
import { packageVersion } from "../package-version.ts";
import { DiskPlanHost } from "../plan/disk-plan-host.ts";
import { journalOf } from "../state-folder.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { gitTrustOf } from "../workspace-settings.ts";
import { isAlive } from "./client-watch.ts";

/** The options of a language server, for any client. */
export interface LanguageHostOptions {
  /** The names of models in order of preference; they override the configuration. */
  readonly model: readonly string[] | undefined;
  /** Whether the person trusts the workspaces that are opened. */
  readonly trust: boolean;
}

/**
 * The environment of language servers on this machine. Several servers may run on one host; dispose
 * of it after them.
 */
export interface LanguageHost extends AsyncDisposable {
  readonly host: LanguageServerHost;
}

/**
 * Longer documents are not constrained by a grammar, since parsing them takes longer than a key may
 * wait. In UTF-16 code units.
 */
const maxGuidedCharacters = 30_000;
/** The most milliseconds for parsing a text with its grammar. */
const maxGuideMs = 2_000;

/** The most milliseconds that ghost text waits for the members of a type. */
const membersMs = 300;

/** Milliseconds between two saves of the acceptance model. */
const saveAcceptanceMs = 60_000;

/**
 * Opens the host of language servers. The acceptance model is saved from time to time, and when the
 * host is disposed of. The caller disposes of it.
 */
export async function openLanguageHost(options: LanguageHostOptions, terminal: Terminal): Promise<LanguageHost> {
  const { environment, workingFolder } = terminal;
  const { trust: isTrusted } = options;
  const syntax = openSyntax({ givesUp: true });
  const models = new NamedModels({ environment });
  const guides = new LanguageGuides({
    ...{ load: grammarFor, maxCharacters: maxGuidedCharacters },
    slices: { ...threadSlices, maxMs: maxGuideMs },
  });
  const acceptance = await AcceptanceModelStore.open(join(cacheFolderOf(terminal), "acceptance.json"));
  const saveAcceptance = () =>
    acceptance
      .save()
      .catch((error: Error) => terminal.err(`The acceptance model could not be saved: ${error.message}\n`));
  const keeping = setInterval(saveAcceptance, saveAcceptanceMs).unref();
  return {
    host: {
      ...{ fileSystem: disk, watch: watchDisk, clock: systemClock, cache: indexCacheOf(terminal), syntax },
      ...{ version: packageVersion(), yieldThread: () => setImmediate(), memory, isAlive },
      acceptance: acceptance.model,
      regionGuides: new RegionGuides({ load: grammarFor, slices: threadSlices, maxCharacters: maxGuidedCharacters }),
      plans: new DiskPlanHost({ environment, workingFolder, isTrusted, now: () => Date.now() }),
      editJournal: {
        journal: journalOf(terminal),
        rootOf: (folder) => findWorkspaceRoot(folder, disk),
        explainStop: (stop, root) => explainStop(stop, { root, undone: [] }),
      },
      guide: (language, prefix, suffix) => guides.guideFor(language, prefix, suffix),
      prepareGuide: (...place) => guides.prepareAt(...place),
      membersMs,
      async readDiff(folder, options) {
        const git = await gitTrustOf({ root: folder, trust: isTrusted, environment });
        const answer = await gitDiff(folder, { ...options, ...git });
        return answer.kind === "answer" ? answer.value : undefined;
      },
      settings: {
        ...{ userFolder: userConfigFolder(), environment, flags: modelFlags(options.model) },
        ...(isTrusted && { isTrusted }),
        openModel: (name, settings) => models.open(name, settings),
      },
    },
    async [Symbol.asyncDispose]() {
      clearInterval(keeping);
      await saveAcceptance();
      await models[Symbol.asyncDispose]();
      syntax[Symbol.dispose]();
    },
  };
}

/**
 * The memory of this process, after a garbage collection where Node was started with `--expose-gc`.
 */
function memory(): { readonly heapUsed: number; readonly arrayBuffers: number; readonly rss: number } {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { heapUsed, arrayBuffers, rss };
}
