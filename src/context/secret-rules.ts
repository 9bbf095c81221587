import { looksSecret } from "../syntax/index.ts";
import { passwordNames, phraseNames, secretNames, sessionNames, uncertainNames } from "./secret-names.ts";
import {
  describesSecret,
  isMadeUp,
  isMoreThanWords,
  isOpaque,
  isPasswordOfWords,
  isPhrase,
  isReference,
  isTechnicalName,
  tryDecodeBase64,
} from "./secret-values.ts";

/**
 * A place of secrets in texts: a pattern whose group `value` is the secret if `isSecret` accepts
 * it. All else that it matches stays.
 */
export interface SecretRule {
  readonly pattern: RegExp;
  readonly isSecret: (value: string, groups: Readonly<Record<string, string | undefined>>) => boolean;
  /**
   * Where the rule holds besides comments and languages whose texts need no quotes: nowhere, or in
   * literals, or everywhere. Without quotes, code such as `password = read2` merely names a secret.
   */
  readonly scope: "unquoted" | "literals" | "all";
}

/** The type of a variable, between its name and what it is set to. */
const type = "(?:[!?]? ?: ?&?(?:mut )?[\\w.]{1,40}(?:[<[][\\w., ]{0,40}[>\\]])?(?: \\| \\w{1,20}){0,3})?";
/** What makes a value of a literal, and the letters in front of its quote. */
const wrapper =
  "(?:(?:\\[\\]byte|Buffer\\.from|bytes|SecretStr|SecureString|String::from|new TextEncoder\\(\\)\\.encode)\\()?[bBrRuUfL@$]{0,2}";
const closes = "[\\\\\"'`\\])[]{0,4}";
const setTo = `${closes}${type}[ \\t]{0,20}(?::=|=>|\\?=|\\|\\|=?|\\?\\?=?|\\?:|!==?|[:=]{1,3}|(?<=\\)[ \\t])or)[ \\t]{0,20}${wrapper}`;
/** A literal, whose quotes may be escaped since it is inside of another. */
const quoted =
  "(?<escape>\\\\{0,3})(?<quote>[\"'`])(?<value>(?:(?!\\k<escape>\\k<quote>|\\k<quote>)(?:[^\\\\\\r\\n…]|\\\\[^\\r\\n…])){3,8192})\\k<escape>\\k<quote>";
/**
 * A value up to a blank or what closes it, which is short or base64. It does not begin as
 * expressions and YAML's marks do.
 */
const bareValue =
  '(?<value>[A-Za-z0-9+/_.-]{200,8192}={0,2}|[^\\s"\'`$<>{}()[\\]&*|%,;:=…][^\\s"`{}\\]…]{2,200}[^\\s"\'`{}()\\],;…])(?=[\\s"\'`})\\],;\\\\]|$)';
/** A value in a literal, an address or a command, up to the text that continues behind it. */
const part = "(?<value>[^\\s\"'`$<>{}()[\\]&*|%;,:=…\\\\][^\\s\"'`&;,<>{}()…\\\\]{3,4096})";

const cookieValue = "(?<value>[\\w%~+/:|][\\w%.~+/:|-]{5,4096}={0,2})(?=[\\s;,&\"'`\\\\)]|$)";

