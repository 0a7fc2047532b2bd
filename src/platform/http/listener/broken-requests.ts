import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HttpError, toFailure } from '../reply/failures.ts';

/** Time for a refused caller to read the refusal and close. */
const lingerMs = 2_000;

/**
 * Responds to input that Node's parser rejects before a request exists: in the error envelope and in order. Complete
 * requests before the broken one on the same connection get their responses first. Otherwise the refusal would be taken
 * for theirs.
 */
export function brokenRequests() {
  const unanswered = new WeakMap<Socket, ServerResponse[]>();
  const waiting = (socket: Socket) => (unanswered.get(socket) ?? []).filter((response) => !response.destroyed);

  function refuse(socket: Socket, refusal: string): void {
    const open = waiting(socket);
    const last = open.filter(({ req }) => req.complete).at(-1);
    if (last) {
      last.shouldKeepAlive = false;
      last.once('close', () => socket.destroySoon());
    } else if (open.some(({ headersSent }) => headersSent)) socket.destroySoon();
    else {
      // Node no longer supervises this connection: a caller that does not close its side would keep it open forever.
      socket.once('finish', () => setTimeout(() => socket.destroy(), lingerMs).unref());
      socket.end(refusal);
    }
  }

  return {
    /** Call it for every request that the parser accepts. */
    note({ socket }: IncomingMessage, response: ServerResponse): void {
      unanswered.set(socket, [...waiting(socket), response]);
    },

    hasUnanswered: (socket: Socket): boolean => waiting(socket).length > 0,

    /** The listener of `clientError`. */
    answer(error: ParserError, socket: Socket): void {
      if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
      const begun = waiting(socket).at(-1)?.req;
      const isHead = begun && !begun.complete ? begun.method === 'HEAD' : isInHead(error);
      refuse(socket, refusalOf(error, isHead));
    },

    /**
     * The listener of `connect`: a tunnel request, for which Node passes the socket on. Without a listener Node closes
     * it without a response.
     */
    refuseTunnel(_request: IncomingMessage, socket: Socket): void {
      socket.on('error', () => socket.destroy()); // Node's own listener was removed with its parser
      socket.resume(); // read and discard the rest, or a reset could lose the response
      refuse(socket, rawAnswer(400, 'the request line must contain a path'));
    },
  };
}

/** `rawPacket` is the packet in which the fault was found, parsed up to `bytesParsed`. */
interface ParserError extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
  bytesParsed?: number;
}

/**
 * Whether the fault is in a HEAD request. Node gives no method before the headers end, so the request line must be in
 * the same packet.
 */
function isInHead({ rawPacket, bytesParsed }: ParserError): boolean {
  const parsed = rawPacket?.toString('latin1', 0, bytesParsed) ?? '';
  return parsed.split('\r\n\r\n').at(-1)?.trimStart().startsWith('HEAD ') ?? false;
}

function refusalOf({ code }: NodeJS.ErrnoException, isHead: boolean): string {
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[code ?? ''] ?? 400;
  const message =
    {
      431: 'the headers are larger than 16 KiB',
      408: 'the request did not arrive in time',
      400: 'not an HTTP/1.1 request',
    }[status] ?? '';
  return rawAnswer(status, message, isHead);
}

/** `isHead`: omits the body that the headers describe (RFC 9110 §9.3.2). */
function rawAnswer(status: number, message: string, isHead = false): string {
  const body = JSON.stringify({
    error: { code: status === 400 ? 'bad_request' : toFailure(new HttpError(status, message)).code, message },
  });
  return `HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${isHead ? '' : body}`;
}
