import type { ReadonlySignal } from "@preact/signals";
import type { WorkspaceEdit } from "vscode-languageserver-protocol";
import { Documents } from "./editor/documents.ts";
import { EditorView } from "./editor/editor-view.ts";
import type { HttpFiles } from "./files/http-files.ts";
import { LanguageClient, type LinkState } from "./link/language-client.ts";
import { Progress } from "./link/progress.ts";
import type { OpenWire } from "./link/wire.ts";
import type { PageServices } from "./page-services.ts";
import { MainViews } from "./shell/main-views.ts";
import { tell } from "./shell/messages.tsx";

/** The page as values: what its parts show and say. */
export interface Page {
  readonly services: PageServices;
  readonly files: HttpFiles;
  readonly documents: Documents;
  readonly editor: EditorView;
  readonly views: MainViews;
  readonly link: ReadonlySignal<LinkState>;
  /** What the server is busy with. */
  readonly progress: Progress;
}

/** Puts the page together; `openWire` leads to a language server of its own. */
export function startPage(files: HttpFiles, openWire: OpenWire): Page {
  const progress = new Progress();
  const editor = new EditorView();
  const views = new MainViews();
  const server = new LanguageClient({
    ...{ open: openWire, rootUri: files.rootUri, name: files.facts.name, version: files.facts.version },
    handlers: {
      "workspace/applyEdit": ({ edit }: { readonly edit: WorkspaceEdit }) => documents.apply(edit),
      // The page has no settings of its own: those of the files and of the command line hold.
      "workspace/configuration": ({ items }: { readonly items: readonly unknown[] }) => items.map(() => null),
      "window/workDoneProgress/create": () => null,
      "client/registerCapability": () => null,
      "client/unregisterCapability": () => null,
    },
    onReady: () => documents.announce(),
  });
  const documents: Documents = new Documents(files, server, {
    ...{ ...editor.views, tell },
    reveal: (document, range) => {
      views.bringEditorsToFront();
      editor.views.reveal(document, range);
    },
  });
  progress.follow(server);
  server.on<{ readonly type: number; readonly message: string }>("window/showMessage", ({ type, message }) =>
    tell(message, type === 1 ? "error" : "info"),
  );
  files.follow((paths) => void documents.changedOnDisk(paths));
  return {
    services: { server, files, texts: documents, main: views, tell },
    views,
    files,
    documents,
    editor,
    link: server.state,
    progress,
  };
}
