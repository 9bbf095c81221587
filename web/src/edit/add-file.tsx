import type { JSX } from "preact";
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { PathText } from "../look/path-text.tsx";
import type { WorkspaceFiles } from "../page-services.ts";
import { type PathChoice, type PathChoices, PathFinder } from "./path-choice.ts";

/**
 * A combobox for the path of a workspace file. Arrow keys select, Enter adds a file or opens a
 * folder.
 */
export function AddFile({
  files,
  onAdd,
  onLeave,
}: {
  readonly files: Pick<WorkspaceFiles, "list" | "paths">;
  readonly onAdd: (path: string) => void;
  readonly onLeave: () => void;
}): JSX.Element {
  const [typed, setTyped] = useState("");
  const [{ entries, problem, of }, setFound] = useState<PathChoices & { readonly of?: string }>({ entries: [] });
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const finder = useMemo(() => new PathFinder(files), [files]);
  useLayoutEffect(() => field.current?.focus(), []);
  useEffect(() => {
    let isOld = false;
    finder.choicesFor(typed).then(
      (found) => {
        if (isOld) return;
        setFound({ ...found, of: typed });
        setAt(0);
      },
      (error: Error) => {
        if (isOld) return;
        setFound({ entries: [], problem: error.message, of: typed });
      },
    );
    return () => {
      isOld = true;
    };
  }, [typed, finder]);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: "nearest" }), [at]);
  const take = (entry: PathChoice | undefined) => {
    if (entry?.kind === "folder") setTyped(`${entry.path}/`);
    else if (entry !== undefined) onAdd(entry.path);
    field.current?.focus();
  };
  const takeChosen = () => {
    if (of === typed) return take(entries[at]);
    // The visible entries are those of an earlier text.
    void finder.choicesFor(typed).then(
      (found) => take(found.entries[0]),
      () => undefined,
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt(Math.min(at + 1, entries.length - 1));
    else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
    else if (event.key === "Enter" && !event.ctrlKey) takeChosen();
    else if (event.key === "Escape") onLeave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class="add-file"
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) onLeave();
      }}
    >
      <input
        ref={field}
        class="field code"
        role="combobox"
        aria-label="Path of the file to add"
        aria-expanded={entries.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={entries[at] && `${id}-${at}`}
        aria-autocomplete="list"
        autocomplete="off"
        spellcheck={false}
        placeholder="src/price.ts"
        aria-describedby={`${id}-hint`}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {/* Always rendered, because screen readers announce changes of existing live regions only. */}
      <p id={`${id}-hint`} class={`add-file-hint small ${problem === undefined ? "dim" : "bad"}`} role="status">
        {problem ?? "A file of this folder, or a new one. Enter adds it, Esc leaves."}
      </p>
      <div
        id={`${id}-list`}
        class="add-file-list scroll code"
        role="listbox"
        aria-label="Files"
        ref={list}
        hidden={entries.length === 0}
      >
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: The field above handles the keys, as in the combobox of the ARIA practices.
          <div
            key={entry.path}
            id={`${id}-${index}`}
            role="option"
            aria-label={entry.isElsewhere ? entry.path : undefined}
            tabIndex={-1}
            aria-selected={index === at}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(entry)}
          >
            {entry.isElsewhere ? <PathText path={entry.path} /> : entry.name}
            {entry.kind === "folder" && "/"}
            {entry.isNew && <span class="dim"> (new file{entry.newFolder && `, new folder ${entry.newFolder}`})</span>}
          </div>
        ))}
      </div>
    </div>
  );
}
