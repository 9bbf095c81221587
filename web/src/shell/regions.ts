/**
 * Moves the focus to the next or previous visible region of the page, because the editor uses Tab
 * itself.
 */
export function goToRegion(by: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>("[data-region]")].filter((one) => one.checkVisibility());
  // A region may contain another one, such as the editor the bar of the next edit.
  const at = regions.findLastIndex((region) => region.contains(document.activeElement));
  // From the page itself, to the first region or the last.
  const next = regions[(Math.max(at, by === 1 ? -1 : 0) + by + regions.length) % regions.length];
  const found = entries.flatMap((selector) => [...(next?.querySelectorAll<HTMLElement>(selector) ?? [])]);
  found.find((one) => one.checkVisibility())?.focus();
}

/**
 * The element of a region that takes the focus is the first visible match of the first selector.
 */
const entries = [
  "[data-region-focus]",
  ".editor :is(.native-edit-context, textarea.inputarea)",
  ".main-view [tabindex='0']",
  "[tabindex='0']",
];
