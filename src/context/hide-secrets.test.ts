import fc from "fast-check";
import { expect, test } from "vitest";
import { hideSecrets, hideSecretsInPlace } from "./hide-secrets.ts";

/** Keys are put together here, so that a scan for keys finds none in this file. */
const key = (...parts: readonly string[]) => parts.join("");
const random = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz1A2";

test.each([
  ["a token", `const k = "${key("sk-", "proj-", random)}";`, 'const k = "…";'],
  ["two of them", `["${key("ghp", "_", random)}", '${key("sk_", "live_", random)}']`, `["…", '…']`],
  ["an AWS secret", "secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLEKEY1',", "secret: '…',"],
  ["with its scheme", `auth: \`Bearer ${key("ghp", "_", random)}\``, "auth: `…`"],
  ["behind an apostrophe", `// don't: "${key("ghp", "_", random)}"`, `// don't: "…"`],
  ["without quotes", `export TOKEN=${key("ghp", "_", random)}\n`, "export TOKEN=…\n"],
  ["in an address", "url: postgres://app:hunter2@db:5432/app", "url: …"],
  ["a password by its name", `const DB_PASSWORD = "hunter2!";`, `const DB_PASSWORD = "…";`],
  ["with a type", "dbPassword: string = 'hunter2'", "dbPassword: string = '…'"],
  ["as a property", `{"db.password": "hunter2"}`, `{"db.password": "…"}`],
  ["of letters only", `const password = "letmein";`, `const password = "…";`],
  ["short", `{ pass: "hunt" }`, `{ pass: "…" }`],
  ["short, with a sign", `db.pass = 'hun!'`, `db.pass = '…'`],
  ["a token by its name", `{ token: "hunter2" }`, `{ token: "…" }`],
  ["at a hump", `dbPass = "hunter2"`, `dbPass = "…"`],
  ["with a hyphen", `"x-api-key": "hunter2"`, `"x-api-key": "…"`],
  ["credentials", `credentials = "me/hunter2"`, `credentials = "…"`],
  ["in a comment", "run(); // password: hunter2", "run(); // password: …"],
  ["in a comment of another language", "x = 1  # token=hunter2!", "x = 1  # token=…"],
  ["in a block of comments", "/**\n * DB_PASS: hunter2\n */", "/**\n * DB_PASS: …\n */"],
  ["in a connection string", `"Server=db;Uid=sa;Pwd=letmein;Database=x"`, `"Server=db;Uid=sa;Pwd=…;Database=x"`],
  ["at its end", `'Host=db;Password=p4;User Password=hunter2'`, `'Host=db;Password=p4;User Password=…'`],
  ["behind a command", `exec("mysql -u me -phunter2 db")`, `exec("mysql -u me -p… db")`],
  ["of sshpass", "sshpass -p hunter2 ssh box", "sshpass -p … ssh box"],
  ["of curl", "curl -s -u me:hunter2 https://a.example", "curl -s -u me:… https://a.example"],
  ["where errors are sent", `dsn: "https://abc@o1.ingest.sentry.io/1"`, `dsn: "…"`],
  ["in a diff", `-password = "hunter2"\r\n+password = "hunter3"\r\n`, `-password = "…"\r\n+password = "…"\r\n`],
])("a secret is hidden: %s", (_, text, shown) => {
  expect(hideSecrets(text).text).toBe(shown);
  expect(hideSecrets(text).hidden).toBe(shown.split("…").length - 1);
  expect(hideSecretsInPlace(text).text.replaceAll(/…+/g, "…")).toBe(shown);
});

test.each([
  'import { something } from "../components/Button/Button.module.css";',
  `password: "Your password",`,
  `apiKey: "OPENAI_API_KEY",`,
  `{ type: "password", autocomplete: "current-password" }`,
  `password: "string",`,
  `PASSWORD: "PASSWORD",`,
  `const secret = "MY_APP_SECRET";`,
  `const bypass = "hunter2x"; const compass = "north-2x";`,
  `fetch(url, { credentials: "same-origin" });`,
  `{ token: "comment.line", tokens: "a1b2c3" }`,
  `passwordHash: "see /etc/x2"`,
  `const password = "";`,
  "const token = lexer.next2();",
  "class A { #password = hashed2; }",
  "  #password = hashed2;",
  "// the password: any word of 8 letters",
  "// token: Token2[]",
  `"Server=db;Pwd={0};User=$\{user2}"`,
  "mysql -u me -p db",
  "ssh://git@host.example/repository",
  "const password = process.env.DB_PASSWORD2;",
  `if (kind === "password1") return "user2-name";`,
  "this.configuration.featureFlags2.isEnabledForEveryone(theVeryLongName1)",
  "https://example.com/users/12/posts?sort=createdAt&limit=50#comments",
])("text that is no secret is shown: %s", (text) => {
  expect(hideSecrets(text)).toEqual({ text, hidden: 0 });
});

