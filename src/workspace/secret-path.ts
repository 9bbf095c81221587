import { foldersAbove, nameOf } from "./workspace-path.ts";

/**
 * The folder or file name by which `path` is a place for secrets; `undefined` when it is none. Case
 * is ignored.
 *
 * Such a file is never read, whatever the rules of the workspace are. It is one of these:
 * - everything in a folder where tools keep keys: `.ssh`, `.aws`, `.gnupg`, `.kube` and the like;
 * - every `.env`, examples included, because real keys get pasted there; `.envrc`; `*.env`;
 * - private keys, certificates and key stores, by extension, and SSH keys, by prefix;
 * - the credentials of package managers, databases, clouds and version control, by name;
 * - `credentials`, `secrets`, `vault`, `service-account` with the extension of a data format;
 *   `credentials.ts` is code and is read;
 * - Terraform's states and variables.
 */
export function trySecretPath(path: string): { readonly by: "name" | "folder"; readonly detail: string } | undefined {
  for (const folder of foldersAbove(path).slice(1)) {
    if (isSecretFolder(nameOf(folder))) return { by: "folder", detail: nameOf(folder) };
  }
  const name = nameOf(path).toLowerCase();
  if (isSecretFolder(name)) return { by: "folder", detail: nameOf(path) };
  const isSecret = names.has(name) || (name.length <= maxNameLength && secretName.test(name));
  if (isSecret) return { by: "name", detail: nameOf(path) };
  const end = pathEnds.find((known) => known.endsWith(name) && `/${path.toLowerCase()}`.endsWith(`/${known}`));
  return end === undefined ? undefined : { by: "name", detail: end };
}

/**
 * Whether a folder of this name holds secrets in all its files, such as `.ssh`; case is ignored.
 */
export function isSecretFolder(name: string): boolean {
  return folders.has(name.toLowerCase());
}

/**
 * No file system allows longer names: 255 bytes on Linux and macOS, 255 UTF-16 units on Windows.
 */
const maxNameLength = 255;

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
  ...[".vault_pass", ".vault_password", ".vault-password", "vault_pass.txt", "vault_password.txt", ".ansible_vault"],
  ...["key.properties", "keystore.properties", "signing.properties", "sftp-config.json", "sftp.json", ".ftpconfig"],
  ...[".databrickscfg", "filezilla.xml", "sitemanager.xml", "recentservers.xml"],
  ...[
    "htpasswd",
    "shadow",
    ".smbcredentials",
    ".cifs",
    "accesstokens.json",
    "azureprofile.json",
    "msal_token_cache.json",
  ],
  ...["google-services.json", "googleservice-info.plist", "local.settings.json", "wp-config.php", "keyfile.json"],
]);

/** Ends of whole paths, for files whose names are ordinary elsewhere. */
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
  /\.(pem|key|p8|p12|pfx|pkcs12|crt|cer|der|p7b|p7c|ppk|keystore|jks|bks|truststore|kdbx?|gpg|pgp|asc|agekey|ovpn|keychain|keychain-db|kubeconfig|jceks|pkcs8|pvk|snk|age|keytab|tpm|rdp|mobileprovision)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)/,
  new RegExp(`^\\.?credentials?${dataFormat}$`),
  new RegExp(`^\\.?secrets?${dataFormat}$`),
  /^(client[_-]?secrets?|service[_-]?account).*\.json$/,
  /[_-]service[_-]?account\.json$/,
  // These match data formats only: a folder named `vault` may hold anything.
  /^([\w-]*[._-])?vault(ed)?([._-][\w-]+)?\.(ya?ml|toml|ini|env|txt|properties|enc)$/,
  /^([\w-]*[._-])?(secrets?|credentials?)\.(ya?ml|json|toml|ini|env|properties|enc|tfvars)$/,
  /^secrets?[._-][\w.-]+\.(ya?ml|json|toml|ini|env|properties|enc)$/,
  /\.tfstate(\.|$)/,
  /\.tfvars(\.json)?$/,
];
// One pattern for all: each file of a workspace is compared with it.
const secretName = new RegExp(patterns.map(({ source }) => source).join("|"));
