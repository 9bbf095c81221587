export { type BinderSupport, binders, nameResolution } from "./binder-support.ts";
export { csharpNames } from "./csharp-names.ts";
export { type DiskFiles, InstalledTypes } from "./modules/installed-types.ts";
export { type ModuleFiles, ModuleResolver } from "./modules/module-resolver.ts";
export { isScript, type ScriptProject, type ScriptProjectParts, scriptProject } from "./modules/script-project.ts";
export { isRelative, modulePath, resolvedPath } from "./modules/specifier.ts";
export {
  type Arity,
  type Declared,
  type DictionaryCall,
  FactsDraft,
  fits,
  type Hint,
  type Imported,
  type Mention,
  type NameFacts,
  type NamePlace,
  NameScope,
  type Passed,
  plain,
  unknown,
} from "./name-facts.ts";
export { fitting, type NamedClass, type NamedPlace, NameIndex, type NameValue } from "./name-index.ts";
export { pythonNames } from "./python-names.ts";
