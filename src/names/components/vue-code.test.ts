// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of other languages.
import { describe, expect, test } from "vitest";
import { markedUses, namesOf, withMarks, withoutMarks } from "./fixtures/component-uses.ts";
import { usesByCompiler } from "./fixtures/vue-scope.ts";

/** The names that the script declares: a template that declares one of them hides it. */
const names = [
  "Box",
  "MyWidget",
  "ui",
  "a",
  "b",
  "count",
  "el",
  "f",
  "g",
  "id",
  "item",
  "list",
  "save",
  "total",
  "vFocus",
];
const script = `<script setup lang="ts">\nimport { ${names.join(", ")} } from "./all";\n</script>\n`;

/** Templates with `⟨…⟩` around the names that refer to the script. */
const templates: readonly (readonly [name: string, template: string])[] = [
  ["an interpolation", "<p>total {{ ⟨total⟩ }} and {{⟨count⟩}}</p>"],
  ["interpolations at the root", "{{ ⟨a⟩ }} b {{ ⟨b⟩ + other }}"],
  ["a bound attribute beside a plain one", '<p :title="⟨total⟩" total="total" class="count"></p>'],
  ["a bound attribute in its long form", "<p v-bind:title.prop='⟨a⟩ ? \"b\" : ⟨b⟩'></p>"],
  ["the short form of the same name", "<p :⟨count⟩ :title><i v-bind:⟨total⟩ /></p>"],
  ["an object of attributes", '<p v-bind="{ title: ⟨total⟩, ⟨count⟩, id: 1 }"></p>'],
  ["a dynamic argument", '<p :[⟨a⟩]="⟨b⟩" @[⟨f⟩].once="⟨save⟩"></p>'],
  ["a dynamic argument that is computed", '<p :[`${⟨a⟩}x`]="1" :[⟨ui⟩.b]="2"></p>'],
  ["a component", '<Other><⟨Box⟩ a="b">{{ ⟨a⟩ }}</⟨Box⟩></Other>'],
  ["a component with hyphens", '<⟨my-widget⟩ :a="⟨a⟩"><⟨MyWidget⟩ /></⟨my-widget⟩>'],
  ["a component of a namespace", "<⟨ui⟩.Button><⟨ui⟩.a /></⟨ui⟩.Button>"],
  [
    "elements of HTML and built-in components",
    '<b><a>{{ ⟨a⟩ }}</a></b><Transition><slot name="b" :⟨item⟩ /></Transition>',
  ],
  ["a dynamic component", '<component :is="⟨Box⟩" /><component is="Box" />'],
  ["a list", '<li v-for="item in ⟨list⟩" :key="item.id">{{ item }} {{ ⟨id⟩ }}</li>{{ ⟨item⟩ }}'],
  ["a list with an index and a key", '<li v-for="(item, a, b) of ⟨list⟩">{{ item + a + b + ⟨count⟩ }}</li>'],
  ["a list with a pattern", '<li v-for="({ id, f = ⟨g⟩(1) }, i) in ⟨list⟩" @click="⟨save⟩(id)">{{ f }}</li>'],
  [
    "a list with a nested pattern",
    '<li v-for="{ a: [b, ...list], ...item } in ⟨f⟩(⟨list⟩)">{{ ⟨a⟩ + b + list + item }}</li>',
  ],
  ["a list in a list", '<p v-for="a in ⟨list⟩"><i v-for="b in a">{{ a + b }}</i>{{ a + ⟨b⟩ }}</p>'],
  ["a list of a number", '<p v-for="a in 10">{{ a }}</p><p v-for="b in ⟨count⟩">{{ b }}</p>'],
  ["a condition outside of the loop", '<p v-if="⟨item⟩" v-for="item in ⟨list⟩">{{ item }}</p>'],
  ["conditions", '<p v-if="⟨a⟩ > 1">{{ ⟨b⟩ }}</p><p v-else-if="!⟨b⟩" /><p v-else v-show="⟨a⟩" />'],
  ["a default slot", '<⟨Box⟩ v-slot="{ a, b: count }" :x="⟨a⟩">{{ a + ⟨b⟩ + count }}</⟨Box⟩>{{ ⟨count⟩ }}'],
  ["a slot with a short name", '<⟨Box⟩><template #td="item">{{ item.id + ⟨id⟩ }}</template>{{ ⟨item⟩ }}</⟨Box⟩>'],
  ["a slot with a default value", '<⟨Box⟩ #default="{ a = ⟨b⟩, f = () => ⟨g⟩(a) }">{{ a + f() }}</⟨Box⟩>'],
  ["a slot with a dynamic name", '<⟨Box⟩><template v-slot:[⟨a⟩]="a">{{ a }}</template></⟨Box⟩>'],
  ["slots in a list", '<⟨Box⟩><template v-for="a in ⟨list⟩" #[a.id]="{ id }">{{ a + id + ⟨b⟩ }}</template></⟨Box⟩>'],
  ["a handler that is a function of the script", '<p @click="⟨save⟩" v-on:focus="⟨ui⟩.save" v-on="{ blur: ⟨f⟩ }"></p>'],
  ["a handler of statements", '<p @click="⟨count⟩ = 1; if (⟨f⟩) { const a = ⟨b⟩; ⟨save⟩(a) }"></p>{{ ⟨a⟩ }}'],
  [
    "a handler that is an arrow function",
    '<p @click="(a, { b }) => ⟨save⟩(a, b, ⟨count⟩)" @blur="a => { a; ⟨b⟩() }"></p>',
  ],
  [
    "a handler that is a function",
    '<p @click="function (a) { ⟨f⟩(a) }" @blur="async function b(g) { await g(⟨a⟩) }"></p>',
  ],
  ["a handler that uses its event", '<p @click="⟨save⟩($event, ⟨count⟩++)" @input="({ id }) => ⟨f⟩(id)"></p>'],
  ["models", '<input v-model.trim="⟨total⟩"><⟨Box⟩ v-model:count="⟨ui⟩.count" v-model:item.x="⟨list⟩[⟨id⟩]" />'],
  ["other directives", '<p v-text="⟨a⟩"></p><p v-html="⟨b⟩" v-memo="[⟨id⟩, ⟨f⟩]"></p><p v-once>{{ ⟨g⟩ }}</p>'],
  ["custom directives", '<p v-⟨focus⟩ v-other:count.a="⟨a⟩"><i v-⟨focus⟩:b.c="{ ⟨b⟩ }" /></p>'],
  ["a reference to an element", '<p ref="⟨el⟩"><i :ref="⟨el⟩" /><i ref="other" id="el" /></p>'],
  ["template literals", '<p :a="`a ${⟨a⟩} ${`${⟨b⟩}b`}`">{{ `${⟨count⟩} count` }}</p>'],
  [
    "strings with brackets, and members",
    "<p :a=\"'}}' + ⟨a⟩\">{{ '{' + ⟨b⟩.a['c'] + other.b?.[⟨id⟩] + { a: ⟨f⟩ }.a }}</p>",
  ],
  ["functions in an expression", "{{ ⟨list⟩.map((a, b = ⟨id⟩) => a + b).filter(function item(f) { return f(⟨g⟩) }) }}"],
  ["what is not compiled", '<p v-pre :a="b"><Box v-for="a in list">{{ a }}</Box></p><p>{{ ⟨a⟩ }}</p>'],
  [
    "elements without an end",
    '<ul><li v-for="a in ⟨list⟩">{{ a }}<li>{{ ⟨b⟩ }}</ul><input :value="⟨a⟩"><br>{{ ⟨count⟩ }}',
  ],
  ["comments and text like code", "<!-- {{ a }} <Box /> --><p>a {b} ${f}</p>{{ /* a */ ⟨b⟩ }}"],
  ["types in expressions", '<p @click="(a: number) => ⟨f⟩(a as Item)" :b="⟨b⟩!">{{ (⟨a⟩ as Item).id }}</p>'],
  ["attributes without quotes and over lines", '<p\n  :a=⟨a⟩\n  :b="\n    ⟨b⟩ +\n    1\n  "\n>{{\n  ⟨id⟩\n}}</p>'],
];

