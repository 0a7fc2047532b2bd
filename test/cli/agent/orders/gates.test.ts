import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { robotGates, type GateSettings, type RobotState } from '../../../../cli/agent/gates/gates.ts';
import { configOrder } from '../../../support/orders.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const order = configOrder([{ key: 'a', value: '1' }]);
const never = new AbortController().signal;

/** The gates of a robot in this state. */
const ask = (settings: GateSettings, state: RobotState = {}, folder = '/') =>
  robotGates(settings, { look: async () => state, folder, environment: { PATH: process.env['PATH'] ?? '' } })(
    order,
    never,
  );

test.each<[string, GateSettings, RobotState, object | undefined]>([
  [
    'a low battery',
    { batteryPercent: 30 },
    { battery: { percent: 29.9 } },
    { holder: 'battery', reason: '29 %, needs 30 %' },
  ],
  ['an unknown battery', { batteryPercent: 30 }, {}, { holder: 'battery', reason: 'unknown, needs 30 %' }],
  ['enough charge', { batteryPercent: 30 }, { battery: { percent: 30 } }, undefined],
  [
    'a robot on its way',
    { docked: true },
    { docked: false, battery: { charging: true } },
    { holder: 'docked', reason: 'not docked' },
  ],
  ['a robot without a dock sensor', { docked: true }, {}, { holder: 'docked', reason: 'unknown' }],
  ['a robot that is charged', { docked: true }, { battery: { charging: true } }, undefined],
  [
    'a mission',
    { noMission: true },
    { mission: { state: 'active', name: 'Dock 3' } },
    { holder: 'mission', reason: 'active: Dock 3' },
  ],
  [
    'a mission in a state of tomorrow',
    { noMission: true },
    { mission: { state: 'parking' } },
    { holder: 'mission', reason: 'parking' },
  ],
  ['an unknown mission', { noMission: true }, {}, { holder: 'mission', reason: 'unknown' }],
  ['no mission', { noMission: true }, { mission: { state: 'idle' } }, undefined],
  ['an emergency stop', { noEstop: true }, { estop: true }, { holder: 'estop', reason: 'active' }],
  ['an unknown emergency stop', { noEstop: true }, {}, { holder: 'estop', reason: 'unknown' }],
  ['no emergency stop', { noEstop: true }, { estop: false }, undefined],
  ['gates that are switched off', { docked: false, noMission: false, noEstop: false }, {}, undefined],
  [
    'a full disk',
    { freeMegabytes: 100_000_000 },
    {},
    { holder: 'disk', reason: expect.stringMatching(/^\d+ MB free, needs 100000000 MB$/) },
  ],
  ['enough disk', { freeMegabytes: 1 }, {}, undefined],
  [
    'several',
    { batteryPercent: 30, noEstop: true },
    { battery: { percent: 10 }, estop: true },
    { holder: 'battery', reason: '10 %, needs 30 %' },
  ],
])('a gate with %s', async (_what, settings, state, expected) => {
  expect(await ask(settings, state)).toEqual(expected);
});

test('the command of the robot opens its gate with 0, and says why with its first line otherwise', async () => {
  await using dir = await tempDir();
  const program = join(dir.path, 'may-update');
  const says = async (script: string, settings: GateSettings = {}) => {
    await writeFile(program, `#!/bin/sh\n${script}\n`);
    await chmod(program, 0o700);
    return ask({ command: program, ...settings });
  };
  expect(await says('exit 0')).toBeUndefined();
  expect(await says('echo "lift 2 holds it"; echo more; exit 75')).toEqual({
    holder: 'command',
    reason: 'lift 2 holds it',
  });
  expect(await says('exit 3')).toEqual({ holder: 'command', reason: 'it exited with 3' });
  expect(await says('yes "$(printf %s é)" | head -c 100000 | tr -d "\\n"; exit 1')).toEqual({
    holder: 'command',
    reason: 'é'.repeat(100),
  });
  expect(await says('sleep 30', { commandSeconds: 1 })).toEqual({
    holder: 'command',
    reason: 'it took longer than 1 s and was ended',
  });
  expect(await says('echo "$SVC_LANE $SVC_ORDER_ID $SVC_DEPLOYMENT_IDS"; exit 1')).toEqual({
    holder: 'command',
    reason: `config ${order.order_id} ${order.deployments[0]}`,
  });
});
