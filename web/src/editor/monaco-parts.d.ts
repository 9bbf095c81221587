// Types of modules of the editor that have no declarations.

declare module "monaco-editor/platform/storage/common/storage.js" {
  /** The identifier of the storage service, which is in memory. */
  export const IStorageService: {
    readonly service: { store(key: string, value: string, scope: number, target: number): void };
  };
}

declare module "monaco-editor/platform/keybinding/common/keybinding.js" {
  /** The identifier of the service that knows the keys of actions. */
  export const IKeybindingService: {
    readonly service: { lookupKeybinding(action: string): { getLabel(): string | null } | undefined };
  };
}

declare module "monaco-editor/editor/standalone/browser/standaloneServices.js" {
  /** The services that all editors of a page share. */
  export const StandaloneServices: { get<Service>(name: { readonly service: Service }): Service };
}
