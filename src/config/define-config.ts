import type { ConfigInput } from "./schema/settings.ts";

/**
 * The same settings, for the compiler and the editor to check:
 * `export default defineConfig({ … })`.
 */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}
