/** A word in either case, letter by letter, so that the rules around it can tell capitals apart. */
const caseless = (word: string) => word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

/** A short word that stands by itself or at a hump: `pass`, `DB_PASS`, `dbPass`, and neither `bypass` nor `COMPASS`. */
const apart = (word: string) => {
  const hump = word.charAt(0).toUpperCase() + word.slice(1);
  return `(?<![A-Za-z])(?:${word}|${word.toUpperCase()})|(?<![A-Z])${hump}`;
};

const ofKeys = ["api", "secret", "access", "private", "signing", "encryption"].map(caseless).join("|");

/** How the names of passwords end, as the source of a pattern that tells capitals apart. */
export const passwordNames = `(?:${["password", "passwd", "passphrase", "pwd"].map(caseless).join("|")}|${apart("pass")})`;

/** How the names of passwords and of all other secrets end, as {@link passwordNames}. */
export const secretNames = `(?:${passwordNames}|${caseless("secret")}|(?:${ofKeys})[_-]?${caseless("key")}|${caseless("credential")}[sS]?|${apart("token")})`;
