import { afterAll, beforeAll, expect, test } from "vitest";
import { readMarkup } from "../analysis/impact/reports/fixtures/read-markup.ts";
import { sarifProblems } from "../analysis/impact/reports/fixtures/sarif-shape.ts";
import { GitRepository } from "./fixtures/git-repository.ts";
import { runAtTerminal } from "./fixtures/test-terminal.ts";

/**
 * What `emend impact` prints of one change, in every shape: `fixtures/impact/*`.
 * `npx vitest run -u` updates them; read the difference before you commit it.
 */
let repository: GitRepository;

const shapes = `/** Something that has an area. */
export interface Shape {
  area(): number;
}

export class Circle implements Shape {
  constructor(readonly radius: number) {}

  area(): number {
    return Math.PI * this.radius ** 2;
  }
}

export function total(shapes: readonly Shape[]): number {
  return shapes.reduce((sum, shape) => sum + shape.area(), 0);
}
`;

const report = `import { Circle, total } from "./shapes.ts";

export function report(): string {
  return \`\${total([new Circle(1)])} in all\`;
}

export const unit = total([{ area: () => 1 }]);

export function twice(): string {
  return report() + report();
}
`;

const tests = `import { describe, it } from "node:test";
import { report } from "../src/report.ts";

describe("a report", () => {
  it("says all", () => {
    report();
  });
});
`;

beforeAll(() => {
  repository = GitRepository.of({
    "tsconfig.json": '{ "compilerOptions": { "strict": true, "types": [] } }\n',
    "src/shapes.ts": shapes,
    "src/report.ts": report,
    "test/report.test.ts": tests,
    "notes.txt": "none\n",
  });
  const changed = shapes
    .replace("area(): number;", "area(unit: string): number;")
    .replace("Shape[])", "Shape[], unit: string)");
  repository.write({ "src/shapes.ts": changed.replace("shape.area()", "shape.area(unit)"), "notes.txt": "some\n" });
});
afterAll(() => repository.remove());

/** Without likelihoods, which are tuned by themselves. */
function withoutShares(text: string): string {
  return text.replace(/\d+( ?)%/g, "__$1%").replace(/"(likelihood|rank)": (?!1\b)[\d.]+/g, '"$1": "__"');
}

async function printed(...args: readonly string[]): Promise<string> {
  const { out, err, exitCode } = await runAtTerminal(["impact", ...args], { workingFolder: repository.folder });
  expect([err, exitCode]).toEqual(["", 0]);
  return withoutShares(out);
}

test("is printed for a terminal", async () => {
  await expect(await printed()).toMatchFileSnapshot("./fixtures/impact/terminal.txt");
});

test("is printed in full, with colours", async () => {
  const { out } = await runAtTerminal(["impact", "--all"], { workingFolder: repository.folder, colour: true });
  await expect(withoutShares(out).replaceAll("\u001b", "\\e")).toMatchFileSnapshot(
    "./fixtures/impact/all-in-colours.txt",
  );
});

test("is printed as JSON", async () => {
  const pretty = JSON.stringify(JSON.parse(await printed("--json")), null, 2);
  await expect(`${withoutShares(pretty)}\n`).toMatchFileSnapshot("./fixtures/impact/impact.json.txt");
});

test("as SARIF", async () => {
  const log = await printed("--sarif");
  expect(sarifProblems(JSON.parse(log.replaceAll('"__"', "1")))).toEqual([]);
  await expect(log).toMatchFileSnapshot("./fixtures/impact/impact.sarif.txt");
});

test("as DOT", async () => {
  await expect(await printed("--dot")).toMatchFileSnapshot("./fixtures/impact/impact.dot");
});

test("as a page, without its style and script", async () => {
  const page = await printed("--html");
  expect(readMarkup(page).filter(({ attributes }) => attributes.get("class") === "link").length).toBeGreaterThan(2);
  const body = page.replace(/(<(style|script)>)[\s\S]*?(<\/\2>)/g, "$1…$3");
  await expect(body).toMatchFileSnapshot("./fixtures/impact/impact.html.txt");
});
