import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../../generated/protocol.js';
import { messageOf, send, type HttpReply } from '../../transport/http.ts';
import { multipartPictures } from './multipart.ts';
import { leastPerSecond, usualSilenceMs, type CameraSource } from './source.ts';
import { tooLarge } from './split.ts';
import { wholeJpeg } from './jpeg-scanner.ts';

/** Maximum rate of requests for single pictures, whatever rate is wanted. */
const maxPollsPerSecond = 10;
/** The rate when no limit is wanted. */
const usualPollsPerSecond = 5;

interface HttpCamera {
  /** With the camera's name and password, if it requires them. */
  url: URL;
  /** CA certificates in PEM for the camera; default: those that Node trusts. */
  authorities?: readonly string[] | undefined;
}

/** A network camera: a stream of pictures (multipart), or one picture that is requested repeatedly. */
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
            // Checked before the body, which may have no end.
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

/** Undefined for anything but a multipart stream. */
function boundaryOf({ 'content-type': type = '' }: IncomingHttpHeaders): string | undefined {
  if (!/^multipart\//i.test(type)) return undefined;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  return quoted ?? plain;
}

/** Why a response is not a picture. */
function refusalOf({ status, headers }: Pick<HttpReply, 'status' | 'headers'>): string | undefined {
  const { 'content-type': type = 'no Content-Type', location } = headers;
  if (status === 401 || status === 403) return `it responds with ${status}: the name and password are missing or wrong`;
  if (status >= 300 && status < 400) return `it redirects${placeOf(location)}, which is not followed: use that address`;
  if (status !== 200) return `it responds with ${status}`;
  if (/^multipart\//i.test(type)) return boundaryOf(headers) === undefined ? 'its stream has no boundary' : undefined;
  if (!/^image\/jpe?g\b/i.test(type))
    return `it sends ${type.slice(0, 40)}, not image/jpeg or a multipart stream of it`;
  return undefined;
}

/** Only the host: the rest may contain a password. */
const placeOf = (location: string | undefined) =>
  location !== undefined && URL.canParse(location) ? `, to ${new URL(location).host}` : '';
