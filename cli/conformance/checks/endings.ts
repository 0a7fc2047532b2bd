import { setTimeout as pause } from 'node:timers/promises';
import { closeCodes, limits } from '../../../generated/protocol.js';
import type { Check, CheckContext } from '../check.ts';
import type { Refusal } from '../test-service.ts';
import { assertRule } from '../rule.ts';

const retryAfterSeconds = 4;
const toleranceMs = 100;
/** A first retry comes within 2 s; an agent that is quiet for longer has stopped. */
const quietMs = 6_000;
/** Waits that differ by less are equal, measured on a busy machine. */
const sameWithinMs = 60;
/** Doubling waits always differ by more than this; constant waits differ by less, even on a busy machine. */
const evenWithinMs = 250;

/**
 * How long the agent was disconnected. Not from the answer to the close, which may arrive after the agent received the
 * close.
 */
const waitSince = ({ service }: CheckContext, endedAt: number, tries: number) =>
  (service.tries[tries]?.at ?? Infinity) - endedAt;

/** Returns a function that says whether the agent has reported nothing since: no output, and no exit with a failure. */
function silenceOf({ subject }: CheckContext): () => boolean {
  const before = subject().saidBytes();
  return () => {
    const ended = subject().ended();
    return subject().saidBytes() === before && (ended === undefined || ended.code === 0);
  };
}

const staysAway = (name: string, rule: string, code: number): Check => ({
  name,
  rule,
  async run(scene) {
    const { service } = scene;
    const link = await scene.linked();
    const isSilent = silenceOf(scene);
    link.socket.close(code, 'conformance');
    await pause(quietMs);
    assertRule(service.tries.length === 1, `it tried to come back after a close with ${code}`);
    assertRule(!isSilent(), `after a close with ${code} it said nothing, and did not end as a failure`);
  },
});

const isRefused = (name: string, rule: string, status: number): Check => ({
  name,
  rule,
  async run(scene) {
    const { service } = scene;
    service.onUpgrade = () => ({ status });
    scene.start();
    const isSilent = silenceOf(scene);
    await scene.until(() => service.tries.length > 0, 'it opened no link');
    await pause(quietMs);
    assertRule(service.tries.length === 1, `it tried ${service.tries.length} times`);
    assertRule(!isSilent(), `after a ${status} it said nothing, and did not end as a failure`);
  },
});

const triesAgain = (name: string, rule: string, refusal: Refusal, leastSeconds: number): Check => ({
  name,
  rule,
  async run({ start, service, linkAfter }) {
    service.onUpgrade = () => (service.tries.length === 1 ? refusal : undefined);
    start();
    await linkAfter(0, limits.deadAfterMs);
    const waited = (service.tries[1]?.at ?? 0) - (service.tries[0]?.at ?? 0);
    assertRule(
      waited >= leastSeconds * 1000 - toleranceMs,
      `it came back after ${Math.round(waited)} ms; ${leastSeconds} s are the least`,
    );
  },
});

export const endingChecks: readonly Check[] = [
  {
    name: 'reconnect',
    rule: 'It comes back by itself after 1012, 1001 and a lost connection, after 1 s or more, longer each time and by chance',
    async run(scene) {
      const ends = [
        () => scene.service.links[0]?.socket.close(closeCodes.restarting),
        () => scene.service.links[1]?.socket.close(1001),
        () => scene.service.links[2]?.socket.terminate(),
      ];
      await scene.linked();
      const waits: number[] = [];
      for (const [index, end] of ends.entries()) {
        const endedAt = performance.now();
        end();
        await scene.linkAfter(index + 1, scene.timeoutMs + limits.deadAfterMs);
        waits.push(waitSince(scene, endedAt, index + 1));
      }
      const waited = waits.map((wait) => `${Math.round(wait)} ms`).join(', ');
      assertRule(Math.min(...waits) >= 1000 - toleranceMs, `it waited ${waited}`);
      const [first = 0, second = 0, third = 0] = waits;
      const near = (one: number, other: number, withinMs = sameWithinMs) => Math.abs(one - other) < withinMs;
      const isEven = near(first, second, evenWithinMs) && near(second, third, evenWithinMs);
      const isDoubled = near(2 * first, second) && near(2 * second, third);
      assertRule(
        !isEven && !isDoubled,
        `it waited ${waited}, as every other agent of its kind would: nothing in it is random`,
      );
    },
  },
  {
    name: 'dead-link',
    isSlow: true,
    rule: 'A link without any frame for 30 s is closed, and a new one is opened',
    async run({ linked, linkAfter, timeoutMs }) {
      const { socket } = await linked();
      // Nothing is read or answered, as on a broken mobile link.
      socket.pause();
      // An agent may check for silence only at its own pings.
      await linkAfter(1, limits.deadAfterMs + Math.max(limits.pingEveryMs, timeoutMs));
    },
  },
  {
    name: 'replaced',
    isSlow: true,
    rule: 'After 4409 it waits 30 s or more before it comes back',
    async run(scene) {
      const link = await scene.linked();
      const endedAt = performance.now();
      link.socket.close(closeCodes.replaced, 'a newer link took its place');
      await scene.until(
        () => scene.service.tries.length > 1 || scene.subject().ended(),
        'it did not come back',
        limits.replacedWaitMs * 2 + scene.timeoutMs,
      );
      const waited = waitSince(scene, endedAt, 1);
      assertRule(waited >= limits.replacedWaitMs - toleranceMs, `it came back after ${Math.round(waited)} ms`);
    },
  },
  staysAway(
    'unauthorized',
    'After 4401 it says so and does not come back: the token is no longer valid',
    closeCodes.unauthorized,
  ),
  staysAway('forbidden', 'After 4403 it says so and does not come back', closeCodes.forbidden),
  staysAway(
    'protocol',
    'After 4426 it says so and does not come back: the service does not speak its protocol',
    closeCodes.protocolUnsupported,
  ),
  isRefused('refused', 'A link that is refused with 401 is not retried, and the agent reports it', 401),
  isRefused('protocol-refused', 'A link that is refused with 426 is not retried, and the agent reports it', 426),
  triesAgain(
    'proxy',
    'A link that is refused with 426 and Upgrade: websocket, as by a proxy, is retried after 1 s or more',
    { status: 426, headers: { Upgrade: 'websocket' } },
    1,
  ),
  triesAgain(
    'suspended',
    'A link that is refused with 401 and Retry-After, as for a suspended org, is retried after that time',
    { status: 401, headers: { 'Retry-After': String(retryAfterSeconds) } },
    retryAfterSeconds,
  ),
  triesAgain(
    'retry-after',
    'A link that is refused with 503 is retried, and not before its Retry-After',
    { status: 503, headers: { 'Retry-After': String(retryAfterSeconds) } },
    retryAfterSeconds,
  ),
];
