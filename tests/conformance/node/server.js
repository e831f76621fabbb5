// SPDX-License-Identifier: Apache-2.0
// A server of this test's own, on a data folder that outlives it: what tests/server.py is for Python.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";

const binary = fileURLToPath(
  new URL(`../../../build/${process.env.KW_PRESET ?? "release"}/keywright`, import.meta.url),
);

export async function startServer(...options) {
  const ours = Object.entries(process.env).filter(([name]) => !name.startsWith("KEYWRIGHT_"));
  const child = spawn(binary, ["serve", "--port", "0", ...options], {
    env: Object.fromEntries(ours),
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const found = line.match(/http:\/\/\S*?:(\d+)/);
    if (found) {
      child.stdout.resume();
      return {
        endpoint: `http://127.0.0.1:${found[1]}`,
        async kill() {
          child.kill("SIGKILL");
          await once(child, "exit");
        },
      };
    }
  }
  throw new Error("the server did not start");
}
