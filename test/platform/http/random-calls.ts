import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { checkReply } from '../../support/contract-check.ts';
import { factories } from '../../support/factories.ts';
import { randomFrom } from '../../support/random.ts';
import { startScene } from '../../support/scene.ts';
import { randomCallKinds, type RandomCall } from './random-call-kinds.ts';
import { randomObjects } from './random-objects.ts';
import type { World } from '../../support/world.ts';

/** Collections whose objects calls meet on: they can be deleted, revoked, renamed, cancelled or ordered. */
const meetingPlaces = [
  '/api/users',
  '/api/robots',
  '/api/tokens',
  '/api/enrollment-keys',
  '/api/fleets',
  '/api/sites',
  '/api/releases',
  '/api/configs',
  '/api/deployments',
  '/api/configs/deployments',
  '/api/admin/orgs',
  '/api/artifacts',
];
/** New calls are drawn after this many. */
const drawEvery = 6_000;

interface RandomCallsOutcome {
  calls: number;
  statuses: Record<number, number>;
  faults: string[]; // responses of 500 and above, and those that the contract does not allow
}

/**
 * Sends calls of all operations in small groups, one after the other: four independent ones, or two to four that meet
 * on one object. The seed determines the requests, except the ids from the service and the outcome of races.
 */
export async function runRandomCalls(world: World, seed: number, calls: number): Promise<RandomCallsOutcome> {
  const random = randomFrom(seed);
  const scene = await startScene(world);
  const make = factories(world);
  const other = await make.org();
  const otherFleet = await make.fleet(undefined, 'pickers', other.token);
  const objects = randomObjects(random, [other.id, otherFleet.id, otherFleet.site_id]);
  const known: [collection: string, id: string, credential?: string][] = [
    ['/api/sites', scene.siteId],
    ['/api/fleets', scene.fleetId],
    ['/api/enrollment-keys', scene.keyId, scene.keyValue],
    ['/api/robots', scene.robotId, scene.robotToken],
    ['/api/users', scene.userId],
    ['/api/tokens', scene.tokenId],
    ['/api/releases', scene.releaseId],
    ['/api/configs', scene.configId],
    ['/api/deployments', scene.deploymentId],
    ['/api/configs/deployments', scene.configDeploymentId],
  ];
  for (const [collection, id, value] of known) objects.learn(collection, { id, value });
  const { draw, apart, meeting } = randomCallKinds(random, objects, {
    orgToken: world.orgToken,
    adminToken: world.adminToken,
    others: [other.token, `svc_org_${'0'.repeat(64)}`, 'svc_user_', 'x'],
  });
  const agent = new Agent({ keepAlive: true });
  const outcome: RandomCallsOutcome = { calls: 0, statuses: {}, faults: [] };
  const told = ({ method, path, headers, body }: RandomCall) =>
    `${method} ${path} ${JSON.stringify(headers.slice(2))} ${body?.toString().slice(0, 500)}`;

  async function send(call: RandomCall): Promise<void> {
    try {
      const { status, headers, text } = await exchange(world.port, agent, call);
      outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1;
      if (status >= 500) throw new Error(`${status} ${text}`);
      checkReply(call.method, `${world.url}${call.path}`, status, headers, text);
      if (call.method === 'POST' && status < 300)
        objects.learn(call.path, (JSON.parse(text) as { data?: Record<string, unknown> }).data);
    } catch (error) {
      outcome.faults.push(`after ${outcome.calls} calls: ${told(call)}: ${String(error)}`);
    }
  }

  for (let drawn = -Infinity; outcome.calls < calls;) {
    if (outcome.calls - drawn >= drawEvery) {
      draw();
      drawn = outcome.calls;
    }
    const group = random.chance(0.3) ? meeting(meetingPlaces) : apart();
    await Promise.all(group.map(send));
    outcome.calls += group.length;
  }
  agent.destroy();
  return outcome;
}

async function exchange(port: number, agent: Agent, { method, path, headers, body }: RandomCall) {
  const sent = httpRequest({ host: '127.0.0.1', port, agent, method, path, headers });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.end(body);
  const [response] = await answered;
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
  const received = new Headers();
  for (let index = 0; index < response.rawHeaders.length; index += 2)
    received.append(response.rawHeaders[index] ?? '', response.rawHeaders[index + 1] ?? '');
  return { status: response.statusCode ?? 0, headers: received, text };
}
