import { type ModelSettings, parseModelName, printModelName } from "../model/index.ts";
import type { Config } from "./schema/settings.ts";

/** What `models` says of the model with this name, however the two are spelt; `undefined` when it says nothing. */
export function tryModelSettings({ models }: Pick<Config, "models">, name: string): ModelSettings | undefined {
  const wanted = spelling(name);
  const key = Object.keys(models).findLast((known) => spelling(known) === wanted);
  return key === undefined ? undefined : models[key];
}

function spelling(text: string): string {
  const { name } = parseModelName(text);
  return name === undefined ? text : printModelName(name);
}
