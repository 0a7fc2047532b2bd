import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { otlpReceiver } from '../support/otlp-receiver.ts';
import { spawnServer, startServer } from '../support/server-process.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';
import { replicaBeside, startIsolatedWorld } from '../support/world.ts';

/** The files that a process loaded, which Node writes at its end. */
async function loadedFiles(folder: string): Promise<string[]> {
  const texts = (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8'));
  const reports = (await Promise.all(texts)).map((text) => JSON.parse(text) as { result: { url: string }[] });
  return reports.flatMap(({ result }) => result.map(({ url }) => url));
}

test('the code of traces is loaded only with a collector', async () => {
  await using world = await startIsolatedWorld();
  await using folder = await tempDir();
  await using collector = await otlpReceiver();
  for (const env of [{}, collector.env]) {
    const coverage = await mkdtemp(join(folder.path, 'coverage-'));
    await using server = await startServer({ ...replicaBeside(world), NODE_V8_COVERAGE: coverage, ...env });
    await fetch(`${server.url}/api/fleets`);
    expect(await server.end('SIGINT')).toBe(0);
    const files = await loadedFiles(coverage);
    expect(files.some((file) => file.includes('/dist/server/main.js'))).toBe(true);
    expect(files.some((file) => file.includes('trace-provider'))).toBe(env === collector.env);
  }
  // What was in the queue at the end is exported.
  expect(collector.spans.map(({ name }) => name)).toContain('GET');
}, 60_000);

test('a collector that never responds holds up neither requests nor the end of the service', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  await using world = await startIsolatedWorld();
  await using server = await startServer({
    ...replicaBeside(world),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_BSP_SCHEDULE_DELAY: '20',
    // Far longer than the test.
    OTEL_EXPORTER_OTLP_TIMEOUT: '1000000',
    OTEL_BSP_EXPORT_TIMEOUT: '1000000',
  });
  expect((await fetch(`${server.url}/api/fleets`)).status).toBe(401);
  await until(() => sockets.size > 0);
  expect(await server.end('SIGINT')).toBe(0);
  expect(server.stdout()).toContain('"msg":"stopped"');
  for (const socket of sockets) socket.destroy();
  silent.close();
}, 60_000);

test('without a collector at the address, spans are dropped with one warning', async () => {
  await using world = await startIsolatedWorld();
  await using server = await startServer({
    ...replicaBeside(world),
    // Nothing listens there.
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_BSP_SCHEDULE_DELAY: '20',
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a-secret-of-the-collector',
  });
  for (let count = 0; count < 3; count += 1) {
    expect((await fetch(`${server.url}/api/fleets`)).status).toBe(401);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const dropped = async () =>
    Number(/^fleet_trace_spans_dropped_total (\d+)$/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1]);
  await until(async () => (await dropped()) >= 3);
  expect(await server.end('SIGINT')).toBe(0);
  expect(server.stdout().split('spans were dropped')).toHaveLength(2);
  expect(server.stdout()).not.toContain('a-secret-of-the-collector');
}, 60_000);

test('a service with invalid settings of traces does not start, and says what each must be', async () => {
  const server = spawnServer({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'quic',
    OTEL_TRACES_SAMPLER: 'sometimes',
  });
  expect((await server.exited)[0]).toBe(1);
  expect(server.stderr()).toContain('OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address');
  expect(server.stderr()).toContain('OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf or http/json');
  expect(server.stderr()).toContain('OTEL_TRACES_SAMPLER must be one of');
}, 60_000);
