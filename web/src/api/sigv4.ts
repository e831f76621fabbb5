// SPDX-License-Identifier: Apache-2.0
// Signature Version 4 with the browser's own cryptography. The secret is kept as a key that signs and
// that no script can read back. Source: AWS IAM User Guide, "Create a signed AWS API request".

export interface Credential {
  accessKeyId: string;
  region: string;
  key: CryptoKey;
}

const text = new TextEncoder();
const hmac = { name: "HMAC", hash: "SHA-256" };
const service = "dynamodb";

// Browsers offer their cryptography on https and on localhost only.
export function canSign(): boolean {
  return globalThis.isSecureContext && crypto.subtle !== undefined;
}

export async function credentialOf(accessKeyId: string, secret: string, region: string): Promise<Credential> {
  const key = await crypto.subtle.importKey("raw", text.encode(`AWS4${secret}`), hmac, false, ["sign"]);
  return { accessKeyId, region, key };
}

export async function signed(
  credential: Credential,
  path: string,
  host: string,
  headers: Record<string, string>,
  body: Uint8Array<ArrayBuffer>,
  now: Date,
): Promise<Record<string, string>> {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, "");
  const date = time.slice(0, 8);
  const all: Record<string, string> = { ...headers, host, "x-amz-date": time };
  const names = Object.keys(all).sort();
  const canonical = [
    "POST",
    path,
    "",
    ...names.map((name) => `${name}:${all[name]!.trim()}`),
    "",
    names.join(";"),
    await digest(body),
  ].join("\n");
  const scope = `${date}/${credential.region}/${service}/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", time, scope, await digest(text.encode(canonical))].join("\n");
  let key = await sign(credential.key, date);
  for (const part of [credential.region, service, "aws4_request"]) key = await sign(await imported(key), part);
  const signature = hex(await sign(await imported(key), toSign));
  return {
    ...headers,
    "x-amz-date": time,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential.accessKeyId}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`,
  };
}

async function sign(key: CryptoKey, message: string): Promise<ArrayBuffer> {
  return crypto.subtle.sign("HMAC", key, text.encode(message));
}

async function imported(bytes: ArrayBuffer): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, hmac, false, ["sign"]);
}

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return hex(await crypto.subtle.digest("SHA-256", bytes));
}

function hex(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