describe("the uses in a Vue template are those of Vue's compiler", () => {
  test.each(templates)("%s", (_, template) => {
    const marked = `${script}<template>\n${template}\n</template>\n`;
    const text = withoutMarks(marked);
    expect(withMarks(text, usesByCompiler(text, names))).toBe(marked);
    expect(markedUses("vue", text)).toBe(marked);
  });
});

/** Components as a whole, which the compiler of templates does not read. */
const components: readonly (readonly [name: string, marked: string])[] = [
  [
    "two scripts after the template",
    "<template><p>{{ ⟨a⟩ + ⟨b⟩ + c }}</p></template>\n<script>\nexport const a = 1;\n</script>\n<script setup>\nconst b = a;\n</script>",
  ],
  ["no script with setup", "<template><p>{{ a }}</p></template>\n<script>\nconst a = 1;\n</script>"],
  [
    "a template in another language",
    '<template lang="pug">\np {{ a }}\n</template>\n<script setup>\nconst a = 1;\n</script>',
  ],
  ["a template of another file", '<template src="./a.html"></template>\n<script setup>\nconst a = 1;\n</script>'],
  ["a custom block", "<docs>{{ a }}</docs>\n<script setup>\nconst a = 1;\n</script>\n<template>{{ ⟨a⟩ }}</template>"],
  [
    "a template in a template",
    '<script setup>\nconst a = 1;\n</script>\n<template><template v-if="⟨a⟩">{{ ⟨a⟩ }}</template></template>',
  ],
  [
    "scripts without semicolons",
    "<script>\nexport const g = (a) => a // b</script>\n<script setup>\nconst a = 1\nconst f = (a) => a\n</script>\n<template>{{ ⟨a⟩ }}</template>",
  ],
  [
    "a style",
    "<script setup>\nconst a = 1;\nconst b = 2;\n</script>\n<style>\np { a: v-bind(⟨a⟩); b: v-bind( '⟨b⟩.a' ) v-bind() a; }\n</style>",
  ],
  ["a style without a script with setup", "<script>\nconst a = 1;\n</script>\n<style>\np { a: v-bind(a); }\n</style>"],
  [
    "HTML entities",
    '<script setup>\nconst a = 1;\nconst b = 2;\n</script>\n<template><p :a="⟨a⟩ &amp;&amp; ⟨b⟩ &lt; &quot;a&quot;">{{ ⟨a⟩ }}</p></template>',
  ],
];

