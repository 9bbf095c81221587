/** A word in either case, letter by letter, so that the rules around it can tell capitals apart. */
const caseless = (word: string) => word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

/**
 * A short word by itself or at a hump of camel case: `pass`, `DB_PASS`, `dbPass`, and neither
 * `bypass` nor `COMPASS`.
 */
const apart = (word: string) => {
  const hump = word.charAt(0).toUpperCase() + word.slice(1);
  return `(?<![A-Za-z])(?:${word}|${word.toUpperCase()})|(?<![A-Z])${hump}`;
};

/** The words of a list as alternatives, in either case. */
const anyOf = (words: string) => words.split(" ").map(caseless).join("|");

const ofKeys = anyOf("api secret access private signing encryption decryption master shared hmac jwt");

/**
 * Words in front of `key` that are also those of keys in maps, so that the value has to look like a
 * key.
 */
const ofUncertainKeys = anyOf(
  "auth account client license subscription storage deploy ssh webhook admin root consumer integration function functions bot cipher crypto encrypt session service app host instrumentation application",
);

/** Words in front of a `pass` that is written without a hump: `dbpass`. */
const ofPasses = anyOf("db user root admin my ftp smtp mail sql redis login bind ldap store key require");

/** Words in front of a `token` that is written without a hump: `identitytoken`. */
const ofTokens = anyOf("auth access identity session bearer user refresh api login id bot device push reset");

/**
 * What may follow the word that names the kind of a value: `PASSWORD_PROD`, `client-key-data`,
 * `secret_key_base`, `token2`.
 */
const suffix = `(?:[_.-]?(?:\\d{1,3}|${anyOf("prod production dev development test staging live default value data base base64 plain text raw old new current")}))?`;

/** How the names of passwords end, as the source of a pattern that distinguishes capitals. */
export const passwordNames = `(?:(?:${anyOf("password passwd passphrase passcode pwd pswd passwort kennwort senha contrasena contraseña")}|(?:${ofPasses})(?:${anyOf("pass pw")})|${apart("pass")}|${apart("pw")})${suffix})`;

/** How the names of passwords and of all other secrets end, as {@link passwordNames}. */
export const secretNames = `(?:${passwordNames}|(?:${caseless("secret")}|(?:${ofKeys})[_-]?${caseless("key")}|${caseless("client")}[_-]${caseless("key-data")}|${caseless("credential")}[sS]?|${apart("token")}|(?:${ofTokens})${caseless("token")}|${apart("psk")})${suffix})`;

/** How the names end of what is often a secret and often not: the value has to look like one. */
export const uncertainNames = `(?:(?:(?:${ofUncertainKeys})[_-]?${caseless("key")}|[A-Z][A-Z0-9]*_KEY|${caseless("authorization")}|${caseless("connection")}[_-]?${caseless("string")}|${caseless("mnemonic")}|${["auth", "bearer", "jwt", "dsn", "sid", "sig", "otp", "sas", "csrf", "xsrf", "salt"].map(apart).join("|")}|${caseless("session")}(?:[_-]?(?:${anyOf("id data")}))?|${caseless("webhook")}(?:[_-]?${caseless("url")})?|(?:${anyOf("backup recovery access")})[_-]?${caseless("code")}[sS]?)${suffix})`;

/** The names of secrets that are words: a phrase of lower-case words opens what they stand for. */
export const phraseNames = `(?:${caseless("passphrase")}|${caseless("mnemonic")}|(?:${anyOf("pass seed recovery secret backup")})[ _-]?${caseless("phrase")}|${caseless("seed")}[ _-]?${caseless("words")})`;

/** The names of cookies that stand for a session or a login. */
export const sessionNames = `(?:[\\w.-]{0,40}?(?:${anyOf("session sessid token jwt csrf xsrf remember_me remember-me")})[\\w-]{0,20}|(?:[\\w-]{0,40}[_.-])?(?:${anyOf("sid auth sess login")})(?:[_-][\\w-]{0,20})?)`;

/**
 * What each rule for secrets needs one of on the first of its lines: a word of a name, of a command
 * or of a scheme, or the port of a database. Where it is missing, no rule has to be tried; most
 * lines of code have none.
 */
export const secretWords = new RegExp(
  [
    anyOf(
      "pass pwd pswd wort senha contrase secret token key cred auth cookie sess bearer basic phrase mnemonic words",
    ),
    anyOf("jwt csrf xsrf login remember webhook connection code identified community oracle"),
    anyOf("dpop ssws geniekey splunk negotiate mysql mariadb sshpass curl openssl smbclient htpasswd sqlplus"),
    ...["pw", "psk", "salt", "dsn", "sid", "sig", "otp", "sas"].map(apart),
    "[a-z]pw(?![a-z])",
    ":(?:\\d{4,5}|\\*):",
  ].join("|"),
);
