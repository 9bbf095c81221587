import { expect, test } from "vitest";
import { templateScript } from "./component-scripts.ts";

/** A piece of a template and its script. Both have the same length. */
const cases: readonly (readonly [name: string, template: string, script: string])[] = [
  ["text", "<b>a {{ b }}</b>", "{ ;  ;( b );;  }"],
  ["an attribute", '<b :a="x" c="d" />', "{  ;(x)      ;}"],
  ["a handler", '<b @a="x = 1; y()">', "{  ;{x = 1; y()};"],
  ["a component", "<Box a></Box>", "{Box  ;; Box}"],
  ["a component in lower case", "<my-box/>", "{      ;}"],
  ["a v-for list", '<b v-for="(x, i) in list">', "{  ;let   [x, i] =  list;;"],
  ["a slot", '<b #head="{ x }">', "{  ;let  { x };;"],
  ["an element without an end tag", '<br :a="x">', "{   ;(x)}"],
  ["a comment", "<!-- {{ x }} -->", "                "],
];

test.each(cases)("a Vue template is converted to a script: %s", (_, template, script) => {
  expect(templateScript(template).replace(/ +/g, " ").trim()).toBe(script.replace(/ +/g, " ").trim());
  expect(templateScript(template)).toHaveLength(template.length);
});
