import type { ConfigInput } from "./schema/settings.ts";

/**
 * The same settings, for the compiler and the editor to check:
 * `export default defineConfig({ … })`.
 */
// In a file of its own, because an import of the settings loads the library of the schema.
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}
