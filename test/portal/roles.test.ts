import { expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { startWorld } from '../support/world.ts';

interface Operation {
  operationId: string;
  security: { bearerAuth?: string[] }[];
  'x-token-kinds': string[];
}

/** As the contract says it: of a person with each role, an org token, a robot, an enrollment key, the admin token. */
function expected({ security, 'x-token-kinds': kinds }: Operation): string[] {
  const roles = ['viewer', 'operator', 'admin'];
  const least = roles.indexOf(security[0]?.bearerAuth?.[0] ?? 'viewer');
  return [
    ...roles.map((_, place) => kinds.includes('user') && place >= least),
    ...['org', 'robot', 'enroll', 'admin'].map((kind) => kinds.includes(kind)),
  ].map((may) => (may ? 'yes' : 'no'));
}

test('the page of the roles says of every operation and stream what the contract says', async () => {
  await using world = await startWorld();
  const answer = await fetch(`${world.url}/docs/roles`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const text = await answer.text();
  const rows = new Map(
    [...text.matchAll(/<code>(\S+ \S+)<\/code>([^]*?)<\/tr>/g)].map(([, name = '', cells = '']) => [
      name,
      [...cells.matchAll(/<td>(?:<span class="no">)?(\w+)</g)].map(([, word]) => word),
    ]),
  );
  const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => typeof operation === 'object' && 'operationId' in operation)
      .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation as unknown as Operation] as const),
  );
  expect(operations.length).toBeGreaterThan(50);
  const streams: [string, string[]][] = [
    ['WebSocket /api/robots/{id}/shell/ws', ['no', 'yes', 'yes', 'yes', 'no', 'no', 'no']],
    ['WebSocket /api/robots/{id}/logs/ws', ['yes', 'yes', 'yes', 'yes', 'no', 'no', 'no']],
    ['WebSocket /api/robots/{id}/camera/ws', ['yes', 'yes', 'yes', 'yes', 'no', 'no', 'no']],
    ['WebSocket /api/robots/{id}/ros/topics/echo', ['yes', 'yes', 'yes', 'yes', 'no', 'no', 'no']],
  ];
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries([...operations.map(([name, operation]) => [name, expected(operation)] as const), ...streams]),
  );
});
