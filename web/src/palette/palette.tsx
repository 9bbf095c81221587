import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { errorMessage } from "../../../src/text/index.ts";
import { fuzzyMatches } from "../files/fuzzy.ts";
import { PathText } from "../look/path-text.tsx";
import type { Page } from "../start-page.ts";
import { allCommands } from "./commands.ts";
import { paletteText } from "./palette-state.ts";
import "./palette.css";

/** The most entries that are shown. */
const maxEntries = 50;

/** A file or a command. */
interface Entry {
  readonly label: string;
  readonly isPath: boolean;
  readonly keys?: string | undefined;
  run(): void;
}

/**
 * Opens files by parts of their paths, and runs commands after `>`. Arrow keys select, Enter opens
 * or runs, Escape closes.
 */
export function Palette({ page }: { readonly page: Page }): JSX.Element | null {
  return paletteText.value === undefined ? null : <OpenPalette page={page} text={paletteText.value} />;
}

function OpenPalette({ page, text }: { readonly page: Page; readonly text: string }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const files = useFiles(page);
  // The commands of the moment before the palette has the focus.
  const [commands] = useState(() =>
    allCommands(page).map(
      ({ label, keys, editorKeys, run }): Entry => ({ label, run, keys: keys ?? editorKeys, isPath: false }),
    ),
  );
  const isCommand = text.startsWith(">");
  const [query, all] = isCommand ? [text.slice(1), commands] : [text, files.entries];
  const entries = fuzzyMatches(query, all, ({ label }) => label).slice(0, maxEntries);
  // Before the next key, which is for the field.
  useLayoutEffect(() => {
    dialog.current!.showModal();
  }, []);
  useEffect(() => list.current?.querySelector("[aria-selected='true']")?.scrollIntoView({ block: "nearest" }), [at]);
  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    // The dialog returns the focus when it closes, which the command may move.
    dialog.current!.close();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = entries.length - 1;
    if (event.key === "ArrowDown") setAt(at >= last ? 0 : at + 1);
    else if (event.key === "ArrowUp") setAt(at <= 0 ? Math.max(0, last) : at - 1);
    else if (event.key === "Enter") run(entries[at]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={isCommand ? "Commands" : "Go to file"}
      onClose={() => {
        paletteText.value = undefined;
      }}
      onKeyDown={(event) => event.stopPropagation()}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) currentTarget.close();
      }}
    >
      <div class="palette-body">
        <input
          class="field"
          role="combobox"
          aria-label={isCommand ? "Name of a command" : "Path of a file, or > and a command"}
          aria-expanded={entries.length > 0}
          aria-controls="palette-list"
          aria-activedescendant={entries[at] && `palette-${at}`}
          aria-autocomplete="list"
          autocomplete="off"
          spellcheck={false}
          placeholder="Path of a file, or > and a command"
          value={text}
          onInput={({ currentTarget }) => {
            paletteText.value = currentTarget.value;
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <div
          class="palette-list scroll"
          id="palette-list"
          role="listbox"
          aria-label="Matches"
          ref={list}
          hidden={entries.length === 0}
        >
          {entries.map((entry, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: The field handles the keys, as in the combobox of the ARIA practices.
            <div
              key={entry.label}
              id={`palette-${index}`}
              role="option"
              aria-label={[entry.label, entry.keys].filter(Boolean).join(" ")}
              tabIndex={-1}
              aria-selected={index === at}
              onClick={() => run(entry)}
            >
              {entry.isPath ? <PathText path={entry.label} /> : <span class="one-line">{entry.label}</span>}
              {entry.keys !== undefined && <kbd class="key">{entry.keys}</kbd>}
            </div>
          ))}
        </div>
        {entries.length === 0 && (
          <p class="dim palette-empty" role="status">
            {(isCommand ? undefined : files.problem) ?? "No match."}
          </p>
        )}
      </div>
    </dialog>
  );
}

/**
 * The files of the workspace as entries, the open ones first; `problem` is why there are none yet.
 */
function useFiles(page: Page): { readonly entries: readonly Entry[]; readonly problem?: string } {
  const [paths, setPaths] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string | undefined>("Reading the workspace…");
  useEffect(() => {
    page.files.paths().then(
      (found) => {
        setPaths(found);
        setProblem(undefined);
      },
      (error: unknown) => setProblem(errorMessage(error)),
    );
  }, [page]);
  const open = page.documents.all.value.map(({ path }) => path);
  const showError = (error: unknown) => page.services.showMessage(errorMessage(error), "error");
  // The tree also shows files that get no suggestions, such as `.env`.
  const visible = page.tree.rows.value.flatMap(({ entry: { path, kind } }) => (kind === "file" ? path : []));
  const entries = [...new Set([...open, ...paths, ...visible])].map((path) => ({
    ...{ label: path, isPath: true },
    run: () => void page.documents.open(page.files.uriOf(path)).catch(showError),
  }));
  return { entries, ...(problem !== undefined && { problem }) };
}
