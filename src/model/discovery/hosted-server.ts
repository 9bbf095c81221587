import { ModelServer } from "../clients/model-server.ts";
import type { ModelHost } from "../model-host.ts";
import { parseModelName, printModelName } from "../model-name.ts";
import { serverFacts } from "../providers.ts";
import type { ModelServerFound } from "./find-servers.ts";
import { hostedModels } from "./recommended-models.ts";

/** A company's server with the one model that a person named. */
export interface HostedServer extends ModelServerFound {
  /** The environment variables that may hold its key. */
  readonly keyNames: readonly string[];
  /** The variable or setting that holds its key; absent where none does. */
  readonly keyFrom?: string;
}

/**
 * The company's server that a person means by its provider, such as `mistral`, or by the name of a
 * model, such as `mistral:codestral-latest`; `undefined` for anything else. A provider alone means
 * its model of {@link hostedModels}. No request is sent. `hostFor` returns the host with the
 * person's own settings of a model.
 */
export function hostedServer(text: string, hostFor: (name: string) => ModelHost): HostedServer | undefined {
  const named = text.trim();
  const preset = hostedModels.find(({ provider }) => provider === named.toLowerCase());
  const { name } = parseModelName(preset === undefined ? named : `${preset.provider}:${preset.model}`);
  if (name === undefined || name.provider === "builtin" || name.provider === "gguf") return undefined;
  const { needsKey, title } = serverFacts[name.provider];
  if (!needsKey || name.model === undefined) return undefined;
  const printed = printModelName(name);
  const host = hostFor(printed);
  const { names, name: variable } = new ModelServer(name, host).key;
  const keyFrom = variable ?? (host.settings?.keyCommand === undefined ? undefined : "the command of your settings");
  return {
    ...{ kind: "ready", url: name.baseUrl, provider: name.provider, title, keyNames: names },
    models: [{ name: printed, id: name.model, isLoaded: true, isEmbedding: false }],
    ...(keyFrom !== undefined && { keyFrom }),
  };
}
