import type { JSX } from "preact";
import { Icon, type IconName } from "../look/icons.tsx";
import { type Scheme, scheme } from "../look/scheme.ts";
import type { Page } from "../start-page.ts";
import { areKeysVisible, toggleKeys } from "./key-hint.tsx";
import { isNarrow, type Sheet, shownSheet } from "./sheets.ts";
import "./top-bar.css";

const schemes: readonly Scheme[] = ["system", "light", "dark"];

/** The name of the workspace, and the settings of the whole page. */
export function TopBar({ page }: { readonly page: Page }): JSX.Element {
  const next = schemes[(schemes.indexOf(scheme.value) + 1) % schemes.length]!;
  return (
    <header class="top-bar" data-region>
      <img src="./icon.svg" alt="" width="20" height="20" />
      <h1>Emend</h1>
      <span class="dim one-line" title={page.files.facts.root}>
        {page.files.facts.name}
      </span>
      <span class="top-space" />
      {isNarrow.value && (
        <>
          <SheetButton sheet="files" icon="folder" label="Files" />
          <SheetButton sheet="panels" icon="panels" label="Panels" />
        </>
      )}
      <button
        type="button"
        class="button quiet"
        data-region-focus
        aria-pressed={areKeysVisible.value}
        onClick={toggleKeys}
      >
        <Icon name="keyboard" /> Keys
      </button>
      <button
        type="button"
        class="button quiet icon-only"
        aria-label={`Color theme: ${scheme.value}. Switch to ${next}`}
        title={`Color theme: ${scheme.value}`}
        onClick={() => {
          scheme.value = next;
        }}
      >
        <Icon name={scheme.value} />
      </button>
    </header>
  );
}

interface SheetButtonParts {
  readonly sheet: Sheet;
  readonly icon: IconName;
  readonly label: string;
}

/** Opens and closes a sheet. */
function SheetButton({ sheet, icon, label }: SheetButtonParts): JSX.Element {
  const isOpen = shownSheet.value === sheet;
  return (
    <button
      type="button"
      class="button quiet"
      aria-expanded={isOpen}
      aria-controls={sheet}
      onClick={() => {
        shownSheet.value = isOpen ? undefined : sheet;
      }}
    >
      <Icon name={icon} /> {label}
    </button>
  );
}
