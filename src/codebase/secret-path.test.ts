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

const ordinary = [
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

describe("keeps secrets", () => {
  for (const path of secret) test(path, () => expect(trySecretPath(path)).toBeDefined());
});

describe("is an ordinary file", () => {
  for (const path of ordinary) test(path, () => expect(trySecretPath(path)).toBeUndefined());
});

test("it says what told it", () => {
  expect(trySecretPath("home/.ssh/config")).toEqual({ by: "folder", detail: ".ssh" });
  expect(trySecretPath("a/Server.PEM")).toEqual({ by: "name", detail: "Server.PEM" });
  expect(trySecretPath("a/.docker/config.json")).toEqual({ by: "name", detail: ".docker/config.json" });
});
