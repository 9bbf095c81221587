import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { languageOf } from "../syntax/index.ts";
import { Edit } from "../text/index.ts";
import { holdsPrivateKey } from "../workspace/index.ts";
import { CodeIndex } from "./code-index.ts";
import { EditHistory } from "./edit-history.ts";
import { jumble, type SecretKind, secretKinds } from "./fixtures/secret-kinds.ts";
import { hideSecrets, hideSecretsInPlace, messageLanguage } from "./hide-secrets.ts";
import { PromptBuilder, type PromptRequest } from "./prompt-builder.ts";
import { estimatingCounter } from "./token-counters.ts";

test("row 5: there are at least 40 kinds of secrets with distinct texts", () => {
  expect(new Set(secretKinds.map(({ name }) => name)).size).toBeGreaterThanOrEqual(40);
  expect(new Set(secretKinds.map(({ text }) => text)).size).toBe(secretKinds.length);
});

/** How a kind's text comes to be shown, and in which language it is looked through. */
const forms: readonly (readonly [name: string, of: (kind: SecretKind) => readonly [text: string, language: string]])[] =
  [
    ["a file", ({ path, text }) => [`${text}\n`, languageOf(path).id]],
    ["a file with Windows' line endings", ({ path, text }) => [text.replaceAll("\n", "\r\n"), languageOf(path).id]],
    ["a diff", ({ path, text }) => [diffOf(path, text), "diff"]],
    ["lines of a diff", ({ path, text }) => [text.replace(/^/gm, "-"), languageOf(path).id]],
    ["a message of a tool", ({ text }) => [`error: ${text.replace(/\s+/g, " ")}`, messageLanguage]],
    ["what a tool printed", ({ text }) => [`failed:\n  ${text.replaceAll("\n", "\n  ")}\n`, messageLanguage]],
  ];

describe.each(forms)("row 5: %s", (_, of) => {
  test.each(secretKinds.map((kind) => [kind.name, kind] as const))("%s is hidden", (_, kind) => {
    const [text, language] = of(kind);
    const { text: shown, hidden } = hideSecrets(text, language);
    expect(shown).not.toContain(kind.secret);
    expect(hidden).toBeGreaterThan(0);
    expect(shown.split("\n").length).toBe(text.split("\n").length);
    expect(hideSecrets(shown, language)).toEqual({ text: shown, hidden: 0 });
    const { text: inPlace } = hideSecretsInPlace(text, language);
    expect(inPlace.length).toBe(text.length);
    expect(inPlace).not.toContain(kind.secret);
  });
});

/** A request for a cursor beside which a text is contained in one way. */
function asking(more: Partial<PromptRequest>): PromptRequest {
  const text = "import { given } from './given';\n\nfunction shared_words_of_both(): void {\n  given();\n  \n}\n";
  return {
    document: { uri: "file:///w/src/a.ts", language: "typescript", version: 1, text },
    ...{ path: "src/a.ts", offset: text.indexOf("\n}"), counter: estimatingCounter("typescript") },
    budget: { maxTokens: 4_000, suffixShare: 0.15 },
    ...more,
  };
}

const beside = (text: string) => `function shared_words_of_both(): void {\n  given();\n${text}\n}\n`;

function historyOf({ path, text }: SecretKind): EditHistory {
  const history = new EditHistory();
  history.record(path, "one\n\ntwo\n", Edit.of([{ start: 4, end: 4, text: `${text} // marker` }]), 0);
  return history;
}

