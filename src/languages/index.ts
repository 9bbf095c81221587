export type { BinderSupport } from "./binder-support.ts";
export type { BlockRow, BlockTable, BlockWhat, CallTable, NodePath } from "./block-table.ts";
export type { DeclarationShape, DeclarationStyle } from "./declaration-style.ts";
export type { JumpRule } from "./jump-rule.ts";
export type { FillGrammar, GrammarName, Language, Pair, Quirks, ScriptKind, StringRule } from "./language.ts";
export type { LanguageTraits, ListRules } from "./language-traits.ts";
export { hasScripts, languageById, languageOf, languages, plaintext, scriptKindOf } from "./languages.ts";
export type { TreeNameRow, TreeNameRules } from "./tree-name-rules.ts";
