import { expect, test } from "vitest";
import { derivedWord } from "./rewritten-text.ts";

test.each([
  ["MySqlColumn > SQLiteColumn", "MySqlTable", "SQLiteTable"],
  ["AnyMySqlTable > AnySQLiteTable", "MySqlViewBase", "SQLiteViewBase"],
  ["user > post", "getUser", "getPost"],
  ["user > post", "userName", "postName"],
  ["user > post", "users", "users"],
  ["User > Post", "user", "post"],
  ["user_id > post_id", "user_name", "post_name"],
  ["user > post", "MAX_USER", "MAX_POST"],
  ["mySqlColumn > SQLiteColumn", "MY_SQL_TABLE", "SQ_LITE_TABLE"],
  ["user_role > post_kind", "userRoleName", "postKindName"],
  ["at > to", "atEnd", "atEnd"],
  ["1 > 2", "value1", "value1"],
  ["first > first", "firstName", "firstName"],
])("with the correspondence %s, the word %s becomes %s", (change, word, derived) => {
  const [from, to] = change.split(" > ") as [string, string];
  expect(derivedWord(word, new Map([[from, to]]))).toBe(derived);
});
