import { limits } from '../../../generated/protocol.js';
import type { Check, CheckContext } from '../check.ts';
import { assertRule, NotSupported } from '../rule.ts';
import type { ServedLink } from '../served-link.ts';

/** One per second: an agent that has not requested another token by then keeps its token. */
const quietBeats = 5;

/**
 * A link on which the agent was told to request another token, and did. @throws NotSupported when it does not: rotation
 * is optional
 */
async function asked(scene: CheckContext): Promise<ServedLink> {
  const { asks } = scene.service.tokens;
  const link = await scene.linked();
  link.send({ type: 'rotate' });
  const beats = () => link.framesOf('heartbeat').length;
  const before = beats();
  await scene.until(
    () => asks.length > 0 || link.closed || beats() > before + quietBeats,
    'asked to rotate its token, it stopped sending heartbeats',
  );
  if (asks.length === 0 && !link.closed) throw new NotSupported('asked to, it did not rotate its token');
  assertRule(asks.length > 0, `asked to rotate its token, it closed the link with ${link.closed?.code}`);
  return link;
}

export const tokenChecks: readonly Check[] = [
  {
    name: 'rotate',
    rule: 'Asked to rotate its token, it requests a new one, uses it at once, which ends the previous one, and keeps it over restarts',
    async run(scene) {
      const { service } = scene;
      const { tokens } = service;
      const before = tokens.present;
      const link = await asked(scene);
      await scene.until(
        () => tokens.present !== before,
        'it never showed the new token: the one before stays good for a day',
      );
      await scene.until(() => tokens.asks.length > 1, 'it did not say the same request again with the new token');
      assertRule(link.closed === undefined, `the link was closed with ${link.closed?.code}; it is to stay`);
      link.socket.terminate();
      await scene.linkAfter(1, limits.deadAfterMs);
      await scene.subject().end();
      scene.start();
      await scene.linkAfter(2);
      assertRule(service.enrollments.length === 1, 'it enrolled again');
    },
  },
  {
    name: 'rotate-again',
    rule: 'When the response with the new token is lost, it retries with the same nonce',
    async run(scene) {
      const { asks } = scene.service.tokens;
      scene.service.onToken = () => (asks.length === 1 ? 'lost' : undefined);
      await asked(scene);
      await scene.until(() => asks.length > 1, 'it did not ask again', limits.deadAfterMs);
      const [first, second] = asks.map(({ nonce }) => nonce);
      assertRule(first === second, 'it asked again with another nonce: the service makes another token of that');
    },
  },
];
