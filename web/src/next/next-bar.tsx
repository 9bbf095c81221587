import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { NextEditPlace } from "../../../src/server/suggestions/next-edit-methods.ts";
import { errorMessage } from "../../../src/text/index.ts";
import { codeIn } from "../look/code-in.tsx";
import { Icon } from "../look/icons.tsx";
import type { Page } from "../start-page.ts";
import { countOf, isInActive } from "./next-edit-keys.ts";
import "./next-bar.css";

/** A bar below the editor with the location and reason of the next edit, and its related edits. */
export function NextBar({ page }: { readonly page: Page }): JSX.Element | null {
  const { nextEdits, editor, services } = page;
  const isListed = useSignal(false);
  const offered = nextEdits.offered.value;
  const actions = editor.nextEdits;
  if (offered === undefined || actions === undefined) return null;
  const { item } = offered;
  const showError = (error: unknown) => services.showMessage(errorMessage(error), "error");
  const count = countOf(offered);
  // The key of the button is what the editor does with Tab at the moment.
  const isHere = isInActive(page.documents, item) && item.edits.length > 0;
  const tab = actions.tab.value;
  const isAtCursor = isHere && tab === "accept";
  const places: readonly NextEditPlace[] = [item, ...item.others];
  return (
    <section class="next-bar" aria-label="Next edit" data-region>
      {isListed.value && places.length > 1 && (
        <ul class="next-places scroll" aria-label="Locations">
          {places.map((place, index) => (
            <li key={`${place.textDocument.uri}:${place.range.start.line}:${place.range.start.character}`}>
              <button
                type="button"
                class="next-place"
                onClick={() => actions.visit(place.textDocument.uri, place.range).catch(showError)}
              >
                <span class="code one-line">{nameOf(page, place)}</span>
                <span class="dim one-line">{codeIn(place.reason)}</span>
                {index > 0 && !item.others[index - 1]!.isSameChain && <span class="badge">separate edit</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="next-line">
        <Icon name="arrow" />
        <span class="next-text one-line" role="status">
          <strong>Next:</strong> <span class="code">{nameOf(page, item)}</span>{" "}
          <span class="dim">
            {"— "}
            {item.edits.length === 0 ? "to review: " : ""}
            {codeIn(item.reason)}
          </span>
        </span>
        {places.length > 1 && (
          <button
            type="button"
            class="button quiet"
            aria-expanded={isListed.value}
            aria-label={placesText(places.length - 1)}
            onClick={() => {
              isListed.value = !isListed.value;
            }}
          >
            <Icon name="list" /> {places.length - 1} more
          </button>
        )}
        {count > 1 && (
          <button type="button" class="button" onClick={() => actions.takeAll().catch(showError)}>
            <Icon name="check" /> Accept all {count}
          </button>
        )}
        <button
          type="button"
          class="button primary"
          data-region-focus
          onClick={() => (isAtCursor ? actions.take() : void actions.go().catch(showError))}
        >
          {isAtCursor ? "Accept" : "Go"} <kbd class="key">{tab === "go" || isAtCursor ? "Tab" : "Alt N"}</kbd>
        </button>
        <button
          type="button"
          class="button quiet icon-only"
          aria-label="Dismiss"
          data-command="Emend: Dismiss the Next Edit"
          title="Dismiss (Esc)"
          onClick={() => actions.reject()}
        >
          <Icon name="close" />
        </button>
      </div>
    </section>
  );
}

function nameOf({ files, documents }: Page, { textDocument: { uri }, range }: NextEditPlace): string {
  const path = files.tryPathOf(uri) ?? uri;
  const line = range.start.line + 1;
  return documents.active.value?.path === path ? `line ${line}` : `${path}:${line}`;
}

function placesText(count: number): string {
  return count === 1 ? "1 more location" : `${count} more locations`;
}
