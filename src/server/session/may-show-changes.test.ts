import { expect, test } from "vitest";
import { AccessRules, MemoryFileSystem } from "../../workspace/index.ts";
import { mayShowChanges } from "./uncommitted.ts";

const key = `-----BEGIN RSA ${"PRIVATE KEY"}-----\n${"MIIEowIBAAKCAQEA0Z3VS5JJ".repeat(3)}\n`;
const files = {
  "/w/.gitignore": "out/\n",
  "/w/a.ts": "one();\n",
  "/w/key.ts": `const key = \`${key}\`;\none();\n`,
  "/w/deploy/cluster.yml": `client-key-data: ${Buffer.from(key).toString("base64")}\nserver: one\n`,
  "/w/vault.yml": "one: two\n",
  "/w/.env": "ONE=2\n",
  "/w/out/b.ts": "two();\n",
  "/w/data.bin": "a\0b",
  "/w/large.ts": "x".repeat(2_000_000),
};

test.each([
  ["a source", "a.ts", true],
  ["a file that is gone", "gone.ts", true],
  ["a file that is not text", "data.bin", true],
  ["a large file", "large.ts", true],
  ["a file with a private key in it", "key.ts", false],
  ["a kubeconfig by its content", "deploy/cluster.yml", false],
  ["a secret file by its name", "vault.yml", false],
  ["an environment", ".env", false],
  ["an ignored file", "out/b.ts", false],
])("row 5: whether changes are shown of %s", async (_, path, may) => {
  const fileSystem = new MemoryFileSystem(files);
  const rules = new AccessRules({ fileSystem, root: "/w" });
  expect(await mayShowChanges(path, { rules, fileSystem, root: "/w" })).toBe(may);
});