test.each([
  ["yaml", "password: hunter2", "password: …"],
  ["yaml", "db:\n  password: hunter2  # weak\n  user: me", "db:\n  password: …  # weak\n  user: me"],
  ["yaml", "{ user: me, password: p@ss-word, port: 1 }", "{ user: me, password: …, port: 1 }"],
  ["yaml", "- DB_PASSWORD=hunter2", "- DB_PASSWORD=…"],
  ["yaml", "DB_PASS: s3cr3t!!99", "DB_PASS: …"],
  ["yaml", "github-token: hunter2", "github-token: …"],
  ["yaml", "api_key: 123456", "api_key: …"],
  ["shellscript", "export DB_PASSWORD=hunter2\n", "export DB_PASSWORD=…\n"],
  ["shellscript", "PGPASSWORD=hunter2 psql -U me", "PGPASSWORD=… psql -U me"],
  ["shellscript", "mysql --password=hunter2;", "mysql --password=…;"],
  ["shellscript", "connect $" + "{DB_PASSWORD:-hunter2}", "connect $" + "{DB_PASSWORD:-…}"],
  ["dockerfile", "ENV API_TOKEN=hunter2", "ENV API_TOKEN=…"],
  ["makefile", "PASSWORD ?= hunter2", "PASSWORD ?= …"],
  ["plaintext", "db.password=hunter2\r\n", "db.password=…\r\n"],
  ["ini", "[db]\npassword = hunter2", "[db]\npassword = …"],
])("hidden without quotes in %s: %s", (language, text, shown) => {
  expect(hideSecrets(text, language)).toEqual({ text: shown, hidden: 1 });
});

test.each([
  ["typescript", "privateKey: Uint8Array;"],
  ["python", "connect(password=password2)"],
  ["javascript", "const password = read2();"],
  ["yaml", "password: string"],
  ["yaml", "password: null"],
  ["yaml", "password: $" + "{{ secrets.DB_PASSWORD2 }}"],
  ["yaml", 'password: "{{ vault_password2 }}"'],
  ["yaml", "password: {{ vault_password2 }}"],
  ["yaml", "password: !vault |"],
  ["yaml", "password: *shared2"],
  ["yaml", "password: ENC[AES256_GCM,data:x]"],
  ["yaml", "secret: /run/secrets/db2"],
  ["yaml", "password:\n  minLength: 12345678"],
  ["yaml", "password_length: 12345678"],
  ["shellscript", "PASSWORD=$DB_PASSWORD2"],
  ["shellscript", "password=$(cat ./file2)"],
  ["plaintext", "db.password=@db.password2@"],
  ["plaintext", "password = read(2, 3)"],
])("text that is no secret is shown in %s: %s", (language, text) => {
  expect(hideSecrets(text, language)).toEqual({ text, hidden: 0 });
});

test("law: redacting secrets keeps the number of lines and is idempotent", () => {
  const part = fc.constantFrom(
    '"',
    "'",
    "`",
    "\n",
    "\r\n",
    " = ",
    ": ",
    ",",
    "$",
    "password",
    "token",
    "Pwd=",
    ";",
    "// ",
    "mysql -p",
    "hunter2",
    "letmein",
    random,
    "://u:p4@h",
    "é",
    "x",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), fc.constantFrom("typescript", "yaml"), (parts, language) => {
      const text = parts.join("");
      const { text: shown } = hideSecrets(text, language);
      expect(shown.split("\n").length).toBe(text.split("\n").length);
      expect(hideSecrets(shown, language)).toEqual({ text: shown, hidden: 0 });
      const { text: inPlace } = hideSecretsInPlace(text, language);
      expect(inPlace.length).toBe(text.length);
      expect([...inPlace].every((unit, index) => unit === "…" || unit === [...text][index])).toBe(true);
      expect(hideSecretsInPlace(inPlace, language)).toEqual({ text: inPlace, hidden: 0 });
    }),
  );
});
