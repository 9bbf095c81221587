import { expect, test } from "vitest";
import { templateScript } from "./vue-template.ts";

/** What becomes of a piece of a template. Both have the same length. */
const cases: readonly (readonly [name: string, template: string, script: string])[] = [
  ["text", "<b>a {{ b }}</b>", "{ ;  ;( b );;  }"],
  ["an attribute", '<b :a="x" c="d" />', "{  ;(x)      ;}"],
  ["a handler", '<b @a="x = 1; y()">', "{  ;{x = 1; y()};"],
  ["a component", "<Box a></Box>", "{Box  ;; Box}"],
  ["a component in small letters", "<my-box/>", "{      ;}"],
  ["a list", '<b v-for="(x, i) in list">', "{  ;let   [x, i] =  list;;"],
  ["a slot", '<b #head="{ x }">', "{  ;let  { x };;"],
  ["an element without an end", '<br :a="x">', "{   ;(x)}"],
  ["a comment", "<!-- {{ x }} -->", "                "],
];

test.each(cases)("%s", (_, template, script) => {
  expect(templateScript(template).replace(/ +/g, " ").trim()).toBe(script.replace(/ +/g, " ").trim());
  expect(templateScript(template)).toHaveLength(template.length);
});
