import type { JSX } from "preact";
import { Icon } from "../look/icons.tsx";
import { type Scheme, scheme } from "../look/scheme.ts";
import type { Page } from "../start-page.ts";
import { isHintShown } from "./key-hint.tsx";
import "./top-bar.css";

const schemes: readonly Scheme[] = ["system", "light", "dark"];

/** The name of the workspace, and what is about the page as a whole. */
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
        aria-pressed={isHintShown.value}
        onClick={() => {
          isHintShown.value = !isHintShown.value;
        }}
      >
        <Icon name="keyboard" /> Keys
      </button>
      <button
        type="button"
        class="button quiet icon-only"
        aria-label={`Colours: ${scheme.value}. Change to ${next}`}
        title={`Colours: ${scheme.value}`}
        onClick={() => {
          scheme.value = next;
        }}
      >
        <Icon name={scheme.value} />
      </button>
    </header>
  );
}
