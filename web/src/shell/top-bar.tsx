import type { JSX } from "preact";
import { Icon } from "../look/icons.tsx";
import { type Scheme, scheme } from "../look/scheme.ts";
import type { Page } from "../start-page.ts";
import { areKeysShown } from "./key-hint.tsx";
import "./top-bar.css";

const schemes: readonly Scheme[] = ["system", "light", "dark"];

/** The name of the workspace, and the settings of the whole page. */
export function TopBar({ page }: { readonly page: Page }): JSX.Element {
  const next = schemes[(schemes.indexOf(scheme.value) + 1) % schemes.length]!;
  return (
    <header class="top-bar">
      <img src="./icon.svg" alt="" width="20" height="20" />
      <strong>Emend</strong>
      <span class="dim" title={page.files.facts.root}>
        {page.files.facts.name}
      </span>
      <span class="top-space" />
      <button
        type="button"
        class="button quiet"
        aria-pressed={areKeysShown.value}
        onClick={() => {
          areKeysShown.value = !areKeysShown.value;
        }}
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
