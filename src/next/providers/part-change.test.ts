import fc from "fast-check";
import { expect, test } from "vitest";
import { tryChangePart, tryPartChange } from "./part-change.ts";

const changes: readonly (readonly [from: string, to: string, change: string])[] = [
  ["openCart", "openBasket", "cart > basket"],
  ["Cart", "Basket", "cart > basket"],
  ["cart_size", "basket_size", "cart > basket"],
  ["CART_SIZE", "SHOP_BASKET_SIZE", "cart > shop basket"],
  ["userName", "memberTitle", "user name > member title"],
  ["cart", "cartSize", "-"],
  ["a", "a", "-"],
];
for (const [from, to, change] of changes) {
  test(`the name ${from} renamed to ${to} changes the words ${change}`, () => {
    const part = tryPartChange(from, to);
    expect(part === undefined ? "-" : `${part.from.join(" ")} > ${part.to.join(" ")}`).toBe(change);
  });
}

const carts = tryPartChange("cart", "shoppingBasket")!;
const names: readonly (readonly [name: string, changed: string | undefined])[] = [
  ["cart", "shoppingBasket"],
  ["openCart", "openShoppingBasket"],
  ["CartOptions", "ShoppingBasketOptions"],
  ["cart_size", "shopping_basket_size"],
  ["MAX_CART", "MAX_SHOPPING_BASKET"],
  ["cartoon", undefined],
  ["descartes", undefined],
];
for (const [name, changed] of names) {
  test(`with the change of words, the name ${name} becomes ${changed}`, () =>
    expect(tryChangePart(name, carts)).toBe(changed));
}

test.each([
  ["cart > shop_basket", "cartSize", "shopBasketSize"],
  ["openMySql > openSQLite", "MySqlTable", "SQLiteTable"],
  ["openMySql > openSQLite", "mySqlTable", "sqLiteTable"],
])("with the words of %s, the name %s becomes %s", (change, name, changed) => {
  const [from, to] = change.split(" > ") as [string, string];
  expect(tryChangePart(name, tryPartChange(from, to)!)).toBe(changed);
});

test("law: a change of words applied to its own old name gives the new name", () => {
  const word = fc.constantFrom("cart", "basket", "open", "size", "hat");
  const camel = (words: readonly string[]) =>
    words.map((one, i) => (i === 0 ? one : one.charAt(0).toUpperCase() + one.slice(1))).join("");
  const name = fc.array(word, { minLength: 1, maxLength: 4 }).map(camel);
  fc.assert(
    fc.property(name, name, (from, to) => {
      const change = tryPartChange(from, to);
      // Of words that occur twice in a name only the first is changed.
      fc.pre(change !== undefined);
      const [name, words] = [from.toLowerCase(), change.from.join("")];
      fc.pre(name.indexOf(words) === name.lastIndexOf(words));
      expect(tryChangePart(from, change)).toBe(to);
    }),
  );
});
