import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Icon } from "../look/icons.tsx";
import { PathText } from "../look/path-text.tsx";
import type { WorkspaceFiles } from "../page-services.ts";
import { AddFile } from "./add-file.tsx";
import { type EditScope, linesOf, printLines } from "./edit-scope.ts";

/**
 * The files that an edit may change: the active file with its selected lines, and files that the
 * user adds.
 */
export function EditScopeField({
  scope,
  files,
}: {
  readonly scope: Signal<EditScope>;
  readonly files: WorkspaceFiles;
}): JSX.Element {
  const isAdding = useSignal(false);
  const { active, isActiveExcluded, usesSelection, added } = scope.value;
  const change = (part: Partial<EditScope>) => {
    scope.value = { ...scope.value, ...part };
  };
  const lines = active && linesOf(active.range);
  const nameOf = (uri: string) => files.tryPathOf(uri) ?? uri;
  return (
    <fieldset class="edit-scope">
      <legend class="dim small">Files to edit</legend>
      <ul class="edit-files">
        {active !== undefined && (
          <li class={`edit-file${isActiveExcluded ? " left-out" : ""}`}>
            <label>
              <input
                type="checkbox"
                checked={!isActiveExcluded}
                onChange={({ currentTarget }) => change({ isActiveExcluded: !currentTarget.checked })}
              />
              <PathText path={nameOf(active.uri)} />
            </label>
            {lines !== undefined && !isActiveExcluded && (
              <label class="edit-lines">
                <input
                  type="checkbox"
                  checked={usesSelection}
                  onChange={({ currentTarget }) => change({ usesSelection: currentTarget.checked })}
                />
                selection: {printLines(lines)}
              </label>
            )}
          </li>
        )}
        {added
          .filter((uri) => isActiveExcluded || uri !== active?.uri)
          .map((uri) => (
            <li key={uri} class="edit-file">
              <PathText path={nameOf(uri)} />
              <button
                type="button"
                class="button quiet icon-only"
                aria-label={`Remove ${nameOf(uri)}`}
                onClick={() => change({ added: added.filter((one) => one !== uri) })}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
      </ul>
      {isAdding.value ? (
        <AddFile
          files={files}
          onAdd={(path) => change({ added: [...new Set([...scope.value.added, files.uriOf(path)])] })}
          onLeave={() => {
            isAdding.value = false;
          }}
        />
      ) : (
        <button
          type="button"
          class="button quiet edit-add"
          data-command="Edit: Add File"
          onClick={() => {
            isAdding.value = true;
          }}
        >
          + Add file
        </button>
      )}
    </fieldset>
  );
}
