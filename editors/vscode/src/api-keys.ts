import { type ExtensionContext, window } from "vscode";
import { serverFacts } from "../../../src/model/providers.ts";

/** The environment variables that may hold a key, each with the title of its service. */
export const keyVariables: ReadonlyMap<string, string> = new Map(
  Object.entries(serverFacts)
    .toSorted(([, one], [, other]) => Number(other.needsKey) - Number(one.needsKey))
    .flatMap(([provider, { title, keyNames, keyNamesAt = {} }]) =>
      [...keyNames.slice(0, 1), ...Object.values(keyNamesAt).flat()].map(
        (name) => [name, provider === "openai-compatible" ? "Another server" : title] as const,
      ),
    ),
);

/** The keys that are stored in VS Code, by the environment variable that holds each. */
export async function storedKeys({ secrets }: ExtensionContext): Promise<Readonly<Record<string, string>>> {
  const found = await Promise.all(
    [...keyVariables.keys()].map(async (name) => [name, await secrets.get(name)] as const),
  );
  return Object.fromEntries(found.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}

/**
 * Prompts for the key of a service, and stores it in VS Code, or removes the stored one. Returns
 * whether a key was stored or removed.
 */
export async function setApiKey(context: ExtensionContext): Promise<boolean> {
  const stored = await storedKeys(context);
  const items = [...keyVariables].map(([name, title]) => ({
    ...{ name, label: title, description: name },
    ...(stored[name] !== undefined && { detail: "A key is stored." }),
  }));
  const picked = await window.showQuickPick(items, { title: "Set an API key", placeHolder: "The service of the key" });
  if (picked === undefined) return false;
  const { name, label } = picked;
  const key = await window.showInputBox({
    ...{ title: `The API key: ${label}`, password: true, ignoreFocusOut: true },
    prompt: `VS Code stores it encrypted, and Emend gets it as ${name}. Leave it empty to remove the stored key.`,
  });
  if (key === undefined) return false;
  if (key.trim() === "") await context.secrets.delete(name);
  else await context.secrets.store(name, key.trim());
  return true;
}
