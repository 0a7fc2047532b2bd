import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy in front of a service that fails on requests or responses. */
export interface FailingFront extends AsyncDisposable {
  url: string;
  /** The effects on the next calls, in order; later calls pass. */
  plan: Failure[];
  /** The received calls with their Idempotency-Key, including failed ones. */
  calls: { line: string; key: string | undefined }[];
}

/**
 * A response that the service never sent, and that does not end if it `hangs`; the connection cut before the request
 * arrives (`lost`), or in the middle of the response (`cut`); no response (`silent`), or only its first byte
 * (`halted`).
 */
export type Failure =
  | { status: number; headers?: Record<string, string>; text?: string; hangs?: true }
  | 'lost'
  | 'cut'
  | 'silent'
  | 'halted';

export async function startFailingFront(target: string): Promise<FailingFront> {
  const server = createServer((request, response) => {
    const key = request.headers['idempotency-key'];
    front.calls.push({ line: `${request.method} ${request.url}`, key: typeof key === 'string' ? key : undefined });
    const failure = front.plan.shift();
    if (failure === 'silent') return;
    if (failure === 'lost') request.destroy();
    else if (failure === 'halted') response.writeHead(200, { 'Content-Type': 'application/json' }).write('{');
    else if (failure === undefined || failure === 'cut') pass(request, response, failure === 'cut');
    else {
      const { status, headers, text = '{"error":{"code":"http_error","message":"not now"}}', hangs } = failure;
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).write(text);
      if (!hangs) response.end();
    }
  });

  function pass(request: IncomingMessage, response: ServerResponse, isCut: boolean): void {
    const { method, headers } = request;
    const onward = forward(`${target}${request.url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (!isCut) return void answer.pipe(response);
      response.write('{');
      answer.resume().on('end', () => response.destroy());
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const front: FailingFront = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    plan: [],
    calls: [],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return front;
}
