import { shortForm, type Fault, type Scene } from './fault.ts';
import type { Wire, WireMode } from './wire.ts';

/** A response of an S3 store. */
const s3Error = (status: string, code: string): WireMode => {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/xml\r\nContent-Length: ${body.length}\r\nConnection: close`;
  return { response: `${head}\r\n\r\n${body}` };
};

/** Puts these wires into a mode for a time. */
async function spoil(wires: readonly (Wire | undefined)[], mode: WireMode, seconds: number, { wait }: Scene) {
  const all = wires.filter((wire) => wire !== undefined);
  for (const wire of all) wire.mode = mode;
  await wait(seconds);
  for (const wire of all) wire.mode = 'pass';
}

const ofS3 = (
  [name, mode, seconds]: [name: string, mode: WireMode, seconds: number],
  more: Pick<Fault, 'isShort' | 'tests'> = {},
): Fault => ({
  name,
  promise: 'Uploads get 503 and resume; everything else works',
  ...more,
  inflict: (scene) => spoil([scene.service.wires.s3], mode, seconds, scene),
  limits: { disturbedSeconds: seconds + 40 },
});

const s3Tests = ['artifacts/artifacts-s3.process.test.ts'];

export const dependencyFaults: readonly Fault[] = [
  {
    name: 'NATS is killed for 10 s',
    promise: 'Orders and revocations take a second longer; no call fails',
    tests: ['faults/nats.process.test.ts'],
    async inflict({ service: { nats }, wait }) {
      await nats.stop();
      await wait(10);
      await nats.start();
    },
    limits: { disturbedSeconds: 2, revokedSeconds: 5 },
  },
  {
    name: 'NATS is slow (500 ms each way)',
    promise: 'Orders and revocations take a second longer; no call fails',
    tests: shortForm,
    isShort: true,
    inflict: (scene) => spoil(scene.service.wires.nats, { delayMs: 500 }, 15, scene),
    limits: { disturbedSeconds: 2, revokedSeconds: 5 },
  },
  {
    name: 'NATS is partitioned from one replica for 20 s',
    promise: 'Orders and revocations take a second longer there; no call fails',
    tests: ['platform/bus/bus.isolated.test.ts'],
    inflict: (scene) => spoil([scene.random.pick(scene.service.wires.nats)], 'silent', 20, scene),
    limits: { disturbedSeconds: 2, revokedSeconds: 5 },
  },
  ofS3(['The S3 store is down for 10 s', 'refuse', 10], { tests: s3Tests }),
  ofS3(['The S3 store is slow (1 s each way)', { delayMs: 1_000 }, 15], { tests: s3Tests }),
  ofS3(['The S3 store returns 500', s3Error('500 Internal Server Error', 'InternalError'), 10]),
  ofS3(['The S3 store returns 403', s3Error('403 Forbidden', 'AccessDenied'), 10], { isShort: true, tests: shortForm }),
];
