import { join } from "node:path";
import { type ExtensionContext, type LogOutputChannel, Uri, workspace } from "vscode";
import {
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  type DidOpenTextDocumentParams,
  LanguageClient,
  type LanguageClientOptions,
  type Middleware,
  State,
} from "vscode-languageclient/node";
import { errorMessage } from "../../../src/text/index.ts";
import type { AppliedEdits } from "./applied-edits.ts";
import { documentSelector } from "./document-selector.ts";
import type { EarlierEdits } from "./earlier-edits.ts";
import { explicitSettings } from "./explicit-settings.ts";
import { type ServerProgram, serverCommand } from "./server-command.ts";

/** The dependencies of {@link createLanguageClient}. */
export interface LanguageClientParts {
  readonly context: ExtensionContext;
  readonly log: LogOutputChannel;
  /** The stored API keys, by environment variable. */
  readonly keys: Readonly<Record<string, string>>;
  readonly applied: AppliedEdits;
  /** What was edited before the server is started. */
  readonly earlier: Pick<EarlierEdits, "take">;
  /** The middleware that shows ghost text. */
  readonly ghostText: Pick<Middleware, "provideInlineCompletionItems">;
}

/** The configured program of the server. */
export function serverProgram({ extensionPath }: ExtensionContext): ServerProgram {
  return {
    path: workspace.getConfiguration("emend").inspect<string>("path")?.globalValue ?? "",
    bundled: join(extensionPath, "server/dist/cli/main.js"),
    node: process.execPath,
  };
}

/** VS Code decides about trust, and asks the user itself. */
const trustAdvice = "If you trust it, run the command Workspaces: Manage Workspace Trust.";

/** Creates the language client without starting the server. */
export function createLanguageClient(parts: LanguageClientParts): LanguageClient {
  const { context, log, keys, applied, earlier, ghostText } = parts;
  const { command, args, environment } = serverCommand({ ...serverProgram(context), isTrusted: workspace.isTrusted });
  log.info(`Starts ${[command, ...args].join(" ")}`);
  const names = settingNames(context);
  const options: LanguageClientOptions = {
    // The cells of notebooks get ghost text only.
    documentSelector: [...documentSelector, { scheme: "vscode-notebook-cell" }],
    outputChannel: log,
    initializationOptions: { emendStatus: true, trustAdvice, emend: settingsFor(names, undefined) },
    middleware: {
      ...ghostText,
      sendNotification: async (type, next, params) => {
        const method = typeof type === "string" ? type : type.method;
        if (method !== DidOpenTextDocumentNotification.method) return next(type, params);
        const { opened, changes } = earlier.take(params as DidOpenTextDocumentParams);
        // Without a wait between them, so that no later change of the document comes first.
        const send = next as (type: string, params: object) => Promise<void>;
        const changed = changes.map((change) => [DidChangeTextDocumentNotification.method, change] as const);
        await Promise.all([[method, opened] as const, ...changed].map(([name, sent]) => send(name, sent)));
      },
      workspace: {
        configuration: ({ items }) =>
          items.map(({ section, scopeUri }) =>
            section === "emend" ? settingsFor(names, scopeUri === undefined ? undefined : Uri.parse(scopeUri)) : null,
          ),
        handleApplyEdit: async (params, next) => {
          const { changes = {}, documentChanges = [] } = params.edit;
          const edited = documentChanges.flatMap((change) => ("edits" in change ? change.textDocument.uri : []));
          const uris = [...Object.keys(changes), ...edited].map((uri) => Uri.parse(uri));
          let answer: Awaited<ReturnType<typeof next>> = { applied: false };
          await applied.keep(uris, async () => {
            answer = await next(params, {
              isCancellationRequested: false,
              onCancellationRequested: () => ({ dispose() {} }),
            });
            return "applied" in answer && answer.applied;
          });
          return answer;
        },
      },
    },
  };
  const run = { command, args: [...args], options: { env: { ...process.env, ...environment, ...keys } } };
  return new LanguageClient("emend", "Emend", run, options);
}

/**
 * Stops a client, so that another can be started. A server that does not end in time is killed by
 * the client, and one that is still starting is stopped once it has started, without a wait.
 */
export async function stopLanguageClient(
  client: Pick<LanguageClient, "state" | "start" | "dispose">,
  log: Pick<LogOutputChannel, "warn">,
): Promise<void> {
  const isStarting = client.state === State.Starting;
  const stop = async () => {
    try {
      if (isStarting) await client.start();
      await client.dispose();
    } catch (error) {
      log.warn(`The language server was not stopped properly: ${errorMessage(error)}`);
    }
  };
  const stopped = stop();
  if (!isStarting) await stopped;
}

function settingsFor(names: readonly string[], scope: Uri | undefined): Readonly<Record<string, unknown>> {
  const configuration = workspace.getConfiguration("emend", scope ?? null);
  return explicitSettings(names, (name) => configuration.inspect(name), workspace.isTrusted);
}

/** The names of the settings that are sent to the server, without the section. */
function settingNames({ extension }: ExtensionContext): readonly string[] {
  const sections: readonly { readonly properties: object }[] = extension.packageJSON.contributes.configuration;
  return sections
    .flatMap(({ properties }) => Object.keys(properties))
    .filter((name) => name !== "emend.path" && !name.startsWith("emend.trace."))
    .map((name) => name.replace(/^emend\./, ""));
}
