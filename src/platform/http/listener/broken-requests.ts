import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HttpError, toFailure } from '../reply/failures.ts';

/** How long a refused caller may take to read its refusal and close. */
const lingerMs = 2_000;

/**
 * Answers what Node's parser refuses before there is a request: in the envelope, and in its turn. Whole requests that stand before the broken
 * one on its connection are answered first; an answer written past them would be taken for theirs.
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
      // Nothing of Node's watches this connection any more: a caller that does not close its side would keep it for ever.
      socket.once('finish', () => setTimeout(() => socket.destroy(), lingerMs).unref());
      socket.end(refusal);
    }
  }

  return {
    /** To be called with every request that the parser lets through. */
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

    /** The listener of `connect`: a tunnel, for which Node hands over the socket. Without a listener it closes it without a word. */
    refuseTunnel(_request: IncomingMessage, socket: Socket): void {
      socket.on('error', () => socket.destroy()); // Node's own listener went with its parser
      socket.resume(); // what stands behind it is read and thrown away, else the answer could be lost in a reset
      refuse(socket, rawAnswer(400, 'the request line must name a path'));
    },
  };
}

/** `rawPacket` is what was parsed when the fault was found, up to `bytesParsed`. */
interface ParserError extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
  bytesParsed?: number;
}

/** Whether the fault is in a HEAD request. Node gives no method before the headers end, so the request line must be in the same packet. */
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
      400: 'not a request of HTTP/1.1',
    }[status] ?? '';
  return rawAnswer(status, message, isHead);
}

/** `isHead`: without the body that the headers describe (RFC 9110 §9.3.2). */
function rawAnswer(status: number, message: string, isHead = false): string {
  const body = JSON.stringify({
    error: { code: status === 400 ? 'bad_request' : toFailure(new HttpError(status, message)).code, message },
  });
  return `HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${isHead ? '' : body}`;
}
