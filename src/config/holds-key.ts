import { looksSecret } from "../syntax/index.ts";
import type { Entry } from "./entries.ts";

/**
 * Whether an entry of a file holds a key or password: by its name, or by what it looks like.
 *
 * A value that only names an environment variable, as in `Bearer ${TEAM_KEY}`, holds none.
 */
export function holdsKey({ path, value }: Entry): boolean {
  const name = path.at(-1) ?? "";
  if (typeof value === "string") {
    const written = value.replace(/\$\{\w+\}/g, "").trim();
    if (keyNames.test(name)) return !/^(bearer|basic|token)?$/i.test(written);
    return looksSecret(written);
  }
  return Array.isArray(value) && value.some((item) => typeof item === "string" && looksSecret(item));
}

const keyNames =
  /^((x[-_])?(goog[-_]|auth[-_])?(api|access|auth|secret)?[-_]?(key|token)|(proxy[-_])?authorization|password|secret|cookie)$/i;
