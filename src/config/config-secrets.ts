import { configuredSecrets } from "../model/index.ts";
import type { Environment } from "./environment.ts";
import type { Config } from "./schema/settings.ts";

/**
 * The secrets of the environment and of a configuration: keys, values of headers, and keys in
 * addresses of models. Variables in headers, such as `${NAME}`, are replaced by their values;
 * missing ones are empty.
 */
export function secretsOfConfig(
  { model, models, next, edit }: Pick<Config, "model" | "models" | "next" | "edit">,
  environment: Environment,
): readonly string[] {
  const names = [...model, ...next.model, ...edit.model, ...Object.keys(models)];
  const secrets = Object.values(models).flatMap(({ headers = {} }) => {
    const sent = Object.entries(headers).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+)\}/g, (_, variable: string) => environment[variable] ?? ""),
    ]);
    return configuredSecrets({ environment: {}, headers: Object.fromEntries(sent) });
  });
  return [
    ...configuredSecrets({ environment }),
    ...names.flatMap((query) => configuredSecrets({ environment: {}, query })),
    ...secrets,
  ];
}
