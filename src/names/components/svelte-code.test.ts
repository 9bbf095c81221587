// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of other languages.
import { describe, expect, test } from "vitest";
import { markedUses, withoutMarks } from "./fixtures/component-uses.ts";

/** The names that the script declares: a template that declares one of them hides it. */
const names = ["Box", "ui", "a", "b", "count", "el", "f", "g", "id", "item", "items", "row", "save"];
const script = `<script lang="ts">\n  import { ${names.join(", ")} } from "./all";\n</script>\n\n`;

/** Templates with `⟨…⟩` around the names that refer to the script. */
const templates: readonly (readonly [name: string, template: string])[] = [
  ["expressions", "<p title={⟨a⟩} class=\"b {⟨b⟩} {⟨f⟩(⟨g⟩)}\">a {⟨a⟩} {'}' + ⟨b⟩}</p>{⟨count⟩}"],
  ["the short form of an attribute", "<p {⟨id⟩} {...⟨item⟩} alt='a' {title} />"],
  ["a list", "{#each ⟨items⟩ as item}<li>{item.id} {⟨id⟩}</li>{:else}{⟨item⟩}{/each}{⟨item⟩}"],
  [
    "a list with a pattern, an index and a key",
    "{#each ⟨items⟩ as { id, f = ⟨g⟩(1) }, a (id + a + ⟨b⟩)}{id + a + ⟨b⟩}{/each}{⟨a⟩}",
  ],
  ["a list without names", "{#each { length: ⟨count⟩ }, a}{a + ⟨b⟩}{/each}"],
  ["a list in a list", "{#each ⟨items⟩ as [a, ...b]}{#each a as item}{item + a + b}{/each}{⟨item⟩}{/each}"],
  ["conditions", "{#if ⟨a⟩ > 1}{⟨b⟩}{:else if ⟨b⟩}{⟨id⟩}{:else}{⟨count⟩}{/if}"],
  ["a promise", "{#await ⟨f⟩(⟨id⟩)}{⟨a⟩}{:then a}{a}{:catch { b }}{b + ⟨a⟩}{/await}{#await ⟨g⟩ then id}{id}{/await}"],
  ["a key", "{#key ⟨id⟩}<p>{⟨id⟩}</p>{/key}"],
  ["a constant", "{#if ⟨a⟩}{@const b = ⟨count⟩ + 1}<p>{b}</p>{/if}{⟨b⟩}"],
  [
    "a snippet",
    "{#snippet part(a, { b = ⟨id⟩ })}{a + b + ⟨count⟩}{/snippet}{@render part(⟨a⟩, ⟨item⟩)}{@render ⟨row⟩?.(⟨b⟩)}",
  ],
  ["a snippet in a component", "<⟨Box⟩>{#snippet row(id)}{id}{@render row(1)}{/snippet}</⟨Box⟩>{@render ⟨row⟩(2)}"],
  ["components", "<⟨Box⟩ a={⟨a⟩}><⟨ui⟩.Button /></⟨Box⟩><box>{⟨b⟩}</box><svelte:component this={⟨Box⟩} />"],
  ["a component of a list", "{#each ⟨items⟩ as Box}<Box />{/each}<⟨Box⟩ />"],
  [
    "bindings",
    "<input bind:value={⟨a⟩} bind:this={⟨ui⟩.el} bind:⟨count⟩ bind:checked={() => ⟨b⟩, (id) => ⟨save⟩(id)} />",
  ],
  [
    "handlers",
    "<p on:click={⟨save⟩} on:blur|once={(a) => ⟨f⟩(a, ⟨b⟩)} onclick={() => { const id = ⟨a⟩; ⟨g⟩(id); }} on:focus />",
  ],
  [
    "classes and styles",
    '<p class:⟨a⟩ class:b={⟨b⟩} style:⟨count⟩ style:color={⟨id⟩} style:width="{⟨f⟩}px" class:active={a => a}></p>',
  ],
  [
    "actions, transitions and attachments",
    "<p use:⟨f⟩ use:⟨ui⟩.a={⟨a⟩} in:⟨g⟩={{ a: ⟨id⟩ }} out:⟨ui⟩.b transition:other|local {@attach ⟨save⟩(⟨el⟩)}></p>",
  ],
  [
    "what a component gives to its slot",
    '<⟨Box⟩ let:item let:id={{ a }} x={⟨item⟩}>{item + a + ⟨id⟩}<p slot="b" let:b={count}>{count + ⟨item⟩}</p></⟨Box⟩>',
  ],
  [
    "HTML and debugging",
    "{@html ⟨a⟩}{@debug ⟨b⟩, ⟨id⟩}<svelte:element this={⟨el⟩} /><svelte:window on:keydown={⟨f⟩} bind:innerWidth={⟨count⟩} />",
  ],
  [
    "types",
    "{(⟨a⟩ as Item).id}{#each ⟨items⟩ as item (item!.id)}{item satisfies Item}{/each}{#snippet part(a: Item)}{a}{/snippet}",
  ],
  ["comments and text like code", '<!-- {a} <Box /> --><p title="$a">a $b {/* id */ ⟨count⟩}</p>'],
];

/** Components as a whole. */
const components: readonly (readonly [name: string, marked: string])[] = [
  [
    "a script of the module",
    '<script context="module">\n  export const a = 1;\n</script>\n<script>\n  let b = a;\n</script>\n{⟨a⟩ + ⟨b⟩}',
  ],
  [
    "runes, and scripts after the template",
    "<p>{⟨a⟩} {⟨b⟩}</p>\n<script>\n  let { a } = $props();\n  let b = $state(1);\n</script>\n<script module>\n  const c = 1;\n</script>",
  ],
  [
    "stores",
    '<script>\n  import { state, count } from "./stores";\n  $count = 1;\n</script>\n{$⟨count⟩ + $state + $other}<p bind:x={$⟨count⟩} />',
  ],
  ["scripts and styles with errors", "<script>\n  let a = 1;\n</script>\n{⟨a⟩}\n<style>\n  p { color: ; b {\n</style>"],
  [
    "what looks like a script",
    "<!--\n<script>\n  let b = 1;\n</script>\n-->\n<script>\n  let a = 1;\n</script>\n{⟨a⟩ + b}",
  ],
];

/** Components that are being typed: what can be read is read. */
const broken: readonly (readonly [name: string, template: string])[] = [
  ["elements and blocks without their ends", "<div><p {⟨id⟩}>{⟨a⟩}{#if ⟨b⟩}<i>{⟨count⟩}"],
  ["a handler without its end", "<p on:click={() => f(}>{⟨b⟩}</p>{⟨a⟩}"],
  ["a list without its values", "{#each }{⟨a⟩}{/each}{⟨b⟩}"],
  ["an expression without its end", "<p>{a.</p>{b}"],
  ["two expressions in one", "<p>{a b}</p>{b}"],
];

describe("the uses in a Svelte template", () => {
  test.each(templates)("%s", (_, template) => {
    expect(markedUses("svelte", withoutMarks(script + template))).toBe(script + template);
  });
  test.each(components)("%s", (_, marked) => expect(markedUses("svelte", withoutMarks(marked))).toBe(marked));
  test.each(broken)("that is being typed: %s", (_, template) => {
    expect(markedUses("svelte", withoutMarks(script + template))).toBe(script + template);
  });
});
