import { type ModelSettings, parseModelName, printModelName } from "../model/index.ts";
import type { Config } from "./schema/settings.ts";

/** What a million tokens cost, in the person's own currency. */
export interface ModelPrice {
  /** Of those that a model is shown. */
  readonly input: number;
  /** Of those that it writes. */
  readonly output: number;
}

/**
 * The settings in `models` for the model with this name, whatever the spelling of the two;
 * `undefined` if there are none.
 */
export function tryModelSettings(config: Pick<Config, "models">, name: string): ModelSettings | undefined {
  return tryEntry(config, name);
}

/** The cost of this model in `models`; `undefined` if it is not set. */
export function tryModelPrice(config: Pick<Config, "models">, name: string): ModelPrice | undefined {
  return tryEntry(config, name)?.price;
}

function tryEntry({ models }: Pick<Config, "models">, name: string): Config["models"][string] | undefined {
  const wanted = spelling(name);
  const key = Object.keys(models).findLast((known) => spelling(known) === wanted);
  return key === undefined ? undefined : models[key];
}

function spelling(text: string): string {
  const { name } = parseModelName(text);
  return name === undefined ? text : printModelName(name);
}
