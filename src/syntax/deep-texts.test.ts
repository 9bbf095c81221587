import { expect, test } from "vitest";
import { openSyntax } from "./node/open-syntax.ts";

const units = ["({", "([{", "{(", "a<", "x=>{(", "f(", "[[", "<a>", "if(a){"];
const languages = ["java", "c", "csharp", "cpp", "go", "rust", "php", "ruby", "python", "javascript", "typescript"];

test.each(languages)("row 14: a text of %s with 60,000 open brackets harms no parser", async (language) => {
  for (const givesUp of [true, false]) {
    const syntax = openSyntax({ givesUp });
    try {
      await syntax.load(language);
      for (const unit of units) {
        const text = unit.repeat(60_000 / unit.length);
        syntax.tryParse({ language, text })?.[Symbol.dispose]();
        (await syntax.parse({ language, text }))?.[Symbol.dispose]();
        const tree = syntax.tryParse({ language, text: "a = 1;\n" });
        expect(tree?.text, unit).toBe("a = 1;\n");
        tree?.[Symbol.dispose]();
      }
    } finally {
      syntax[Symbol.dispose]();
    }
  }
});
