// SPDX-License-Identifier: Apache-2.0
import type { Item } from "../attribute";
import type { Example } from "./index";
import { N, S, Seed, padded, tableOf, time } from "./seed";

const handles = "nighthawk dusk dawn ember frost willow cobalt sable onyx juniper marlow quill sparrow thorn vesper wren zephyr aster birch cinder".split(" ");

function* items(): Generator<Item> {
  const seed = new Seed(1842);
  for (let i = 0; i < 60; i++) {
    const id = `u${8201 + i}`;
    const handle = `${handles[i % handles.length]}${i < handles.length ? "" : Math.floor(i / handles.length) + 1}`;
    const rating = seed.between(600, 2800);
    yield {
      pk: S(`PLAYER#${id}`),
      sk: S("PROFILE"),
      playerId: S(id),
      handle: S(handle),
      region: S(seed.pick(["eu", "us", "ap"])),
      rating: N(rating),
      createdAt: S(time(-seed.below(9_000_000))),
      seasonPartition: S("SEASON#2026-Q2"),
      seasonSort: S(`RATING#${padded(rating, 5)}`),
      handlePartition: S(`HANDLE#${handle}`),
    };
    for (let match = 0, at = 0; match < seed.between(4, 22); match++) {
      at += seed.between(4_000, 190_000);
      yield {
        pk: S(`PLAYER#${id}`),
        sk: S(`MATCH#${time(at)}`),
        playedAt: S(time(at)),
        result: S(seed.pick(["win", "loss", "draw"])),
        ratingDelta: N(seed.between(-50, 50)),
        mapId: S(`map-${padded(seed.below(40), 2)}`),
      };
    }
  }
}

export const leaderboard: Example = {
  id: "leaderboard",
  title: "Leaderboard",
  text: "Players, their matches newest first, and the best of a season from a padded rating.",
  asks: "one partition a player, two indexes",
  table: "Leaderboard",
  request: tableOf("Leaderboard", ["pk", "sk"], [
    { name: "bySeason", key: ["seasonPartition", "seasonSort"] },
    { name: "byHandle", key: ["handlePartition"], include: ["playerId"] },
  ]),
  items,
};
