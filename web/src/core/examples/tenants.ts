// SPDX-License-Identifier: Apache-2.0
import type { Item } from "../attribute";
import type { Example } from "./index";
import { S, Seed, cents, padded, tableOf, time } from "./seed";

const companies = "acme borealis cinnabar dovetail elmwood fathom granite harbour".split(" ");
const names = "ana bo cleo dev eve finn gia hugo ines jan kai lou max nia oki pam".split(" ");
const actions = ["invoice.create", "invoice.pay", "user.invite", "user.remove", "plan.change", "login", "export.start"];

function* items(): Generator<Item> {
  const seed = new Seed(3001);
  for (const tenant of companies) {
    const pk = S(`TENANT#${tenant}`);
    yield { pk, sk: S("TENANT"), tenantId: S(tenant), name: S(tenant.charAt(0).toUpperCase() + tenant.slice(1)), plan: S(seed.pick(["free", "team", "business"])) };
    const users = seed.between(6, 24);
    for (let i = 0; i < users; i++) {
      const role = i === 0 ? "admin" : seed.pick(["admin", "member", "member", "viewer"]);
      const id = `u_${3001 + i}`;
      yield {
        pk,
        sk: S(`USER#${id}`),
        userId: S(id),
        email: S(`${seed.pick(names)}.${i}@${tenant}.example`),
        role: S(role),
        ...(role === "admin" ? { rolePartition: S("ROLE#admin"), roleSort: S(`${tenant}#${id}`) } : {}),
      };
    }
    for (let i = 1; i <= seed.between(2, 5); i++) yield { pk, sk: S(`USERGROUP#g${padded(i, 2)}`), groupId: S(`g${padded(i, 2)}`), title: S(`Group ${i}`) };
    for (let i = 1; i <= seed.between(8, 30); i++) {
      const status = seed.pick(["open", "paid", "paid", "paid", "void"]);
      const due = time(seed.below(7_000_000)).slice(0, 10);
      yield {
        pk,
        sk: S(`INVOICE#2026-${padded(i, 4)}`),
        invoiceNo: S(`2026-${padded(i, 4)}`),
        status: S(status),
        dueDate: S(due),
        amount: cents(seed.between(900, 900_000)),
        ...(status === "open" ? { openPartition: S("OPEN"), openSort: S(`${due}#${tenant}`) } : {}),
      };
    }
    for (let i = 0, at = 0; i < seed.between(40, 120); i++) {
      at += seed.between(60, 30_000);
      yield { pk, sk: S(`AUDIT#${time(at)}`), at: S(time(at)), actor: S(`u_${3001 + seed.below(users)}`), action: S(seed.pick(actions)) };
    }
  }
}

export const tenants: Example = {
  id: "tenants",
  title: "Tenants",
  text: "A billing product: members, groups, invoices and an audit trail, one partition a tenant.",
  asks: "prefixes that must not collide",
  table: "Tenants",
  request: tableOf("Tenants", ["pk", "sk"], [
    { name: "openInvoices", key: ["openPartition", "openSort"] },
    { name: "byRole", key: ["rolePartition", "roleSort"], include: ["userId", "email"] },
  ]),
  items,
};
