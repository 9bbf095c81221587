import { foldersAbove, nameOf } from "./workspace-path.ts";

/**
 * Whether a path names a file that keeps secrets, and by what: answers the part that says so, or `undefined`.
 *
 * Such a file is not read, whatever the rules of the workspace say. The rule:
 * - everything in a folder where tools keep keys: `.ssh`, `.aws`, `.gnupg`, `.kube` and the like;
 * - every `.env`, also examples, because people paste real keys there; `.envrc`; `*.env`;
 * - private keys, certificates and key stores by their ending, and SSH keys by their beginning;
 * - the credentials of package managers, databases, clouds and version control by their name;
 * - `credentials`, `secrets`, `service-account` with the ending of a data format. `credentials.ts` is code, and is read;
 * - Terraform's states and variables.
 * Case is ignored.
 */
export function trySecretPath(path: string): { readonly by: "name" | "folder"; readonly detail: string } | undefined {
  for (const folder of foldersAbove(path).slice(1)) {
    if (isSecretFolder(nameOf(folder))) return { by: "folder", detail: nameOf(folder) };
  }
  const name = nameOf(path).toLowerCase();
  if (isSecretFolder(name)) return { by: "folder", detail: nameOf(path) };
  if (names.has(name) || patterns.some((pattern) => pattern.test(name))) return { by: "name", detail: nameOf(path) };
  const lower = path.toLowerCase();
  const end = pathEnds.find((known) => lower === known || lower.endsWith(`/${known}`));
  return end === undefined ? undefined : { by: "name", detail: end };
}

/** Whether a folder of this name is a place for secrets as a whole. */
export function isSecretFolder(name: string): boolean {
  return folders.has(name.toLowerCase());
}

const folders = new Set([
  ".ssh",
  ".aws",
  ".azure",
  ".gcloud",
  ".gnupg",
  ".kube",
  ".password-store",
  ".vault",
  ".terraform.d",
  ".chef",
]);

const names = new Set([
  ...[".env", ".envrc", ".flaskenv", ".dev.vars"],
  ...[".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", ".gemrc", ".dockercfg", ".dockerconfigjson", "auth.json"],
  ...[".netrc", "_netrc", ".git-credentials", ".gitcookies", ".curlrc", ".wgetrc"],
  ...[".pgpass", "pgpass.conf", ".my.cnf", ".mylogin.cnf", ".htpasswd", ".htdigest", ".s3cfg", ".boto", ".rclone.conf"],
  ...["kubeconfig", ".vault-token", ".terraformrc", "terraform.rc", "application_default_credentials.json"],
  ...["google-services.json", "googleservice-info.plist", "local.settings.json", "wp-config.php", "keyfile.json"],
]);

/** Endings of whole paths, for names that are ordinary elsewhere. */
const pathEnds = [
  ".docker/config.json",
  ".config/gh/hosts.yml",
  ".config/hub",
  ".gradle/gradle.properties",
  ".m2/settings.xml",
];

const dataFormat = "(\\.(json|ya?ml|xml|ini|toml|csv|tsv|txt|properties|cfg|conf|config|enc|gpg|plist|db|bak|local))*";
const patterns = [
  /^\.env[.\-_]/,
  /\.env$/,
  /\.(pem|key|p8|p12|pfx|pkcs12|crt|cer|der|p7b|p7c|ppk|keystore|jks|bks|truststore|kdbx?|gpg|pgp|asc|agekey|ovpn|keychain|keychain-db|kubeconfig)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)/,
  new RegExp(`^\\.?credentials?${dataFormat}$`),
  new RegExp(`^\\.?secrets?${dataFormat}$`),
  /^(client[_-]?secrets?|service[_-]?account).*\.json$/,
  /[_-]service[_-]?account\.json$/,
  /\.tfstate(\.|$)/,
  /\.tfvars(\.json)?$/,
];
