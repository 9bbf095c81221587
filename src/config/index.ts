export { secretsOfConfig } from "./config-secrets.ts";
export { defineConfig } from "./define-config.ts";
export {
  editSettingsText,
  lineOfSetting,
  type SettingEdit,
  type SettingsTextAnswer,
  settingInText,
} from "./edit-settings-text.ts";
export {
  ghostTextSettingsOf,
  type ModelPrice,
  nextEditSettingsOf,
  promptBudgetOf,
  promptSettingsOf,
  tryModelPrice,
  tryModelSettings,
} from "./engine-settings.ts";
export { type ConfigIssue, isPlainObject, type Origin, printKey, printOrigin } from "./entries.ts";
export type { Environment } from "./environment.ts";
export { configFileNames, holdsSettings, userConfigFolder } from "./find-config.ts";
export {
  isTrustedWorkspace,
  type LoadConfigOptions,
  type LoadedConfig,
  loadConfig,
  trustCommand,
} from "./load-config.ts";
export type { FlagSetting } from "./schema/merge-settings.ts";
export { tryNearestName } from "./schema/nearest-name.ts";
export type { Config, ConfigInput, DeepPartial } from "./schema/settings.ts";
