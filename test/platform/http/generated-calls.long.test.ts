import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callThatWorks, invalidCall, validCall, type Sent } from '../../support/arbitraries.ts';
import { headersFor, operations, type Operation } from '../../support/operations.ts';
import { startScene, type Scene } from '../../support/scene.ts';
import { runRandomCalls } from './random-calls.ts';
import { startIsolatedWorld, type Answer, type World } from '../../support/world.ts';

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;
/** Of each operation; `npm run test:long` makes more. */
const callsEach = process.env['FAULT_ROUNDS'] === undefined ? 60 : 200;
/** `CALLS_SEED` repeats a run that failed. */
const seed = Number(process.env['CALLS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const callCount = process.env['FAULT_ROUNDS'] === undefined ? 2_000 : 60_000;
/** An org has at most 100, 50 or 20 of these, of which other operations need some. */
const limited: Record<string, number> = {
  createConditionRule: 60,
  createRolloutPolicy: 60,
  createDisruptionBudget: 8,
  createLogRedaction: 20,
};
const ajv = new Ajv2020({ strict: false, formats: { int32: true, int64: true } });
addFormats(ajv);

/** Every operation with what it needs to be called; three at a time, for a list without a limit takes one of the org's four places. */
async function eachOperation(
  world: World,
  check: (operation: Operation, ids: Record<string, string>, send: (sent: Sent) => Promise<Answer>) => Promise<void>,
): Promise<void> {
  const scene = await startScene(world);
  // While the org is frozen, no deployment begins that another operation needs.
  const [freezing, others] = [true, false].map((wanted) => operations.filter(({ id }) => freezes.test(id) === wanted));
  const worker = async (waiting: Iterable<Operation>) => {
    for (const operation of waiting) {
      const token = scene.tokenFor(operation);
      const { path, body: example = {} } = await scene.call(operation);
      const { plan_hash: hash } = example as { plan_hash?: string };
      await check(
        operation,
        { ...idsOf(scene, path), ...(hash !== undefined && { plan_hash: hash }) },
        ({ pathId, query, body }) => {
          const asked = query.length === 0 ? '' : `?${new URLSearchParams(inOrder(query)).toString()}`;
          const at = operation.path.replace(/\{\w+\}/, encodeURIComponent(pathId ?? ''));
          return world.call(operation.method, `${at}${asked}`, {
            token,
            headers: headersFor(operation),
            body: body === undefined ? undefined : JSON.stringify(body),
          });
        },
      );
    }
  };
  const shared = (others ?? []).values();
  await Promise.all([worker(shared), worker(shared), worker(shared)]);
  await worker(freezing ?? []);
}

const freezes = /^(set|delete)DeploymentFreeze$/;

/** Two times of a span as they must follow each other. */
function inOrder(query: [string, string][]): [string, string][] {
  const [since, until] = ['since', 'until'].map((name) => query.find(([each]) => each === name));
  if (since && until && Date.parse(since[1]) > Date.parse(until[1])) [since[1], until[1]] = [until[1], since[1]];
  // A span of metrics is not empty.
  if (since && until?.[1] === since[1]) until[1] = new Date(Date.parse(since[1]) + 1).toISOString();
  return query;
}

/** What a field of this name may refer to. The object of the path is one that was made for the operation: others need theirs. */
const idsOf = (scene: Scene, path: string): Record<string, string> => ({
  ...Object.fromEntries(
    path
      .split('/')
      .filter((part) => /^[\da-f-]{36}$/.test(part))
      .map((part) => ['id', part]),
  ),
  digest: path.split('/').find((part) => /^[\da-f]{64}$/.test(part)) ?? '',
  sha256: path.split('/').find((part) => /^[\da-f]{64}$/.test(part)) ?? '',
  site_id: scene.siteId,
  fleet_id: scene.fleetId,
  user_id: scene.userId,
  robot_id: scene.robotId,
  release_id: scene.releaseId,
  config_id: scene.configId,
  rollout_policy_id: scene.policyId,
  plan_id: scene.planId,
  target_id: scene.fleetId,
});

test('every call that fits the contract is taken; only objects that do not exist, or are not in a state for it, stand in its way', async () => {
  await using world = await startIsolatedWorld();
  const seen = new Map<string, Set<number>>();
  await eachOperation(world, async (operation, ids, send) => {
    const statuses = new Set<number>();
    seen.set(operation.id, statuses);
    // The first one works, as few of the others may: an order needs its release, its target and the target's kind at once.
    const first = callThatWorks(operation, { ...ids, target_kind: 'fleet' });
    await fc.assert(
      fc.asyncProperty(validCall(operation, ids), async (sent) => {
        const answer = await send(sent);
        statuses.add(answer.status);
        expect([200, 201, 404, 409], `${operation.id}: ${answer.text}`).toContain(answer.status);
      }),
      { numRuns: limited[operation.id] ?? callsEach, examples: first.map((sent) => [sent]) },
    );
  });
  // Each operation did its work at least once.
  expect([...seen].filter(([, statuses]) => !statuses.has(200) && !statuses.has(201))).toEqual([]);
}, 300_000);

test('every call with one fault is refused with 400 in the envelope and leaves nothing behind', async () => {
  await using world = await startIsolatedWorld();
  let before = 0;
  await eachOperation(world, async (operation, ids, send) => {
    const fits = ajv.compile(operation.body?.schema ?? {});
    await fc.assert(
      fc.asyncProperty(invalidCall(operation, ids), async ({ fault, ...sent }) => {
        // The fault must be one: a mutation that still fits would prove nothing.
        if (fault.startsWith('body.') || fault.startsWith('no body.')) expect(fits(sent.body), fault).toBe(false);
        const answer = await send(sent);
        expect(answer.status, `${operation.id}, ${fault}: ${answer.text}`).toBe(400);
      }),
      { numRuns: callsEach },
    );
    before += 1;
  });
  expect(before).toBe(operations.length);
  const made = await world.db('audit').whereNot({ actor_kind: 'system' }).select('operation');
  const expected = await madeByTheScene();
  expect(made.map(({ operation }: { operation: string }) => operation).sort()).toEqual(expected);
}, 300_000);

/** The audit rows of a world in which nobody did anything but make the scene. */
async function madeByTheScene(): Promise<string[]> {
  await using world = await startIsolatedWorld();
  await eachOperation(world, async () => {});
  const rows = await world.db('audit').whereNot({ actor_kind: 'system' }).select('operation');
  return rows.map(({ operation }: { operation: string }) => operation).sort();
}

test(`no mix of valid, invalid, hostile and racing calls of any operation gets a 5xx or a reply that the contract lacks (CALLS_SEED=${seed})`, async () => {
  await using world = await startIsolatedWorld();
  const { faults, statuses } = await runRandomCalls(world, seed, callCount);

  expect(faults).toEqual([]);
  // It was not all in vain: calls of every kind did their work, and were refused for each reason.
  for (const status of [200, 201, 400, 401, 403, 404, 405, 409, 431])
    expect(statuses[status], String(status)).toBeGreaterThan(0);
}, 1_800_000);
