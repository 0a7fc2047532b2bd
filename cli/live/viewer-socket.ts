import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { openSocket } from '../agent/link-socket.ts';
import { messageOf } from '../agent/http.ts';
import { envelopeOf, refusal } from '../api-errors.ts';
import type { Api } from '../api.ts';
import { authoritiesOf } from '../authorities.ts';
import { proxyFor } from '../connection.ts';
import { CliError } from '../errors.ts';
import { exitCode } from '../exit-codes.ts';
import type { Invocation } from '../spec.ts';

/** Why a live stream ended, or did not begin. */
export interface StreamEnd {
  /** Trying again cannot help. */
  isFinal: boolean;
  error: CliError;
}

/** Opens the stream at `path`, with its query. Rejects with a StreamEnd. */
export async function openViewer(call: Invocation, api: Api, path: string): Promise<WebSocket> {
  const { connection } = api;
  const url = new URL(path, connection.baseUrl);
  const socket = await openSocket(new URL(url.href.replace(/^http/, 'ws')), connection.token ?? '', {
    proxy: proxyFor(url, call.environment),
    authorities: await authoritiesOf(call),
    userAgent: `fleet-cli/${call.version}`,
  }).catch((error: unknown) => Promise.reject(broken(messageOf(error))));
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      socket.off('error', onError);
      resolve(socket);
    });
    const onError = (error: Error) => reject(broken(messageOf(error)));
    socket.on('error', onError);
    socket.once('unexpected-response', (_request, response: IncomingMessage) => {
      bodyOf(response).then(
        (body) => reject(refused({ status: response.statusCode ?? 0, headers: response.headers, body }, api, path)),
        onError,
      );
    });
  });
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function refused(reply: Parameters<typeof refusal>[0], { connection }: Api, path: string): StreamEnd {
  const error = refusal(reply, connection, path);
  if (reply.status === 409 && envelopeOf(reply.body)?.message === 'agent offline')
    return { isFinal: false, error: offline() };
  return { isFinal: reply.status < 500 && reply.status !== 429, error };
}

/** What a close of the service means; `code` 1006 is a connection that broke. */
export function endOf(code: number, reason: string): StreamEnd {
  if (code === 4503) return { isFinal: false, error: offline() };
  if (code === 4401)
    return {
      isFinal: true,
      error: new CliError(reason, {
        code: 'unauthorized',
        exit: exitCode.auth,
        hint: 'Run: cli login --token <token>',
      }),
    };
  if (code === 4403 || code === 4404) return { isFinal: true, error: new CliError(reason, { code: 'forbidden' }) };
  return broken(code === 1006 ? 'the connection was lost' : reason || `the service ended it (${code})`);
}

export const offline = () => new CliError('agent offline', { code: 'conflict', exit: exitCode.agentOffline });

const broken = (message: string): StreamEnd => ({ isFinal: false, error: new CliError(message) });
