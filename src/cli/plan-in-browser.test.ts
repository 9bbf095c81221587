import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { manyStepsView } from "../plan/fixtures/many-steps-view.ts";
import { toPlanHtml } from "../plan/index.ts";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { browser, hasBrowser, inBrowser } from "./fixtures/browser.ts";

/**
 * A page with a plan of thirty steps, one of them called like a tag; it is in a frame of 1280 by
 * 720.
 */
const opening = `
  const frame = document.createElement("iframe");
  frame.width = 1280;
  frame.height = 720;
  frame.src = "/plan.html";
  const load = () => new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  const first = load();
  document.body.append(frame);
  await first;
  let inside = frame.contentDocument;
  const all = (selector) => Array.from(inside.querySelectorAll(selector));
  const press = (key) => (inside.activeElement ?? inside.body).dispatchEvent(
    new frame.contentWindow.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const shown = () => all(".blocks > li").filter((item) => !item.hidden).map((item) => Number(item.dataset.id));
`;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "emend-plan-page-"));
  return () => removeFolder(folder);
});

/** Runs a module beside the page of a plan, which has `end` or is still running. */
function beside(code: string, end?: string): Promise<unknown> {
  const { end: _, ...view } = manyStepsView;
  writeFileSync(join(folder, "plan.html"), toPlanHtml(end === undefined ? view : { ...view, end }));
  return inBrowser(browser!, folder, `${opening}${code}`);
}

describe.runIf(hasBrowser())("in a browser", () => {
  test("a plan fits a small screen, and names like tags are escaped", async () => {
    const code = `
      const { scrollWidth, clientWidth } = inside.scrollingElement;
      const small = all("li, p, td").filter((one) => parseFloat(frame.contentWindow.getComputedStyle(one).fontSize) < 12);
      const named = all(".blocks b").filter((one) => one.textContent.includes("<script>")).length;
      answer([scrollWidth <= clientWidth, small.length, named, all("script").length, inside.title,
        all(".graph svg").every((svg) => svg.getBoundingClientRect().top < 720)]);
    `;
    expect(await beside(code, "It is done.")).toEqual([true, 0, 1, 1, "Plan p", true]);
  });

  test("steps are walked, chosen, opened and filtered by keyboard", async () => {
    const code = `
      const seen = [];
      press("j");
      press("ArrowDown");
      seen.push(inside.activeElement.dataset.id);
      press("Enter");
      seen.push(shown(), inside.activeElement.querySelector("details").open, all(".link.lit").length);
      press("Escape");
      await new Promise((resolve) => setTimeout(resolve, 20));
      seen.push(shown().length);
      press("/");
      seen.push(inside.activeElement.name);
      inside.activeElement.value = "f17";
      inside.forms[0].dispatchEvent(new Event("input"));
      seen.push(shown());
      answer(seen);
    `;
    expect(await beside(code, "It is done.")).toEqual(["2", [1, 2, 3, 4], true, 3, 30, "words", [17]]);
  });

  test("the page reloads while the plan runs, and keeps what was open", async () => {
    const code = `
      const again = load();
      all('input[name="done"]')[0].click();
      inside.querySelector(".node").dispatchEvent(new MouseEvent("click"));
      const before = shown();
      await again;
      inside = frame.contentDocument;
      answer([JSON.stringify(shown()) === JSON.stringify(before), before.length < 30, all(".chosen").length]);
    `;
    expect(await beside(code)).toEqual([true, true, 2]);
  });

  test("the page is dark when the system is", async () => {
    const code = `
      const paper = () => frame.contentWindow.getComputedStyle(inside.body).backgroundColor;
      const light = paper();
      const rules = Array.from(inside.styleSheets[0].cssRules).filter((rule) => rule.media?.mediaText.includes("dark"));
      inside.documentElement.style.cssText = rules[0].cssRules[0].style.cssText;
      answer([light, paper()]);
    `;
    expect(await beside(code, "It is done.")).toEqual(["rgb(255, 255, 255)", "rgb(22, 24, 27)"]);
  });
});