/** All rules, in the order in which they are applied. The comment above a rule has an example. */
export const secretRules: readonly SecretRule[] = [
  // password = "hunter2"
  { scope: "all", pattern: new RegExp(`${passwordNames}${setTo}${quoted}`, "g"), isSecret: isPasswordLiteral },
  // { "x-api-key": "…" }
  { scope: "all", pattern: new RegExp(`${secretNames}${setTo}${quoted}`, "g"), isSecret: isNamedLiteral },
  // "auth": "dXNlcjpwYXNz"
  { scope: "all", pattern: new RegExp(`${uncertainNames}${setTo}${quoted}`, "g"), isSecret: isKeyOfUncertainName },
  // passphrase: "correct horse battery staple"
  { scope: "all", pattern: new RegExp(`${phraseNames}${setTo}${quoted}`, "g"), isSecret: isPhrase },
  {
    scope: "unquoted",
    pattern: new RegExp(
      `${phraseNames}["']?[ \\t]{0,20}[:=][ \\t]{0,20}(?<value>[A-Za-z]{2,12}(?: [A-Za-z]{2,12}){1,30})(?=[ \\t]*(?:#.*)?$)`,
      "gm",
    ),
    isSecret: isPhrase,
  },
  // API_KEYS = ["…", "…"]: the text in front of the next one is hidden already.
  {
    scope: "all",
    pattern: new RegExp(
      `${secretNames}[sS]?${setTo}[[({]\\s{0,40}(?:["'\`]…{1,9000}["'\`]\\s{0,4},\\s{0,40}){0,50}${quoted}`,
      "g",
    ),
    isSecret: (value) => isArgument(value) && isOpaque(value),
  },
  // <key>password</key><string>hunter2</string>
  {
    scope: "all",
    pattern: new RegExp(
      `<key>[\\w .-]{0,40}?${secretNames}</key>\\s{0,80}<string>(?<value>[^<>…]{4,8192})</string>`,
      "g",
    ),
    isSecret: (value) => (isMoreThanWords(value) || isPasswordOfWords(value)) && !isReference(value),
  },
  // tool --token "…"
  {
    scope: "all",
    pattern: new RegExp(`(?<=[\\s"'\`])--?[\\w-]{0,40}?${secretNames}[ =]${quoted}`, "g"),
    isSecret: isArgument,
  },
  // define("DB_PASSWORD", "hunter2"), setHeader("X-Api-Key", "…"), ["--token", "…"]
  {
    scope: "all",
    pattern: new RegExp(
      `(?:\\(\\s{0,20}["'\`]|["'\`]--?)[\\w.-]{0,60}${secretNames}["'\`]\\s{0,5},\\s{0,20}${quoted}`,
      "g",
    ),
    isSecret: isArgument,
  },
  // .password("hunter2"), withToken("…"), ConvertTo-SecureString "…"
  {
    scope: "all",
    pattern: new RegExp(
      `(?:\\.${passwordNames}|\\b\\w{0,30}(?:[pP]assword|PASSWORD)(?= )|\\b(?:set|with|use)_?\\w{0,40}${secretNames}|\\bConvertTo-SecureString(?: -String)?)[( ]\\s{0,5}${quoted}`,
      "g",
    ),
    isSecret: isArgument,
  },
  // auth=("me", "hunter2")
  {
    scope: "all",
    pattern: new RegExp(`\\bauth\\s?[=:]\\s?[([]\\s?["'][^"'\\r\\n]{1,80}["']\\s?,\\s?${quoted}`, "g"),
    isSecret: isArgument,
  },
  // CREATE USER app IDENTIFIED BY 'hunter2'
  {
    scope: "all",
    pattern: new RegExp(
      `\\b(?:(?:IDENTIFIED|identified)(?: \\w{4} \\w{1,30})? (?:BY|by)(?: PASSWORD| password)?|(?:WITH|ENCRYPTED|LOGIN) PASSWORD|(?:with|encrypted) password)\\s{1,4}(?=["'])${quoted}`,
      "g",
    ),
    isSecret: (value) => isMoreThanWords(value) || isPasswordOfWords(value),
  },
  // name: DB_PASSWORD, value: hunter2; variable "db_password" { default = "hunter2" }; <add
  // key="ApiKey" value="…"/>
  {
    scope: "all",
    pattern: new RegExp(
      `(?:\\b(?:[nN]ame|[kK]ey)\\\\?["']?\\s{0,4}[:=]\\s{0,4}\\\\?["']?[\\w.:-]{0,60}?|\\bvariable\\s{1,4}["'][\\w-]{0,60}?)${secretNames}\\\\?["']?(?:[,;]?\\s{1,80}|,|\\s{0,4}\\{\\s[^{}=]{0,40}(?:=[^{}=]{0,100}){0,3}?)(?:[+-]\\s{1,40})?\\\\?["']?(?:[vV]alue|default)\\\\?["']?\\s{0,4}[:=]\\s{0,4}\\\\?["']?(?<value>[^\\s"'\`$<>{}()[\\]&*|%,;\\\\…][^\\s"'\`,;}<>\\\\…]{3,4096})`,
      "g",
    ),
    isSecret: isArgument,
  },
  // <password>hunter2</password>
  {
    scope: "all",
    pattern: new RegExp(
      `<(?:[\\w.-]{1,40}:)?[\\w.-]{0,40}?${secretNames}(?: [^<>]{0,100})?>\\s{0,80}(?<value>[^\\s<>…]{4,8192})\\s{0,80}</`,
      "g",
    ),
    isSecret: (value) => isMoreThanWords(value) && !isReference(value),
  },
  // Authorization: Bearer …
  {
    scope: "all",
    pattern:
      /\b(?<scheme>[Bb]earer|BEARER|DPoP|SSWS|GenieKey|Splunk|OAuth|Negotiate|[Bb]asic|[Tt]oken|[Aa]pi-?[Kk]ey)[ +](?<value>[A-Za-z0-9._~+/-]{6,8192}={0,2})(?![\w…])/g,
    isSecret: (value, { scheme }) => isCredentialOf(scheme!, value),
  },
  // "Bearer " + "…"
  {
    scope: "all",
    pattern: new RegExp(`["'\`](?:[Bb]earer|[Bb]asic|[Tt]oken) ?["'\`]\\s{0,4}[+.,]\\s{0,4}${quoted}`, "g"),
    isSecret: isArgument,
  },
  // Cookie: sessionid=…; theme=dark
  {
    scope: "all",
    pattern: new RegExp(
      `\\b[Cc]ookies?${closes}\\s{0,3}[:=,(]\\s{0,3}\\\\?["'\`]?(?:[^\\r\\n"'\`…]{0,200}?[;\\s])??${sessionNames}=${cookieValue}`,
      "g",
    ),
    isSecret: isCookie,
  },
  { scope: "literals", pattern: new RegExp(`(?<![\\w.-])${sessionNames}=${cookieValue}`, "g"), isSecret: isCookie },
  // https://a.example/?token=…, "Server=db;Pwd=…", //registry/:_authToken=…, `password=…`
  {
    scope: "literals",
    pattern: new RegExp(`(?<=^|["'\`;?&/: \\\\])(?<name>[\\w .-]{0,40}?${secretNames})[ \\t]?=[ \\t]?${part}`, "gm"),
    isSecret: (value) => value.length >= 4 && isMoreThanWords(value) && !isReference(value),
  },
  // "AccountName=a;sig=…"
  {
    scope: "literals",
    pattern: new RegExp(`(?<=^|["'\`;?&/ \\\\])(?:[\\w.-]{0,40}?${uncertainNames})=${part}`, "gm"),
    isSecret: isKeyOfUncertainName,
  },
  // "password: hunter2"
  {
    scope: "literals",
    pattern: new RegExp(`(?<=^|["'\`;?&/ \\\\])(?:[\\w.-]{0,40}?${passwordNames}): ?${part}`, "gm"),
    isSecret: (value) => isArgument(value) && !/^[A-Z]\w*$/.test(value),
  },
  // "X-Api-Key: …"
  {
    scope: "literals",
    pattern: new RegExp(`(?<=^|["'\`;?&/ \\\\])(?:[\\w.-]{0,40}?${secretNames}): ?${part}`, "gm"),
    isSecret: (value) => value.length >= 8 && isOpaque(value) && !isReference(value),
  },
  // user=me&password=letmein
  {
    scope: "literals",
    pattern: new RegExp(`[?&;][\\w.-]{0,40}?${passwordNames}=${part}`, "g"),
    isSecret: (value) => isPasswordOfWords(value) && !isReference(value),
  },
  // password: letmein
  {
    scope: "unquoted",
    pattern: new RegExp(
      `${passwordNames}["']?[ \\t]{0,20}[:=][ \\t]{0,20}(?<value>[a-z]{6,40})(?=[ \\t]*(?:#.*)?$)`,
      "gm",
    ),
    isSecret: (value) => !describesSecret(value),
  },
  // The password is hunter2.
  {
    scope: "unquoted",
    pattern: new RegExp(
      `${passwordNames} (?:is|was) ["'\`]?(?<value>[^\\s"'\`$<{…][^\\s"'\`…]{3,200}?)(?=["'\`.,;]?(?:\\s|$))`,
      "gm",
    ),
    isSecret: (value) => isMoreThanWords(value) && !isReference(value),
  },
  // requirepass hunter2
  {
    scope: "unquoted",
    pattern: new RegExp(
      `^[+-]?[ \\t]{0,40}(?:${secretNames}|masterauth|[rw]{2}community)[ \\t]{1,8}(?<value>[^\\s"'\`$<{…=:][^\\s"'\`…]{3,200})(?=[ \\t]*$)`,
      "gm",
    ),
    isSecret: (value) => isMoreThanWords(value) && !isReference(value),
  },
  // jdbc:oracle:thin:scott/tiger@db, sqlplus scott/tiger@db
  {
    scope: "all",
    pattern: /\b(?:jdbc:oracle:\w{1,8}:|sqlplus\s(?:-\w\s)?)[\w.-]{1,60}\/(?<value>[^@\s"'`…]{3,100})@/g,
    isSecret: (value) => !isReference(value),
  },
  // machine a.example login me password hunter2
  {
    scope: "all",
    pattern: /\blogin\s{1,40}\S{1,100}\s{1,40}password\s{1,40}(?<value>[^\s"'`$<>{}…]{4,200})/g,
    isSecret: (value) => !isReference(value) && !describesSecret(value),
  },
  // db.example:5432:app:me:hunter2
  {
    scope: "all",
    pattern:
      /(?<![\w.:/*-])[\w.*-]{1,100}:(?:\d{4,5}|\*):[\w*.-]{1,60}:[\w*.-]{1,60}:(?<value>[^\s"'`:…]{4,200})(?=["'`\s]|$)/g,
    isSecret: (value) => isMoreThanWords(value) && !isReference(value) && !/^\d+$/.test(value),
  },
  // mysql -pWORD, sshpass -p WORD, curl -u me:WORD
  {
    scope: "all",
    pattern:
      /\b(?:(?:mysql\w*|mariadb[\w-]*)\b[^\r\n|;]{0,200}?\s-p|sshpass\s+-p\s*|openssl\b[^\r\n|;]{0,200}?\s-pass(?:in|out)?\s(?:pass:)?|smbclient\b[^\r\n|;]{0,200}?\s-U\s?[\w.\\@-]{1,60}%|htpasswd\s+-(?=\w{0,20}b)\w{1,20}\s+\S{1,100}\s+\S{1,60}\s+|curl\b[^\r\n|;]{0,200}?\s(?:-u|--user)[\s=]?["']?[\w.@-]+:|(?:docker|podman|helm|az|oc)\b[^\r\n|;]{0,60}?\blogin\b[^\r\n|;]{0,200}?\s-p[\s=])(?<value>[^\s"'\x60$<{…][^\s"'\x60…]{2,200})/g,
    isSecret: (value) => !isReference(value),
  },
  // --password hunter2
  {
    scope: "literals",
    pattern: new RegExp(`(?<=^|[\\s"'\`\\[])--?[\\w-]{0,40}?${secretNames}[ \\t]{1,4}${bareValue}`, "g"),
    isSecret: (value) => isMoreThanWords(value) && !isReference(value) && !value.startsWith("-"),
  },
  // DB_PASSWORD=hunter2 on a line of its own, which may be one of a literal
  {
    scope: "all",
    pattern: new RegExp(
      `^(?:[+-]?[ \\t]{0,40}(?:export |set |ENV )?)(?=[A-Z][A-Z0-9_]{2,60}=)[A-Z0-9_]{0,60}?${secretNames}=(?<value>[^\\s"'\`$<>{}()[\\]&*|%,;:=…][^\\s"'\`{}()[\\]…;]{3,8192})(?=\\s|$)`,
      "gm",
    ),
    isSecret: (value) => isMoreThanWords(value) && !isReference(value),
  },
  // password: hunter2
  {
    scope: "unquoted",
    pattern: new RegExp(`${secretNames}["']?[ \\t]{0,20}(?:[:?+]?=|:-|[:=]{1,2})[ \\t]{0,20}${bareValue}`, "g"),
    isSecret: (value) => value.length >= 6 && isMoreThanWords(value) && !isReference(value),
  },
  // auth: dXNlcjpwYXNz
  {
    scope: "unquoted",
    pattern: new RegExp(`${uncertainNames}["']?[ \\t]{0,20}(?:[:?+]?=|:-|[:=]{1,2})[ \\t]{0,20}${bareValue}`, "g"),
    isSecret: isKeyOfUncertainName,
  },
];

function isNamedLiteral(value: string): boolean {
  return value.length >= 6 && isMoreThanWords(value) && !isReference(value);
}

function isPasswordLiteral(value: string): boolean {
  if (value.length < 4 || isReference(value)) return false;
  return isMoreThanWords(value) || isPasswordOfWords(value) || isPasswordWithBlanks(value);
}

/**
 * Whether words, one of which is none, are a password, such as `tr0ub4dor & 3`, and no label of
 * one.
 */
function isPasswordWithBlanks(value: string): boolean {
  return (
    value.length <= 60 &&
    /[A-Za-z]\d|\d[A-Za-z]/.test(value) &&
    !/passw|pwd|character|digit|must|enter|your|[{}<>%$]/i.test(value)
  );
}

function isKeyOfUncertainName(value: string): boolean {
  return isOpaque(value) && !isReference(value) && !isAddress(value) && !isMadeUp(value);
}

function isArgument(value: string): boolean {
  return isNamedLiteral(value) && !isTechnicalName(value) && !describesSecret(value) && !isMadeUp(value);
}

/**
 * Whether the text behind the name of a scheme of authentication is a credential, and no word of
 * a sentence about it.
 */
function isCredentialOf(scheme: string, value: string): boolean {
  if (isReference(value) || isTechnicalName(value) || isMadeUp(value)) return false;
  if (/^(?:bearer|dpop|ssws|geniekey|splunk)$/i.test(scheme)) return isMoreThanWords(value);
  const decoded = value.length >= 8 ? tryDecodeBase64(value) : undefined;
  if (decoded?.includes(":")) return !isMadeUp(decoded);
  return isOpaque(value) || (value.length >= 8 && value.endsWith("="));
}

function isCookie(value: string): boolean {
  const isMember = /^[a-z_]\w*(?:\.[a-z_]\w*)+$/i.test(value);
  return isMoreThanWords(value) && !isMember && !isReference(value) && !/^\d{1,9}$/.test(value) && !isMadeUp(value);
}

/**
 * Whether a value is an address or a path, which names a place. A key in it is found by its own
 * look.
 */
function isAddress(value: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(value) && !looksSecret(value);
}
