// SPDX-License-Identifier: Apache-2.0
// Calls of the DynamoDB API, and of the studio's own, on the server that served the page.
import { lock, session } from "./session";
import { signed } from "./sigv4";

export interface CancellationReason {
  Code?: string;
  Message?: string;
}

export class ApiError extends Error {
  constructor(
    readonly code: string, // "ValidationException"; "Unreachable" if nobody answered
    message: string,
    readonly reasons: CancellationReason[] = [],
  ) {
    super(message);
  }
}

const signatureFaults = ["MissingAuthenticationTokenException", "UnrecognizedClientException", "InvalidSignatureException", "IncompleteSignatureException"];

export async function call<Reply>(operation: string, body: unknown, signal?: AbortSignal): Promise<Reply> {
  const headers = { "content-type": "application/x-amz-json-1.0", "x-amz-target": `DynamoDB_20120810.${operation}` };
  return (await post("/", headers, body, signal)) as Reply;
}

export async function askStudio<Reply>(name: string, body: unknown, signal?: AbortSignal): Promise<Reply> {
  return (await post(`/studio/v1/${name}`, { "content-type": "application/json" }, body, signal)) as Reply;
}

async function post(path: string, headers: Record<string, string>, body: unknown, signal?: AbortSignal): Promise<unknown> {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const now = session.get();
  const credential = now.state === "open" ? now.credential : null;
  const sent = credential ? await signed(credential, path, location.host, headers, bytes, new Date()) : headers;
  let response: Response;
  try {
    response = await fetch(path, { method: "POST", headers: sent, body: bytes, credentials: "omit", ...(signal ? { signal } : {}) });
  } catch (fault) {
    if (signal?.aborted) throw fault;
    throw new ApiError("Unreachable", "The server does not answer. Is it still running?");
  }
  const text = await response.text();
  const answer = parse(text);
  if (response.ok && answer !== null) return answer;
  const error = errorOf(response.status, answer);
  if (signatureFaults.includes(error.code)) lock(error.message);
  throw error;
}

function parse(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}

function errorOf(status: number, answer: Record<string, unknown> | null): ApiError {
  const type = typeof answer?.["__type"] === "string" ? answer["__type"].replace(/^.*#/, "") : `HTTP ${status}`;
  const said = answer?.["message"] ?? answer?.["Message"];
  const reasons = Array.isArray(answer?.["CancellationReasons"]) ? (answer["CancellationReasons"] as CancellationReason[]) : [];
  return new ApiError(type, typeof said === "string" && said !== "" ? said : type, reasons);
}
