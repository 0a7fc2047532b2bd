import { IncomingMessage, type IncomingHttpHeaders } from 'node:http';
import type { WebSocket } from 'ws';
import { closeCodes } from '../../generated/protocol.js';
import { messageOf } from '../transport/http.ts';
import { envelopeOf, refusal } from '../api/api-errors.ts';
import { orgHeader, type Api } from '../api/api.ts';
import { authoritiesOf } from '../api/authorities.ts';
import { proxyFor } from '../api/connection.ts';
import { CliError } from '../command-line/errors.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import type { Invocation } from '../command-line/command-spec.ts';

/** How long the answer to a request for a stream may take. */
const answerWithinMs = 15_000;

/** Why a live stream ended, or did not begin. */
export interface StreamEnd {
  /** Trying again cannot help. */
  isFinal: boolean;
  error: CliError;
  /** Nothing answered, or it broke off without a word. Default: false. */
  isBroken?: boolean;
}

export interface ViewerSocket {
  /** Paused: whoever listens resumes it. What comes at once, with the answer, would else come before anybody listens. */
  socket: WebSocket;
  /** Of the answer that opened it. */
  headers: IncomingHttpHeaders;
}

interface ViewerOptions {
  /** The subprotocol to speak; default none. */
  protocol?: string;
  /** A larger frame ends the stream; default 256 KiB. */
  maxFrameBytes?: number;
}

/** Opens the stream at `path`, with its query; or tells why it did not begin. */
export async function openViewer(
  call: Invocation,
  api: Api,
  path: string,
  options: ViewerOptions = {},
): Promise<ViewerSocket | StreamEnd> {
  // A file of its own: no other command needs WebSockets.
  const { openSocket } = await import('../transport/link-socket.ts');
  const { connection } = api;
  const url = new URL(path, connection.baseUrl);
  try {
    const socket = await openSocket(new URL(url.href.replace(/^http/, 'ws')), connection.token ?? '', {
      proxy: proxyFor(url, call.environment),
      authorities: await authoritiesOf(call),
      userAgent: `fleet-cli/${call.version}`,
      ...options,
      headers: orgHeader(connection),
    });
    const opened = await answerOf(socket);
    if (!(opened instanceof IncomingMessage)) return opened;
    return refused({ status: opened.statusCode ?? 0, headers: opened.headers, body: await bodyOf(opened) }, api, path);
  } catch (error) {
    if (error instanceof CliError) throw error;
    return broken(messageOf(error));
  }
}

/** The socket once it is open, or what was answered in place of that. Rejects where the connection broke. */
function answerOf(socket: WebSocket): Promise<ViewerSocket | IncomingMessage> {
  return new Promise((resolve, reject) => {
    let headers: IncomingHttpHeaders = {};
    const tooLate = setTimeout(() => socket.terminate(), answerWithinMs);
    socket.once('close', () => clearTimeout(tooLate));
    socket.on('error', reject);
    socket.once('upgrade', (response) => (headers = response.headers));
    socket.once('unexpected-response', (_request, response: IncomingMessage) => {
      clearTimeout(tooLate);
      resolve(response);
    });
    socket.once('open', () => {
      socket.pause();
      clearTimeout(tooLate);
      socket.off('error', reject);
      resolve({ socket, headers });
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
  if (code === closeCodes.agentOffline) return { isFinal: false, error: offline() };
  if (code === closeCodes.unauthorized)
    return {
      isFinal: true,
      error: new CliError(reason, {
        code: 'unauthorized',
        exit: exitCode.auth,
        hint: 'Run: cli login --token <token>',
      }),
    };
  if (code === closeCodes.forbidden) return { isFinal: true, error: new CliError(reason, { code: 'forbidden' }) };
  if (code === closeCodes.notFound)
    return { isFinal: true, error: new CliError(reason, { code: 'not_found', exit: exitCode.notFound }) };
  if (code === 1006) return broken('the connection was lost');
  return { isFinal: false, error: new CliError(reason || `the service ended it (${code})`) };
}

export const offline = () => new CliError('agent offline', { code: 'conflict', exit: exitCode.agentOffline });

const broken = (message: string): StreamEnd => ({ isFinal: false, isBroken: true, error: new CliError(message) });
