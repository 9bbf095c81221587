import { describe, expect, test } from "vitest";
import { detectVerifierFormat, parseVerifierCommand, verifierFormatNames } from "./verifier-format.ts";

describe("detectVerifierFormat chooses a reader for", () => {
  const cases: readonly (readonly [command: string, output: string, expected: string])[] = [
    ["npx tsc --noEmit --pretty false", "", "tsc"],
    ["node_modules/.bin/vue-tsc --noEmit", "", "tsc"],
    ["pnpm exec eslint -f json .", "[]", "eslint"],
    ["cd packages/a && npx vitest run", "", "vitest"],
    ["NODE_ENV=test npx jest --json", "", "jest"],
    ["python3 -m pytest -q 2>&1", "", "pytest"],
    [".venv/bin/mypy src", "", "mypy"],
    ["npx --yes pyright --outputjson", "", "pyright"],
    ["uv run pytest", "", "pytest"],
    ["go vet ./...", "", "go"],
    ["cargo check --message-format=json", "", "cargo"],
    ["C:\\tools\\dotnet.exe build", "", "dotnet"],
    ["npm test", "", "mixed"],
    ["npm run types && npm run lint", "a.ts(1,1): error TS1005: x", "mixed"],
    ["tsc --noEmit; eslint .", "", "mixed"],
    ["make check", '{"version": "2.1.0", "runs": []}', "sarif"],
    ["npx eslint -f sarif .", '{"version": "2.1.0", "runs": []}', "sarif"],
    ["npm test", '> x\n{"testResults": []}', "jest"],
    ["npm run types", '{"generalDiagnostics": []}', "pyright"],
    ["npm run lint", '[{"filePath": "a", "messages": []}]', "eslint"],
    // One format would lose the findings of the other tool.
    ["npm run check", '[{"filePath": "a", "messages": []}]\n{"testResults": []}', "mixed"],
    ["npm run check", '{"version": "2.1.0", "runs": []}\n{"generalDiagnostics": []}', "mixed"],
    ["npx vitest run --reporter=junit", '<?xml version="1.0"?>\n<testsuites>', "junit"],
    ["./check-with-tsc.sh", "", "mixed"],
    ["grep tsc package.json", "", "mixed"],
    ["", "", "mixed"],
  ];
  for (const [command, output, expected] of cases) {
    test(`${command} | ${output}`, () => expect(detectVerifierFormat(command, output).name).toBe(expected));
  }
});

describe("parseVerifierCommand reads", () => {
  const cases: readonly (readonly [text: string, expected: object])[] = [
    ["npx tsc --noEmit", { command: "npx tsc --noEmit" }],
    ["tsc:npm run types", { format: "tsc", command: "npm run types" }],
    [" exit: ./check.sh ", { format: "exit", command: "./check.sh" }],
    ["c:\\tools\\check.exe", { command: "c:\\tools\\check.exe" }],
    ["unknown:thing", { command: "unknown:thing" }],
  ];
  for (const [text, expected] of cases) test(text, () => expect(parseVerifierCommand(text)).toEqual(expected));

  test.each(["", "  ", "tsc:", "tsc: "])("parseVerifierCommand throws for %j", (text) => {
    expect(() => parseVerifierCommand(text)).toThrow("There is no command in");
  });

  test("the name of each format is in lower case", () => {
    expect(verifierFormatNames.every((name) => /^[a-z]+$/.test(name))).toBe(true);
  });
});