function diffOf(path: string, text: string): string {
  const rows = `${text}\nmarker`.replace(/^/gm, "+");
  return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1,9 @@\n one\n${rows}\n`;
}

function indexOf({ path, text }: SecretKind, code: string): CodeIndex {
  const index = new CodeIndex();
  index.set(
    path,
    languageOf(path).id,
    code.replace("TEXT", () => text),
  );
  return index;
}

const isCode = ({ path }: SecretKind) => path.endsWith(".ts");
const ways: readonly (readonly [
  name: string,
  of: (kind: SecretKind) => readonly [Partial<PromptRequest>, CodeIndex?],
  takes?: (kind: SecretKind) => boolean,
])[] = [
  ["recent edits", (kind) => [{ history: historyOf(kind), nowMs: 1 }]],
  ["git's diff", ({ path, text }) => [{ gitDiff: diffOf(path, text) }]],
  ["diagnostics", ({ text }) => [{ diagnostics: [{ start: 0, end: 0, code: "", message: `marker ${text}` }] }]],
  ["symbols", ({ path, text }) => [{ symbols: [{ name: "given", path, text: `marker\n${text}` }] }]],
  [
    "open files",
    ({ path, text }) => [{ openDocuments: [{ path, language: "typescript", text: beside(`marker;\n${text}`) }] }],
    isCode,
  ],
  ["the workspace", (kind) => [{}, indexOf(kind, beside("marker;\nTEXT"))], isCode],
  [
    "imports",
    (kind) => [
      {},
      indexOf(kind, "/** marker */\nexport const given = () => {};\nexport function other(a = () => { TEXT }) {}\n"),
    ],
    isCode,
  ],
];

describe.each(ways.map(([name, of, takes]) => [name, of, takes ?? (() => true)] as const))(
  "row 5: ghost text, %s",
  (_, of, takes) => {
    const kinds = secretKinds.filter(takes).map((kind) => [kind.name, kind] as const);
    const promptOf = (kind: SecretKind) => {
      const [more, index] = of(kind);
      const prompt = new PromptBuilder(index && { index }).assemble(asking(more));
      return { prompt, shown: prompt.context.map(({ path, text }) => `${path}\n${text}`).join("\n"), index };
    };

    test.each(kinds)("%s reaches no model", (_, kind) => {
      const { prompt, shown } = promptOf(kind);
      expect(shown.replaceAll(/\s+/g, " ")).not.toContain(kind.secret.replaceAll(/\s+/g, " "));
      expect(JSON.stringify(prompt)).not.toContain(JSON.stringify(kind.secret).slice(1, -1));
    });

    // A text with a private key may be left out as a whole.
    const withoutKey = kinds.filter(([, { text }]) => !holdsPrivateKey(text));
    test.each(withoutKey)("the text around %s reaches the model", (_, kind) => {
      const { shown, index } = promptOf(kind);
      expect(shown).toContain(index === undefined ? "marker" : "given");
    });
  },
);

test("row 5: a file with a key is left out of a diff as a whole", () => {
  for (const { path, text, secret } of secretKinds.filter((kind) => holdsPrivateKey(kind.text))) {
    const gitDiff = diffOf("src/other.ts", "other") + diffOf(path, text);
    const shown = new PromptBuilder()
      .assemble(asking({ gitDiff }))
      .context.map((piece) => piece.text)
      .join("");
    expect(shown).toContain("src/other.ts");
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain(`b/${path}`);
  }
});

test("row 5: law: a random value is redacted where its name is that of a secret", () => {
  const word = fc.constantFrom("app", "db", "my_service", "STAGING", "user", "x-acme");
  const kind = fc.constantFrom(
    "password",
    "passwd",
    "secret",
    "token",
    "api_key",
    "apiKey",
    "client-secret",
    "access_token",
    "PASSPHRASE",
    "private_key",
    "credentials",
  );
  const value = fc
    .nat()
    .map((seed) => `${jumble(9, "abcdefghkmnpqrstuvwxyz", seed)}${seed % 10}${jumble(3, "ABCDEFG", seed)}`);
  const form = fc.constantFrom<readonly [language: string, write: (name: string, value: string) => string]>(
    ["typescript", (name, value) => `const one = { "${name}": "${value}" };`],
    ["typescript", (name, value) => `const one = 'a=1;${name}=${value}';`],
    ["python", (name, value) => `${name.replaceAll("-", "_")} = '${value}'`],
    ["json", (name, value) => `  "${name}": "${value}",`],
    ["yaml", (name, value) => `${name}: ${value}`],
    ["yaml", (name, value) => `- name: ${name}\n  value: ${value}`],
    ["plaintext", (name, value) => `${name}=${value}`],
    ["shellscript", (name, value) => `tool --${name} ${value} -v`],
    ["xml", (name, value) => `<${name}>${value}</${name}>`],
    ["typescript", (name, value) => `// ${name}: ${value}`],
    [messageLanguage, (name, value) => `error: wrong ${name}=${value} for me`],
  );
  fc.assert(
    fc.property(word, kind, value, form, (before, name, secret, [language, write]) => {
      expect(hideSecrets(write(`${before}_${name}`, secret), language).text).not.toContain(secret);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ["typescript", `throw new Error("Invalid token: expected 1 of 2");`],
  ["typescript", `fetch(url, { credentials: "same-origin", mode: "cors" });`],
  ["typescript", `const header = "Bearer token"; const scheme = "Basic authentication";`],
  ["typescript", `headers.set("Authorization", \`Bearer \${token}\`);`],
  ["typescript", `passphrase: "Enter the passphrase of your key"`],
  ["typescript", `const sessionKey = "user-settings"; const STORAGE_KEY = "app.theme";`],
  ["typescript", `setCookie("theme=dark; path=/");`],
  ["typescript", `cookie: "session=abc123; Path=/"`],
  ["typescript", `headers: { Authorization: "Bearer token123" }`],
  ["typescript", `const auth = { type: "oauth2", flow: "implicit" };`],
  ["typescript", `["token", "base64"]; define("token", "sha256");`],
  ["typescript", `<Input name="password" value={password} />`],
  ["typescript", `const author = "https://a.example/commits?author=gibson042";`],
  ["typescript", `if (text.startsWith("-----BEGIN PUBLIC KEY-----")) return parse(text);`],
  ["python", `httpx.get(url, auth=("user", "password123"))`],
  ["yaml", "key: v2-deps-$" + "{{ hashFiles('lock') }}"],
  ["yaml", "kind: Secret\nmetadata:\n  name: app-credentials\n  namespace: default\n"],
  ["yaml", "session: development\nauth: required"],
  ["sql", "UPDATE job SET lock_token = p_token, attempts = 2"],
  [messageLanguage, "Property 'token' does not exist on type '{ password: Password2; }'."],
  [messageLanguage, "src/a.ts(12,5): error TS2322: Type 'string' is not assignable to type 'Token2'."],
])("row 5: shown as it is in %s: %s", (language, text) => {
  expect(hideSecrets(text, language)).toEqual({ text, hidden: 0 });
});

test.each(
  [
    "password=",
    "token: ",
    'password = "',
    "session=",
    "cookie: a;",
    "--password ",
    "name: password\n",
    "Bearer ",
    "-----BEGIN PRIVATE KEY-----\n",
    "AAAAAAAA\n",
    "://a:",
    "password: |\n  a\n",
    'auth=("a",',
    "a.b:",
  ].map((piece) => [JSON.stringify(piece), piece] as const),
)("row 5: a long text of %s ends", (_, piece) => {
  for (const language of ["typescript", "yaml", messageLanguage]) {
    expect(hideSecrets(piece.repeat(100_000 / piece.length), language).text.length).toBeGreaterThan(0);
  }
});