/** Components that are being typed: what can be read is read. */
const broken: readonly (readonly [name: string, marked: string])[] = [
  ["an expression without its end", '<p :x="a +">{{ ⟨a⟩ }}</p>{{ f( }}<p :y="⟨b⟩" />'],
  ["an element without its end", "<div><p>{{ ⟨a⟩ }}<b>{{ ⟨b⟩ }}</div>"],
  ["an attribute without its end", '<p>{{ ⟨a⟩ }}</p><p :a="b>{{ a }}</p>'],
  ["an interpolation without its end", "<p>{{ ⟨a⟩ }}</p>{{ b"],
  ["a list without its end", '<p v-for="a in"><b>{{ a }}</b></p>{{ ⟨b⟩ }}'],
  ["a pattern without its end", '<p v-for="{ a in ⟨list⟩">{{ a + b }}</p><Other #x="{ b">{{ b }}</Other>{{ ⟨b⟩ }}'],
  ["brackets in the wrong order", "<p>{{ ⟨a⟩) + (⟨b⟩ }} {{ }; { }}</p>{{ ⟨a⟩ }}"],
  ["an end that belongs to nothing", "</p>{{ ⟨a⟩ }}</div>"],
];

describe("the uses in a Vue component", () => {
  test.each(components)("%s", (_, marked) => expect(markedUses("vue", withoutMarks(marked))).toBe(marked));
  test.each(broken)("that is being typed: %s", (_, template) => {
    const marked = `${script}<template>\n${template}\n</template>\n`;
    expect(markedUses("vue", withoutMarks(marked))).toBe(marked);
  });
});

test.each([
  ["vue", '<b v-for="a in list">'],
  ["vue", "<Box>"],
  ["svelte", "{#each list as a}"],
  ["svelte", "<p on:click={a(}>"],
] as const)("a %s component of 2,000 times %s has the names of its script", (language, part) => {
  const text = `<script setup>\nlet a;\n</script>\n<template>${part.repeat(2_000)}</template>`;
  expect(namesOf(language, text)).toContain("a");
});
