import { expect, test } from "vitest";
import { elided } from "./elided.ts";

const before = `import { log } from "./log.ts";
import { parse } from "./parse.ts";

export class Queue {
  #items = [];

  add(item) {
    log(item);
    this.#items.push(item);
  }

  take() {
    log("take");
    return this.#items.shift();
  }

  clear() {
    this.#items = [];
    this.#count = 0;
  }
}

export function make() {
  return new Queue();
}
`;

const cases: readonly (readonly [name: string, from: string, to: string, answer: string])[] = [
  [
    "a method",
    "shift()",
    "pop()",
    `// ... existing code ...

export class Queue {
  // ... existing code ...

  take() {
    log("take");
    return this.#items.pop();
  }

  // ... existing code ...
}

// ... existing code ...
`,
  ],
  [
    "a new function",
    "}\n\nexport function make",
    "}\n\nexport const none = new Queue();\n\nexport function make",
    `// ... existing code ...

export class Queue {
  // ... existing code ...
}

export const none = new Queue();

export function make() {
  return new Queue();
}
`,
  ],
  [
    "a function that goes",
    '\n  take() {\n    log("take");\n    return this.#items.shift();\n  }\n',
    "",
    `// ... existing code ...

export class Queue {
  // ... existing code ...

  add(item) {
    log(item);
    this.#items.push(item);
  }

  clear() {
    this.#items = [];
    this.#count = 0;
  }
}

// ... existing code ...
`,
  ],
];

for (const [name, from, to, answer] of cases) {
  test(`an elided answer for ${name} changes`, () => {
    const after = before.replace(from, to);
    expect(elided.encode([{ path: "a.ts", before, after }])).toBe(`a.ts\n\`\`\`ts\n${answer}\`\`\`\n`);
  });
}

test("an elided answer uses the comment syntax of the language", () => {
  const code = before.replaceAll("//", "#");
  const answer = elided.encode([{ path: "a.py", before: code, after: code.replace("shift", "pop") }]);
  expect(answer).toContain("\n# ... existing code ...\n");
});

test("elided encoding throws where no place is unambiguous", () => {
  const encode = (text: string, after: string | undefined) => () => elided.encode([{ path: "a", before: text, after }]);
  expect(encode("a\nb\nc\n", "a\nb\nd\n")).toThrow(/cannot say/);
  expect(encode("a\n", undefined)).toThrow(/cannot say/);
});
