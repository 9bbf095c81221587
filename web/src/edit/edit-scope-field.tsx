import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Icon } from "../look/icons.tsx";
import type { WorkspaceFiles } from "../page-services.ts";
import { AddFile } from "./add-file.tsx";
import { type EditScope, linesOf, sayLines } from "./edit-scope.ts";

/**
 * Which files an edit may change: the one that is looked at, its selected lines, and others that
 * the person adds.
 */
export function EditScopeField({
  scope,
  files,
}: {
  readonly scope: Signal<EditScope>;
  readonly files: WorkspaceFiles;
}): JSX.Element {
  const isAdding = useSignal(false);
  const { looked, isLookedLeftOut, isAboutLines, added } = scope.value;
  const change = (part: Partial<EditScope>) => {
    scope.value = { ...scope.value, ...part };
  };
  const lines = looked && linesOf(looked.range);
  const nameOf = (uri: string) => files.tryPathOf(uri) ?? uri;
  return (
    <fieldset class="edit-scope">
      <legend class="dim small">May change</legend>
      <ul class="edit-files">
        {looked !== undefined && (
          <li class={`edit-file${isLookedLeftOut ? " left-out" : ""}`}>
            <label title={nameOf(looked.uri)}>
              <input
                type="checkbox"
                checked={!isLookedLeftOut}
                onChange={({ currentTarget }) => change({ isLookedLeftOut: !currentTarget.checked })}
              />
              <span class="edit-path">{nameOf(looked.uri)}</span>
            </label>
            {lines !== undefined && !isLookedLeftOut && (
              <label class="edit-lines">
                <input
                  type="checkbox"
                  checked={isAboutLines}
                  onChange={({ currentTarget }) => change({ isAboutLines: currentTarget.checked })}
                />
                about {sayLines(lines)}
              </label>
            )}
          </li>
        )}
        {added
          .filter((uri) => isLookedLeftOut || uri !== looked?.uri)
          .map((uri) => (
            <li key={uri} class="edit-file">
              <span class="edit-path" title={nameOf(uri)}>
                {nameOf(uri)}
              </span>
              <button
                type="button"
                class="button quiet icon-only"
                aria-label={`Leave out ${nameOf(uri)}`}
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
          onClick={() => {
            isAdding.value = true;
          }}
        >
          + Add a file
        </button>
      )}
    </fieldset>
  );
}
