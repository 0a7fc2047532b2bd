import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Order } from '../../../../generated/frames.js';
import type { Handler, OrderContext } from '../../../../cli/agent/orders/handler.ts';
import { canonicalJson } from '../../../../cli/agent/signatures/canonical.ts';
import { signatureGate } from '../../../../cli/agent/signatures/gate.ts';
import { isSignedBy, decodeSignature } from '../../../../cli/agent/signatures/statement.ts';
import { publicKeyOf, signersPath, writeSigners } from '../../../../cli/files/signers.ts';
import { orderOf, releaseOrder, sha256 } from '../../../support/orders.ts';
import { entryDigestOf, newSigner, nextSequence, sealed, type Statement } from '../../../support/signing.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { testWith } from '../../../support/tools.ts';

const signer = newSigner();
const stranger = newSigner();
const robot = { orgId: 'o-1', robotId: 'r-1', siteId: 's-1', fleetId: 'f-1' };
const hourMs = 3_600_000;
const after = (ms: number) => new Date(Date.now() + ms).toISOString();

/** What was said by the gate of a robot on a disk of its own. */
async function startGate(now?: () => number) {
  const dir = await tempDir();
  const path = signersPath(dir.path);
  const keys = new Map([signer, newSigner()].map(({ keyId, publicPem }) => [keyId, publicKeyOf(publicPem)!] as const)); // eslint-disable-line @typescript-eslint/no-non-null-assertion -- just made
  await writeSigners(path, { robotId: 'r-1', keys, accepted: new Map() });
  const steps: string[] = [];
  const handler: Handler = {
    download: async () => void steps.push('download'),
    activate: async () => void steps.push('activate'),
    verify: async () => '',
  };
  const guarded = (order: Order, step: 'download' | 'activate') => {
    // A gate of its own each time, as after a crash.
    const gate = signatureGate({ configDirectory: dir.path, robot, ...(now && { now }) });
    const make = () => (step === 'download' && steps.push('made'), handler);
    return gate.guard({ order, payload: order.payload ?? '' } as OrderContext, step, make);
  };
  const outcome = (done: Promise<unknown> | undefined) =>
    Promise.resolve(done).then(
      () => 'taken',
      (error: unknown) => (error as { reason?: string }).reason ?? String(error),
    );
  return {
    path,
    steps,
    download: (order: Order) => outcome(guarded(order, 'download').then((made) => made.download?.())),
    activate: (order: Order) => outcome(guarded(order, 'activate').then((made) => made.activate())),
    message: (order: Order) => guarded(order, 'download').then(String, (error: unknown) => (error as Error).message),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

type Wish = Partial<Statement>;

/** A release that is signed for this robot, but for what is given. */
function signed(wish: Wish = {}, by = signer, content = 'v1'): Order {
  const fields = by.sign({ org_id: 'o-1', scope: 'robot:r-1', lane: 'release:file', digest: sha256(content), ...wish });
  return releaseOrder('file', content, fields);
}

interface SignedEntry {
  key: string;
  value: string;
  signature?: string;
  key_id?: string;
}

const signedEntry = (key: string, value: string, wish: Wish = {}): SignedEntry => ({
  key,
  value,
  ...signer.sign({
    org_id: 'o-1',
    scope: 'fleet:f-1',
    lane: 'config',
    digest: entryDigestOf('nav', key, value),
    ...wish,
  }),
});

const configOf = (...entries: SignedEntry[]): Order => {
  const texts = entries.map(({ key, value, ...fields }) => {
    const rest = JSON.stringify(fields).slice(1, -1);
    return `{"namespace":"nav","key":${JSON.stringify(key)},"revision":1,"value":${value}${rest && `,${rest}`}}`;
  });
  return orderOf('config', `{"config":[${texts.join(',')}]}`);
};

function unsigned(order: Order): Order {
  const rest = { ...order };
  delete rest.signature;
  delete rest.key_id;
  return rest;
}

test.each(['org', 'site:s-1', 'fleet:f-1', 'robot:r-1'])('an order that is signed for %s is taken', async (scope) => {
  await using gate = await startGate();
  const order = signed({ scope });
  expect(await gate.download(order)).toBe('taken');
  expect(await gate.activate(order)).toBe('taken');
  expect(gate.steps).toEqual(['made', 'download', 'activate']);
});

const partsOf = ({ signature = '' }: Order) =>
  JSON.parse(Buffer.from(signature, 'base64').toString()) as Record<string, unknown>;
const changed = (change: object) => {
  const order = signed();
  return { ...order, signature: sealed({ ...partsOf(order), ...change }) };
};

/** The same JSON with white space behind it. */
const stretched = (order: Order) => Buffer.from(JSON.stringify(partsOf(order)).padEnd(900, ' ')).toString('base64');

const attacks: [string, string, () => Order][] = [
  ['unsigned', 'no signature', () => unsigned(signed())],
  ['unknown_key', 'a key that was not pinned', () => signed({}, stranger)],
  ['unknown_key', 'no name of a key', () => ({ ...unsigned(signed()), signature: signed().signature ?? '' })],
  [
    'bad_signature',
    'another key under the name of a pinned one',
    () => ({ ...signed({}, stranger), key_id: signer.keyId }),
  ],
  ['bad_signature', 'the signature of another artifact', () => signed({ digest: sha256('v2') })],
  ['bad_signature', 'another org', () => signed({ org_id: 'o-2' })],
  ['bad_signature', 'another lane', () => signed({ lane: 'release:script' })],
  ['bad_signature', 'the signature of a config entry', () => signed({ lane: 'config' })],
  ['bad_signature', 'a later version of statements', () => signed({ v: 2 })],
  ['wrong_scope', 'another robot', () => signed({ scope: 'robot:r-2' })],
  ['wrong_scope', 'another fleet', () => signed({ scope: 'fleet:f-2' })],
  ['wrong_scope', 'the fleet as if it were the robot', () => signed({ scope: 'robot:f-1' })],
  ['bad_signature', 'another scope than the signed one', () => changed({ scope: 'org' })],
  ['bad_signature', 'another end than the signed one', () => changed({ expires_at: after(24 * hourMs) })],
  ['bad_signature', 'another sequence than the signed one', () => changed({ sequence: nextSequence() })],
  ['bad_signature', 'more than a signature says', () => changed({ lane: 'release:file' })],
  ['bad_signature', 'an end that is no instant', () => signed({ expires_at: 'tomorrow' })],
  ['bad_signature', 'an end without a zone', () => signed({ expires_at: '2036-01-01T00:00:00.000' })],
  ['bad_signature', 'a sequence beyond what numbers tell apart', () => signed({ sequence: 2 ** 53 })],
  ['bad_signature', 'a sequence after which nothing could come', () => signed({ sequence: 2 ** 53 - 1 })],
  ['bad_signature', 'a sequence that is no number', () => changed({ sequence: '7' })],
  ['bad_signature', 'a sequence between two numbers', () => signed({ sequence: 1.5 })],
  ['bad_signature', 'a sequence below all', () => signed({ sequence: -1 })],
  [
    'too_early',
    'the day after tomorrow',
    () => signed({ sequence: Date.now() + 30 * hourMs, expires_at: after(99 * hourMs) }),
  ],
  ['expired', 'the past', () => signed({ sequence: Date.now() - 2 * hourMs, expires_at: after(-1000) })],
  ['bad_signature', 'a form of a later version', () => changed({ v: 2 })],
  ['bad_signature', 'a signature that is stretched', () => ({ ...signed(), signature: stretched(signed()) })],
  ['bad_signature', 'no base64', () => ({ ...signed(), signature: '%%%' })],
  [
    'bad_signature',
    'base64 with something between',
    () => ({ ...signed(), signature: ` ${signed().signature ?? ''}` }),
  ],
  ['bad_signature', 'base64 of anything', () => ({ ...signed(), signature: 'aGFsbG8=' })],
  ['bad_signature', 'base64 of null', () => ({ ...signed(), signature: sealed({}).replace(/.*/, 'bnVsbA==') })],
  ['bad_signature', 'a signature of 63 bytes', () => changed({ sig: Buffer.alloc(63, 1).toString('base64') })],
  ['bad_signature', 'a megabyte', () => ({ ...signed(), signature: 'A'.repeat(1_048_576) })],
];

test.each(attacks)('%s: an order with %s is refused before anything is done', async (reason, _what, make) => {
  await using gate = await startGate();
  const order = make();
  expect(await gate.download(order)).toBe(reason);
  // Not even where the first step was skipped.
  if (reason !== 'expired' && reason !== 'too_early') expect(await gate.activate(order)).toBe(reason);
  expect(gate.steps).toEqual([]);
  expect(Buffer.byteLength(await gate.message(order))).toBeLessThan(600);
});

test('what is older than what was accepted is refused, and what was accepted may come again', async () => {
  await using gate = await startGate();
  const [old, same] = [signed({}, signer, 'v0'), nextSequence()];
  const order = signed({ sequence: same });
  expect(await gate.activate(order)).toBe('taken');
  expect(await gate.download(old)).toBe('replayed');
  expect(await gate.activate(old)).toBe('replayed');
  // The order of the same deployment, made anew by the service, and one that a crash cut.
  expect(await gate.download({ ...order, order_id: randomUUID() })).toBe('taken');
  expect(await gate.activate(order)).toBe('taken');
  expect(await gate.download(signed({ sequence: same, digest: sha256('v2') }, signer, 'v2'))).toBe('replayed');
  expect(await gate.download(signed({ sequence: same + 1, digest: sha256('v0') }, signer, 'v0'))).toBe('taken');
  // Another lane counts for itself.
  const script = { ...signed({ lane: 'release:script', sequence: 7 }), lane: 'release:script' };
  expect(await gate.download(script)).toBe('taken');
  expect((await stat(gate.path)).mode & 0o777).toBe(0o600);
});

test('what was only downloaded leaves the number free: an order that was cancelled does not forbid the one before it', async () => {
  await using gate = await startGate();
  const old = signed({}, signer, 'v0');
  expect(await gate.download(signed())).toBe('taken');
  expect(await gate.download(old)).toBe('taken');
});

test('two lanes that accept at once lose neither number', async () => {
  await using gate = await startGate();
  const gate2 = signatureGate({ configDirectory: join(gate.path, '..'), robot });
  const kinds = Array.from({ length: 8 }, (_, index) => `kind-${index}`);
  const orders = kinds.map((kind) => {
    const lane = `release:${kind}`;
    return releaseOrder(kind, 'v1', signer.sign({ org_id: 'o-1', lane, digest: sha256('v1') }));
  });
  const handler = { activate: async () => undefined, verify: async () => '' };
  await Promise.all(
    orders.map(async (order) => {
      const task = { order, payload: order.payload ?? '' } as OrderContext;
      return (await gate2.guard(task, 'activate', () => handler)).activate();
    }),
  );
  const { accepted } = JSON.parse(await readFile(gate.path, 'utf8')) as { accepted: object };
  expect(Object.keys(accepted).sort()).toEqual(kinds.map((kind) => `release:${kind}`));
});

test('an order that began in time is finished, also when it took long', async () => {
  let nowMs = Date.now();
  await using gate = await startGate(() => nowMs);
  const order = signed({ expires_at: after(60_000) });
  expect(await gate.download(order)).toBe('taken');
  nowMs += hourMs;
  expect(await gate.activate(order)).toBe('taken');
  expect(await gate.download(order)).toBe('expired');
  expect(await gate.message(order)).toMatch(/was valid until .*; the clock of the robot is at 2/);
});

test('config needs a signature for each entry, over namespace, key and value, in whatever order its members stand', async () => {
  await using gate = await startGate();
  const [speed, dock] = [signedEntry('speed', '1.0'), signedEntry('dock', '{"a":[1,"ä"],"b":null}')];
  const order = configOf(dock, speed);
  expect(await gate.activate(order)).toBe('taken');
  expect(await gate.download(configOf({ ...dock, value: ' { "b":null,\n"a" : [1,"\\u00e4"]}' }))).toBe('taken');
  const refused: [string, Order][] = [
    ['bad_signature', configOf({ ...speed, value: '1.1' })],
    ['bad_signature', configOf({ ...speed, value: '1' })],
    ['bad_signature', configOf(dock, { ...speed, key: 'speeds' })],
    ['bad_signature', configOf({ ...dock, value: '{"a":["ä",1],"b":null}' })],
    [
      'bad_signature',
      configOf({ ...speed, signature: dock.signature ?? '' }, { ...dock, signature: speed.signature ?? '' }),
    ],
    ['unsigned', configOf(dock, { key: 'speed', value: '1.0' })],
    // The order's own field vouches for no entry.
    [
      'unsigned',
      { ...configOf({ key: 'speed', value: '1.0' }), signature: speed.signature ?? '', key_id: signer.keyId },
    ],
    ['unsigned', configOf()],
    ['bad_payload', configOf(speed, speed)],
    ['bad_payload', configOf({ ...speed, value: '{"a":1,"a":2}' })],
    ['bad_payload', configOf({ ...speed, value: '['.repeat(100_000) + ']'.repeat(100_000) })],
    ['replayed', configOf(signedEntry('speed', '2', { sequence: 7 }))],
  ];
  for (const [reason, bad] of refused) expect([bad.payload, await gate.download(bad)]).toEqual([bad.payload, reason]);
  // Each key counts for itself.
  expect(await gate.download(configOf(signedEntry('zoom', '2', { sequence: 7 })))).toBe('taken');
});

test.each([
  ['cut', (text: string) => text.slice(0, -20)],
  ['empty', () => ''],
  ['without keys', (text: string) => JSON.stringify({ ...JSON.parse(text), keys: {} })],
  [
    'with a number that is none',
    (text: string) => JSON.stringify({ ...JSON.parse(text), accepted: { 'release:file': {} } }),
  ],
  ['of another robot', (text: string) => text.replace('"r-1"', '"r-2"')],
])('a file of keys that is %s lets no order through', async (_how, damage) => {
  await using gate = await startGate();
  await writeFile(gate.path, damage(await readFile(gate.path, 'utf8')));
  expect(await gate.download(signed())).toBe('unknown_key');
  expect(await gate.activate(signed())).toBe('unknown_key');
  expect(await gate.download(unsigned(signed()))).toBe('unknown_key');
  expect(gate.steps).toEqual([]);
});

test('the form that is signed keeps numbers to the letter and is the same for every way to write a value', () => {
  const forms: [string, string][] = [
    [' { "b" : 1.0 , "a" : [ 1e2 , -0 , true , null , "x" ] } ', '{"a":[1e2,-0,true,null,"x"],"b":1.0}'],
    ['"\\u0041\\/\\ud83d\\ude00"', '"A/😀"'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['{"":{},"[":[],"\\"":"]}"}', '{"":{},"\\"":"]}","[":[]}'],
    ['{"__proto__":1,"constructor":2}', '{"__proto__":1,"constructor":2}'],
    ['[]', '[]'],
    [' 7 ', '7'],
  ];
  for (const [text, form] of forms) expect(canonicalJson(text)).toBe(form);
  expect(() => canonicalJson('{"a":1,"\\u0061":1}')).toThrow(RangeError);
  expect(() => canonicalJson('{"a":1,}')).toThrow(SyntaxError);
  expect(() => canonicalJson('['.repeat(65) + ']'.repeat(65))).toThrow('more than 64 levels');
});

testWith('openssl')('openssl makes a signature that is taken, and checks ours', async () => {
  await using gate = await startGate();
  await using dir = await tempDir();
  const path = (name: string) => join(dir.path, name);
  const run = (line: string) => {
    const { status, stdout, stderr } = spawnSync('sh', ['-ec', line], { cwd: dir.path, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    return stdout.trim();
  };
  await writeFile(path('k.pem'), signer.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const script =
    /```sh[^\n]*\n([\s\S]*?)```/.exec(
      await readFile(new URL('../../../../docs/reference/signed-orders.md', import.meta.url), 'utf8'),
    )?.[1] ?? '';
  const made = run(
    `key=k.pem org=o-1 scope=fleet:f-1 lane=release:file digest=${sha256('v1')}\n${script}\necho "$key_id $signature"`,
  );
  const [key_id = '', signature = ''] = made.split(' ');
  expect(key_id).toBe(signer.keyId);
  expect(await gate.download(releaseOrder('file', 'v1', { signature, key_id }))).toBe('taken');

  // And the other way round: what was signed, as the page says it, and the 64 bytes.
  const order = signed();
  const parts = decodeSignature(order.signature ?? '');
  await writeFile(path('k.pub.pem'), signer.publicPem);
  await writeFile(path('sig'), parts.bytes);
  await writeFile(
    path('text'),
    `fleet-control-service order v1\n{"digest":"${sha256('v1')}","expires_at":"${parts.expiresAt}","lane":"release:file","org_id":"o-1","scope":"robot:r-1","sequence":${parts.sequence},"v":1}`,
  );
  expect(run('openssl pkeyutl -verify -pubin -inkey k.pub.pem -rawin -in text -sigfile sig')).toContain(
    'Verified Successfully',
  );
  const statement = { orgId: 'o-1', lane: 'release:file', digest: sha256('v1'), ...parts };
  const [key, other] = [publicKeyOf(signer.publicPem), publicKeyOf(stranger.publicPem)];
  expect(key && isSignedBy(key, statement, parts)).toBe(true);
  expect(other && isSignedBy(other, statement, parts)).toBe(false);
});
