import type { ConfigInput } from "./schema/settings.ts";

/**
 * The same settings, for the compiler and the editor to check:
 * `export default defineConfig({ … })`.
 */
// Not beside the settings: whoever imports that file loads the schema's library.
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}
