// SPDX-License-Identifier: Apache-2.0
import type { Item } from "../attribute";
import type { Example } from "./index";
import { N, S, Seed, cents, padded, tableOf, time } from "./seed";

const first = "Ada Ben Chen Dara Eli Fay Gus Hana Ivo June Kofi Lea Mira Noor Otis Pia".split(" ");
const last = "Abara Brandt Costa Dubois Eriksen Fontaine Garcia Haddad".split(" ");
const things = "Lamp Kettle Notebook Chair Headphones Backpack Mug Blanket Bottle Clock Pen Desk".split(" ");
const kinds = "Small Large Linen Oak Steel Blue Folding Quiet Travel Wool".split(" ");

function* products(seed: Seed): Generator<Item> {
  for (let i = 1; i <= 40; i++) {
    const id = `PROD${padded(i, 3)}`;
    yield { pk: S(`PRODUCT#${id}`), sk: S("PRODUCT"), productId: S(id), title: S(`${seed.pick(kinds)} ${seed.pick(things)}`), price: cents(seed.between(399, 24_999)) };
  }
}

function* orders(seed: Seed, user: string, firstOrder: number): Generator<Item> {
  const many = seed.between(1, 7);
  for (let i = 0, at = seed.below(400_000); i < many; i++, at += seed.between(40_000, 900_000)) {
    const id = `2026-${padded(firstOrder + i, 6)}`;
    const status = i === many - 1 && seed.below(3) === 0 ? "PENDING" : seed.below(20) === 0 ? "CANCELLED" : "COMPLETED";
    const lines = seed.between(1, 4);
    let total = 0;
    const sold: Item[] = [];
    for (let line = 0; line < lines; line++) {
      const [quantity, price] = [seed.between(1, 3), seed.between(399, 24_999)];
      const product = `PROD${padded(1 + ((firstOrder + i * 7 + line * 11) % 40), 3)}`;
      total += quantity * price;
      sold.push({
        pk: S(`ORDER#${id}`),
        sk: S(`LINE#${product}`),
        gsi1pk: S(`PRODUCT#${product}`),
        gsi1sk: S(`ORDER#${id}`),
        quantity: N(quantity),
        price: cents(price),
      });
    }
    yield {
      pk: S(`ORDER#${id}`),
      sk: S("ORDER"),
      orderId: S(id),
      userId: S(user),
      createdAt: S(time(at)),
      status: S(status),
      total: cents(total),
      gsi1pk: S(`USER#${user}`),
      gsi1sk: S(`ORDER#${time(at)}`),
      ...(status === "PENDING" ? { pendingPartition: S("PENDING"), pendingSort: S(time(at)) } : {}),
    };
    yield* sold;
  }
}

function* items(): Generator<Item> {
  const seed = new Seed(2024);
  yield* products(seed);
  for (let i = 0; i < 80; i++) {
    const id = String(12_345 + i);
    const name = `${seed.pick(first)} ${seed.pick(last)}`;
    const email = `${name.toLowerCase().replace(" ", ".")}.${i}@example.com`;
    yield { pk: S(`USER#${id}`), sk: S("USER"), userId: S(id), name: S(name), email: S(email) };
    yield { pk: S(`EMAIL#${email}`), sk: S("EMAIL"), userId: S(id) };
    if (seed.below(5) === 0) {
      const line = (product: number) => ({ M: { productId: S(`PROD${padded(product, 3)}`), quantity: N(seed.between(1, 3)) } });
      yield { pk: S(`USER#${id}`), sk: S("CART"), items: { L: [line(seed.between(1, 40)), line(seed.between(1, 40))] }, updatedAt: S(time(seed.below(2_000_000))) };
    }
    yield* orders(seed, id, 1_200 + i * 8);
  }
}

export const shop: Example = {
  id: "shop",
  title: "Shop",
  text: "Users, orders with their lines, carts, and the few orders that are pending, in a sparse index.",
  asks: "an overloaded index and a sparse one",
  table: "Shop",
  request: tableOf("Shop", ["pk", "sk"], [
    { name: "gsi1", key: ["gsi1pk", "gsi1sk"] },
    { name: "pending", key: ["pendingPartition", "pendingSort"], include: ["orderId", "userId", "total"] },
  ]),
  items,
};
