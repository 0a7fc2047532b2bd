import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../../generated/protocol.js';
import { messageOf, send, type HttpReply } from '../../transport/http.ts';
import { multipartPictures } from './multipart.ts';
import { leastPerSecond, usualSilenceMs, type CameraSource } from './source.ts';
import { tooLarge } from './split.ts';
import { wholeJpeg } from './jpeg-scanner.ts';

/** Single pictures are asked for no more often than this, whatever is wanted. */
const maxPollsPerSecond = 10;
/** And this often where as many are wanted as there are. */
const usualPollsPerSecond = 5;

interface HttpCamera {
  /** With the name and password of the camera, where it wants them. */
  url: URL;
  /** Certificates in PEM that a camera's must lead to; default: those Node trusts. */
  authorities?: readonly string[] | undefined;
}

/** A network camera: a stream of pictures (multipart), or one picture that is asked for again and again. */
export function httpCamera({ url, authorities }: HttpCamera): CameraSource {
  return {
    silentAfterMs: usualSilenceMs,
    start(on, perSecond) {
      const ended = new AbortController();
      const { signal } = ended;
      let wanted = perSecond;

      function failed(reason: string): void {
        if (signal.aborted) return;
        ended.abort();
        on.failed(reason);
      }

      const ask = () =>
        send({
          method: 'GET',
          url,
          headers: { Accept: 'multipart/x-mixed-replace, image/jpeg', 'User-Agent': 'fleet-agent' },
          authorities,
          signal,
          maxReplyBytes: limits.maxCameraFrameBytes,
          taker(status, headers) {
            // Before its body: that may have no end.
            const why = refusalOf({ status, headers });
            if (why !== undefined) failed(why);
            const boundary = why === undefined ? boundaryOf(headers) : undefined;
            const take = boundary === undefined ? undefined : multipartPictures(boundary, { ...on, failed });
            return take && (async (chunk) => take(chunk));
          },
        });

      async function run(): Promise<void> {
        for (;;) {
          const askedMs = performance.now();
          const reply = await ask();
          if (signal.aborted) return;
          if (boundaryOf(reply.headers) !== undefined) return failed('it ended the stream');
          const picture = wholeJpeg(reply.body);
          if (picture) on.picture(Buffer.from(picture));
          else on.broken();
          const polls = Math.min(wanted ?? usualPollsPerSecond, maxPollsPerSecond);
          const nextMs = 1000 / Math.max(leastPerSecond, polls);
          await pause(Math.max(0, askedMs + nextMs - performance.now()), undefined, { signal });
        }
      }

      const running = run().catch((error: unknown) => {
        const message = messageOf(error);
        failed(message.startsWith('the reply is larger') ? tooLarge(limits.maxCameraFrameBytes) : message);
      });
      return {
        pace: (next) => void (wanted = next),
        async stop() {
          ended.abort();
          await running;
        },
      };
    },
  };
}

/** Undefined for anything but a stream of parts. */
function boundaryOf({ 'content-type': type = '' }: IncomingHttpHeaders): string | undefined {
  if (!/^multipart\//i.test(type)) return undefined;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  return quoted ?? plain;
}

/** Why an answer is no picture. */
function refusalOf({ status, headers }: Pick<HttpReply, 'status' | 'headers'>): string | undefined {
  const { 'content-type': type = 'no Content-Type', location } = headers;
  if (status === 401 || status === 403) return `it answers ${status}: it wants a name and a password, or others`;
  if (status >= 300 && status < 400)
    return `it leads elsewhere${placeOf(location)}, which is not followed: give that address`;
  if (status !== 200) return `it answers ${status}`;
  if (/^multipart\//i.test(type)) return boundaryOf(headers) === undefined ? 'its stream names no boundary' : undefined;
  if (!/^image\/jpe?g\b/i.test(type))
    return `it gives ${type.slice(0, 40)}, neither image/jpeg nor a stream of such (multipart)`;
  return undefined;
}

/** The host alone: the rest may hold a password. */
const placeOf = (location: string | undefined) =>
  location !== undefined && URL.canParse(location) ? `, to ${new URL(location).host}` : '';
