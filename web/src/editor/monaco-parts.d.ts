// Parts of the editor that have no types of their own.

declare module "monaco-editor/platform/storage/common/storage.js" {
  /** Names the service that remembers things, until the page goes. */
  export const IStorageService: {
    readonly service: { store(key: string, value: string, scope: number, target: number): void };
  };
}

declare module "monaco-editor/editor/standalone/browser/standaloneServices.js" {
  /** What all editors of a page share. */
  export const StandaloneServices: { get<Service>(name: { readonly service: Service }): Service };
}
