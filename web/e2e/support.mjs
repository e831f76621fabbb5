// SPDX-License-Identifier: Apache-2.0
// A real server, a real browser, and what every test asks of both.
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { AxeBuilder } from "@axe-core/playwright";
import { chromium } from "playwright-core";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const binary = join(root, "build", process.env.KW_PRESET ?? "release", "keywright");
export const shots = join(root, "build/studio");
mkdirSync(shots, { recursive: true });

export async function startServer(...options) {
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("KEYWRIGHT_")));
  const child = spawn(binary, ["serve", "--memory", "--port", "0", ...options], { env: environment, stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (bytes) => {
      text += bytes;
      const found = /listens on (http:\/\/localhost:\d+)/.exec(text);
      if (found) resolve(found[1]);
    });
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { url, stop: () => child.kill() };
}

export async function call(url, operation, body) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/x-amz-json-1.0", "x-amz-target": `DynamoDB_20120810.${operation}` },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return answer;
}

export async function startBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

// A page whose every complaint, dialog or call to another host is a fault of the test.
export async function openPage(browser, url, { width = 1280, height = 800, theme = "light" } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, acceptDownloads: true, reducedMotion: "reduce" });
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => {
    // A call that the server refuses is logged by the browser itself; the tests look at what is shown.
    // Breaches of the policy are told below.
    if (message.type() === "error" && !/^(Failed to load resource|Applying inline style)/.test(message.text())) faults.push(message.text());
  });
  await page.exposeFunction("tellBreach", (breach) => faults.push(breach));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => {
      // Chromium's own editing of text tries to keep styles; no script of ours has a part in it.
      if (event.effectiveDirective === "style-src-attr" && event.sourceFile === "") return;
      globalThis.tellBreach(`${event.effectiveDirective} blocked ${event.blockedURI} of ${event.sourceFile}`);
    });
  });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("dialog", (dialog) => faults.push(`dialog: ${dialog.message()}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${url}/`) && !/^(data|blob):/.test(request.url())) faults.push(`asked ${request.url()}`);
  });
  return { page, faults, close: () => context.close() };
}

// The serious and critical findings of axe, in words.
export async function axeFindings(page) {
  const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]).analyze();
  return violations
    .filter((each) => each.impact === "serious" || each.impact === "critical")
    .map((each) => `${each.id}: ${each.help}: ${each.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
}

export const addressOf = (table, query = {}) => `/studio/tables/${encodeURIComponent(table)}?${new URLSearchParams(query)}`;
