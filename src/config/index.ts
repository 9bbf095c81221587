export type { ConfigIssue } from "./config-issue.ts";
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
  promptSettingsOf,
  tryModelPrice,
  tryModelSettings,
} from "./engine-settings.ts";
export { isPlainObject, type Origin, printKey, printOrigin } from "./entries.ts";
export type { Environment } from "./environment.ts";
export { configFileNames, holdsSettings, userConfigFolder } from "./find-config.ts";
export { isTrustedWorkspace, type LoadConfigOptions, type LoadedConfig, loadConfig } from "./load-config.ts";
export { promptBudgetOf } from "./prompt-budget.ts";
export type { FlagSetting } from "./schema/merge-settings.ts";
export type { Config, ConfigInput, DeepPartial } from "./schema/settings.ts";
