import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { outcomeOf, type Call, type History, type Kind } from './history.ts';

export interface Request {
  kind: Kind;
  key: string;
  method: string;
  url: string;
  token: string;
  body?: object | Buffer;
  /** Default: that of a caller that waits for any response. */
  timeoutMs?: number;
}

export interface Response extends Call {
  data: Record<string, unknown>;
}

const patientMs = 30_000;
const retryMs = 200;
/** An upload is sent in so many parts, with this pause, so that one is always in flight. */
const upload = { parts: 8, pauseMs: 100 };

/** Sends a request once and keeps it in the history. */
export async function send(history: History, request: Request): Promise<Response> {
  const startMs = performance.now();
  const { status, text } = await exchange(request).catch(() => ({ status: 0, text: '' }));
  const outcome = outcomeOf(status);
  const data = outcome === 'ok' ? dataOf(text) : {};
  const call: Call = {
    kind: request.kind,
    key: request.key,
    startMs,
    endMs: performance.now(),
    outcome,
    status,
    ...(typeof data['id'] === 'string' && { id: data['id'] }),
  };
  history.calls.push(call);
  return { ...call, data };
}

/** The name of a site is unique: this response to a retry says that an earlier try created it. */
const isCreated = ({ kind, status }: Call) => kind === 'site' && status === 409;

/** Retries with the same key until it succeeds, or `mayRetry` ends it. Undefined if it did not succeed. */
export async function sendUntilDone(
  history: History,
  request: Request,
  mayRetry: () => boolean,
): Promise<Response | undefined> {
  for (;;) {
    const response = await send(history, request);
    if (response.outcome === 'ok' || isCreated(response)) return response;
    if (!mayRetry()) return undefined;
    await sleep(retryMs);
  }
}

const dataOf = (text: string): Record<string, unknown> => {
  try {
    return (JSON.parse(text) as { data?: Record<string, unknown> }).data ?? {};
  } catch {
    return {}; // bytes of an artifact
  }
};

function exchange(request: Request): Promise<{ status: number; text: string }> {
  const { method, url, key, token, body, timeoutMs = patientMs } = request;
  const bytes = body instanceof Buffer ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const type = body instanceof Buffer ? 'application/octet-stream' : 'application/json';
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, {
      method,
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        Authorization: `Bearer ${token}`,
        ...(method === 'POST' && key !== '' && { 'Idempotency-Key': key }),
        ...(body !== undefined && { 'Content-Type': type, 'Content-Length': bytes.length }),
      },
    });
    sent.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('error', reject).on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    if (body instanceof Buffer) void sendInParts(sent, bytes);
    else sent.end(bytes);
  });
}

async function sendInParts(sent: ReturnType<typeof httpRequest>, bytes: Buffer): Promise<void> {
  const size = Math.ceil(bytes.length / upload.parts);
  for (let start = 0; start < bytes.length && !sent.destroyed; start += size) {
    sent.write(bytes.subarray(start, start + size));
    await sleep(upload.pauseMs);
  }
  sent.end();
}
