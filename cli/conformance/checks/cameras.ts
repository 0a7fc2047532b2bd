import { limits } from '../../../generated/protocol.js';
import type { Check, CheckContext } from '../check.ts';
import type { DialBack } from '../dial-backs.ts';
import { assertRule } from '../rule.ts';
import { dialledBack } from './dialled-back.ts';

const slowly = 2; // a second
const pictures = 9;
/** A socket is cut by itself 30 s after an unanswered close; the check ends earlier. */
const leastCutMs = 25_000;

const isJpeg = (data: Buffer) =>
  data.length >= 4 &&
  data.length <= limits.maxCameraFrameBytes &&
  data.readUInt16BE(0) === 0xffd8 &&
  data.readUInt16BE(data.length - 2) === 0xffd9;

/** The agent's first camera, after this many pictures. */
async function lookedAt(scene: CheckContext, perSecond: number, count: number): Promise<DialBack> {
  const [camera] = scene.service.links.at(-1)?.hello?.capabilities?.cameras ?? [];
  const stream = await dialledBack(scene, 'camera', { parameters: { camera, per_second: perSecond } });
  await scene.until(() => stream.frames.length >= count, `of ${count} pictures came ${stream.frames.length}`);
  return stream;
}

export const cameraChecks: readonly Check[] = [
  {
    name: 'camera',
    rule: 'A camera: it dials back by the secret, and each binary frame is one whole JPEG',
    async run(scene) {
      await scene.linked('cameras');
      const stream = await lookedAt(scene, 5, 3);
      const odd = stream.frames.findIndex((frame) => typeof frame === 'string' || !isJpeg(frame));
      assertRule(odd < 0, `frame ${odd + 1} is not a JPEG from FFD8 to FFD9`);
    },
  },
  {
    name: 'camera-rate',
    rule: 'A camera sends at most per_second pictures per second',
    async run(scene) {
      await scene.linked('cameras');
      const stream = await lookedAt(scene, slowly, 1);
      const firstAt = performance.now();
      await scene.until(() => stream.frames.length >= pictures, 'pictures stopped coming');
      const span = performance.now() - firstAt;
      // A busy machine may delay the first pictures.
      const leastMs = ((pictures - 1) * 1000) / slowly / 4;
      assertRule(
        span > leastMs,
        `${pictures} pictures came within ${Math.round(span)} ms; ${slowly} a second are wanted`,
      );
    },
  },
  {
    name: 'camera-left',
    rule: 'When the last viewer leaves, it ends the socket of the camera and stops sending; a new viewer gets pictures again',
    async run(scene) {
      await scene.linked('cameras');
      const stream = await lookedAt(scene, 5, 2);
      const before = stream.frames.length;
      stream.socket.close(1000);
      await scene
        .until(() => stream.closed, '', Math.min(leastCutMs, Math.max(limits.lingerMs, scene.timeoutMs)))
        .catch(() => {
          const more = stream.frames.length - before;
          assertRule(
            false,
            `after it was closed with 1000 the socket stayed open, and ${more} pictures more came on it`,
          );
        });
      await lookedAt(scene, 5, 1);
    },
  },
];
