import { configuredSecrets, keyVariables, maskOf, type SecretMask } from "../../model/index.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Wraps a terminal so that configured secrets, and keys in URLs, are masked in what it prints for
 * people: on standard error, and in questions. Standard output may contain code, which is printed
 * as it is written to files; see {@link jsonLine}.
 */
export function maskedTerminal(terminal: Terminal): Terminal {
  const mask = maskOf(configuredSecrets(terminal));
  return {
    ...terminal,
    get columns() {
      return terminal.columns;
    },
    get rows() {
      return terminal.rows;
    },
    err: (text) => terminal.err(mask(text)),
    ask: (question) => terminal.ask(mask(question)),
  };
}

/** Hides keys from the programs that a command starts. */
export function hideKeys(terminal: Pick<Terminal, "hideVariables">): void {
  terminal.hideVariables?.(keyVariables);
}

/**
 * A report as one line of JSON, with its line break: texts for people are masked like in {@link
 * maskedTerminal}, code is printed as it is.
 */
export function jsonLine(report: unknown, { environment }: Pick<Terminal, "environment">): string {
  const mask = maskOf(configuredSecrets({ environment }));
  // Converted to JSON values first, so that `toJSON` of objects applies before masking.
  return `${JSON.stringify(maskProse(JSON.parse(JSON.stringify(report)), mask, false))}\n`;
}

/** The fields of reports with texts for people. */
const proseFields = /^(message|reasons?|detail|notes?|issues|problems|why|said|end|hint|error|models?|skipped|trace)$/;

function maskProse(value: unknown, mask: SecretMask, isProse: boolean): unknown {
  if (typeof value === "string") return isProse ? mask(value) : value;
  if (Array.isArray(value)) return value.map((item) => maskProse(item, mask, isProse));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, maskProse(item, mask, proseFields.test(name))]),
  );
}
