import { describe, expect, test } from "vitest";
import { trySecretPath } from "./secret-path.ts";

const secret = [
  ".env",
  "app/.env.local",
  ".env.example",
  ".env-prod",
  "prod.env",
  ".envrc",
  "server.pem",
  "server.KEY",
  "a.p12",
  "a.pfx",
  "ca.crt",
  "ca.cer",
  "ca.der",
  "debug.keystore",
  "a.jks",
  "pass.kdbx",
  "a.gpg",
  "a.asc",
  "id_rsa",
  "id_rsa.pub",
  "home/id_ed25519",
  ".npmrc",
  "a/.netrc",
  ".pgpass",
  ".htpasswd",
  ".git-credentials",
  "credentials",
  "credentials.json",
  "config/credentials.yml.enc",
  ".credentials",
  "secrets.yaml",
  "secrets.toml",
  "secret.json",
  ".aws/config",
  "home/.ssh/known_hosts",
  ".gnupg/x",
  ".kube/cache/x",
  "kubeconfig",
  "prod.kubeconfig",
  ".docker/config.json",
  "service-account.json",
  "service-account-prod.json",
  "my-service-account.json",
  "client_secret_123.json",
  "terraform.tfstate",
  "terraform.tfstate.backup",
  "terraform.tfvars",
  "prod.auto.tfvars",
  "prod.tfvars.json",
] as const;

/** Row 5. */
const secretSince5 = [
  "vault.yml",
  "group_vars/all/vault.yaml",
  "ansible-vault.yml",
  "vault-prod.yml",
  "secrets-prod.yaml",
  "secrets.prod.json",
  "app-secrets.yml",
  "db.credentials.json",
  ".vault_pass",
  "android/key.properties",
  "keystore.properties",
  ".vscode/sftp.json",
  ".databrickscfg",
  "htpasswd",
  "host.keytab",
  "App.snk",
] as const;

const ordinary = [
  "vault.ts",
  "vault.go",
  "abi/Vault.json",
  "vault/main.tf",
  "default.yml",
  "secrets-manager.ts",
  "use-credentials.tsx",
  "gradle.properties",
  "shadow.ts",
  "stage.yml",
  "env.ts",
  "environment.ts",
  "src/env/index.ts",
  "next-env.d.ts",
  "keys.ts",
  "key.py",
  "monkey.rb",
  "credentials.ts",
  "credentials_provider.py",
  "secrets.go",
  "secretary.json",
  "aws/config.ts",
  "ssh/client.go",
  "docker/config.json",
  "service-account.ts",
  "main.tf",
  "identity.rs",
  "rsa/x.ts",
  "README.md",
  "",
] as const;

describe("trySecretPath recognizes", () => {
  for (const path of secretSince5) test(`row 5: ${path}`, () => expect(trySecretPath(path)).toBeDefined());
  for (const path of secret) test(path, () => expect(trySecretPath(path)).toBeDefined());
});

describe("trySecretPath returns undefined for", () => {
  for (const path of ordinary) test(path, () => expect(trySecretPath(path)).toBeUndefined());
});

test("trySecretPath returns the name or folder that decided", () => {
  expect(trySecretPath("home/.ssh/config")).toEqual({ by: "folder", detail: ".ssh" });
  expect(trySecretPath("a/Server.PEM")).toEqual({ by: "name", detail: "Server.PEM" });
  expect(trySecretPath("a/.docker/config.json")).toEqual({ by: "name", detail: ".docker/config.json" });
});
