export type { CodePiece, ComponentCode, ComponentCodeOptions } from "./components/component-code.ts";
export { ComponentParsers } from "./components/component-parsers.ts";
export { type FactReader, factReaders } from "./fact-readers.ts";
export { type DiskFiles, InstalledTypes } from "./modules/installed-types.ts";
export { type ModuleFiles, ModuleResolver } from "./modules/module-resolver.ts";
export { type FilesByEnding, nearestFiles, pythonModuleFiles } from "./modules/python-modules.ts";
export {
  configuresScripts,
  isScript,
  mayDeclareForAll,
  type ScriptProject,
  type ScriptProjectParts,
  scriptProject,
} from "./modules/script-project.ts";
export { moduleNamesIn, modulePath } from "./modules/specifier.ts";
export {
  type Arity,
  type Declared,
  type DictionaryCall,
  FactScope,
  FactsDraft,
  fits,
  type Hint,
  type Imported,
  type Mention,
  type NameFacts,
  type NamePlace,
  type Passed,
  unknown,
} from "./name-facts.ts";
export { fitting, type NamedClass, type NamedPlace, NameIndex, type NameValue } from "./name-index.ts";
export {
  type MemberOwner,
  type ModuleName,
  type NameBinding,
  type NameOwner,
  type NameRole,
  type NameScope,
  NameTable,
  type NameTableParts,
  type NameUse,
  ownerName,
  type SharedForm,
  type TemplateForm,
} from "./name-table.ts";
export { type NameQuestion, NameTables, type NameTablesParts, readNames } from "./name-tables.ts";
export { ScriptModules, type ScriptModulesParts } from "./script-modules.ts";
export { scriptNames } from "./script-names.ts";
export {
  childrenOf,
  nodesAround,
  type ScriptNode,
  type ScriptTree,
  type ScriptTreeParser,
  tryScriptTree,
} from "./script-node.ts";
