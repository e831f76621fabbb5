// SPDX-License-Identifier: Apache-2.0
import type { Item } from "../attribute";
import type { Example } from "./index";
import { N, S, Seed, tableOf, time } from "./seed";

const subjects = [
  "Cannot sign in after the update",
  "Invoice shows the wrong address",
  "Export stops at half",
  "Search finds nothing for umlauts",
  "Please add a dark theme",
  "Two charges for one order",
  "The app is slow on Mondays",
  "Password mail never arrives",
];

function* items(): Generator<Item> {
  const seed = new Seed(8842);
  for (let i = 0, at = 0; i < 900; i++) {
    at += seed.between(300, 6_000);
    const status = seed.pick(["open", "pending", "closed", "closed", "closed", "closed"]);
    const [team, priority, created] = [String(seed.between(1, 12)), seed.between(1, 5), time(at)];
    yield {
      ticketId: S(String(8_000 + i)),
      teamId: S(team),
      status: S(status),
      priority: N(priority),
      createdAt: S(created),
      subject: S(seed.pick(subjects)),
      teamStatus: S(`TEAM#${team}#${status}`),
      ...(status === "open" ? { openTeam: S(`TEAM#${team}`), openSort: S(`PRIORITY#${priority}#${created}`) } : {}),
    };
  }
}

export const tickets: Example = {
  id: "tickets",
  title: "Tickets",
  text: "A support desk: a ticket's status changes, and teams list their tickets by status.",
  asks: "a status in an index key, not in the table's",
  table: "Tickets",
  request: tableOf("Tickets", ["ticketId"], [
    { name: "byTeamAndStatus", key: ["teamStatus", "createdAt"] },
    { name: "openByPriority", key: ["openTeam", "openSort"] },
  ]),
  items,
};
