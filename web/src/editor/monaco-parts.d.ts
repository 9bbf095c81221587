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
    readonly service: {
      lookupKeybinding(action: string): { getLabel(): string | null } | undefined;
      /** The command that a key would run in an element; runs nothing. */
      softDispatch(key: object, target: HTMLElement): { readonly commandId?: string | null };
    };
  };
}

declare module "monaco-editor/platform/contextkey/common/contextkey.js" {
  /** The identifier of the service with the conditions of keys. */
  export const IContextKeyService: {
    readonly service: {
      getContextKeyValue(key: string): unknown;
      onDidChangeContext(handle: () => void): { dispose(): void };
    };
  };
}

declare module "monaco-editor/editor/contrib/inlineCompletions/browser/controller/inlineCompletionsController.js" {
  /** The part of an editor that requests and shows suggestions. */
  export const InlineCompletionsController: {
    get(editor: object): { readonly model: { get(): { stop(): void } | undefined } } | null;
  };
}

declare module "monaco-editor/editor/standalone/browser/standaloneServices.js" {
  /** The services that all editors of a page share. */
  export const StandaloneServices: { get<Service>(name: { readonly service: Service }): Service };
}
