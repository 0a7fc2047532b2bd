import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiOf } from '../harness/api.ts';
import { bundle, startServer, type RunningServer } from '../harness/child.ts';
import { seedFleet } from '../harness/fleet-data.ts';
import { startOurs } from '../harness/ours.ts';
import { pair, pick, type Round } from '../harness/pairing.ts';
import { usageOf } from '../harness/proc.ts';
import { startNginx } from '../peers/nginx.ts';
import { atLeastLine, ratioLine, type Line, type Row, type RowContext } from '../harness/row.ts';

const chunk = randomBytes(1_000_000);

/** Of one file on its way up and down. */
interface Sample {
  upMbPerSecond: number;
  downMbPerSecond: number;
  upCpuMs: number; // of the server
  downCpuMs: number;
}

/** A file of 1 GB up and down, its hash verified, through memory and through a disk. */
export const artifactsRow: Row = {
  id: 'A1',
  work: 'an artifact of 1 GB up and down, hash verified',
  against: 'bare node:http without a hash',
  async run(context) {
    const lines: Line[] = [];
    const memory = '/dev/shm';
    if (existsSync(memory)) lines.push(...(await compare(context, 'memory', memory, true)));
    // Our upload waits for the disk, the floor's does not: no goal says how much that may be.
    lines.push(...(await compare(context, 'disk', tmpdir(), false)));
    return lines;
  },
};

async function compare(context: RowContext, name: string, parent: string, isGoal: boolean): Promise<Line[]> {
  const folder = await mkdtemp(join(parent, 'bench-files-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove); // where the bench is interrupted: memory is not in its temporary folder
  try {
    const { url } = await context.database('a1');
    const { userToken, orgId } = await seedFleet(url, 1);
    await using ours = await startOurs({ DATABASE_URL: url, SERVICE_DATA_DIR: folder });
    await using peer = await startServer(await bundle('peers/files.ts'), { FOLDER: folder });
    const chunks = context.requests(1_000);
    const sha256 = hashOf(chunks);
    await apiOf(ours.url, userToken).call('POST', '/api/releases', {
      tag: 'bench',
      artifact_sha256: sha256,
      artifact_size: chunks * chunk.length,
    });
    const sampleOurs = async () => {
      const sample = await upAndDown(ours, `/api/artifacts/${sha256}`, chunks, userToken);
      await rm(join(folder, 'artifacts', orgId, sha256));
      return sample;
    };
    const rounds = await pair<Sample>({
      rounds: context.rounds(5),
      ours: sampleOurs,
      peer: () => upAndDown(peer, '/', chunks),
    });
    await using nginx = isGoal ? await startNginx(folder) : undefined;
    if (isGoal && !nginx) context.note('A1  there is no nginx to hold it against: apt-get install nginx-light');
    const beside =
      nginx &&
      (await pair<Sample>({
        rounds: context.rounds(3),
        ours: sampleOurs,
        peer: () => upAndDown({ url: `http://127.0.0.1:${nginx.port}`, pid: nginx.pid }, '/file', chunks),
      }));
    return [
      atLeastLine(
        `${name}: MB/s up`,
        pick(rounds, (sample) => sample.upMbPerSecond),
        isGoal ? 0.6 : undefined,
      ),
      atLeastLine(
        `${name}: MB/s down`,
        pick(rounds, (sample) => sample.downMbPerSecond),
        isGoal ? 0.9 : undefined,
      ),
      ratioLine(
        `${name}: CPU ms/GB up`,
        pick(rounds, (sample) => sample.upCpuMs),
      ),
      ratioLine(
        `${name}: CPU ms/GB down`,
        pick(rounds, (sample) => sample.downCpuMs),
      ),
      ...(beside ? besideNginx(name, beside) : []),
    ];
  } finally {
    remove();
  }
}

/** Its worker hashes nothing and waits for no disk. */
const besideNginx = (name: string, rounds: readonly Round<Sample>[]): Line[] => [
  atLeastLine(
    `${name}: MB/s up, nginx`,
    pick(rounds, (sample) => sample.upMbPerSecond),
  ),
  atLeastLine(
    `${name}: MB/s down, nginx`,
    pick(rounds, (sample) => sample.downMbPerSecond),
  ),
];

function hashOf(chunks: number): string {
  const hash = createHash('sha256');
  for (let index = 0; index < chunks; index += 1) hash.update(chunk);
  return hash.digest('hex');
}

async function upAndDown(
  { url, pid }: Pick<RunningServer, 'url' | 'pid'>,
  path: string,
  chunks: number,
  token?: string,
): Promise<Sample> {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const gigabytes = (chunks * chunk.length) / 1e9;
  const timed = async (work: () => Promise<void>) => {
    const [before, startedAt] = [await usageOf(pid), performance.now()];
    await work();
    const wallMs = performance.now() - startedAt;
    return {
      mbPerSecond: (gigabytes * 1e6) / wallMs,
      cpuMs: ((await usageOf(pid)).cpuMs - before.cpuMs) / gigabytes,
    };
  };
  const up = await timed(async () => {
    const request = httpRequest(`${url}${path}`, {
      method: 'PUT',
      headers: { ...headers, 'Content-Type': 'application/octet-stream', 'Content-Length': chunks * chunk.length },
    });
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    for (let index = 0; index < chunks; index += 1) if (!request.write(chunk)) await once(request, 'drain');
    request.end();
    const [response] = await answered;
    if (![200, 201, 204].includes(response.statusCode ?? 0))
      throw new Error(`an upload was answered ${response.statusCode ?? 0}`);
    response.resume();
    await once(response, 'end');
  });
  const down = await timed(async () => {
    const [response] = (await once(httpRequest(`${url}${path}`, { headers }).end(), 'response')) as [IncomingMessage];
    let bytes = 0;
    response.on('data', (some: Buffer) => (bytes += some.length));
    await once(response, 'end');
    if (bytes !== chunks * chunk.length) throw new Error(`a download had ${bytes} bytes`);
  });
  return {
    upMbPerSecond: up.mbPerSecond,
    downMbPerSecond: down.mbPerSecond,
    upCpuMs: up.cpuMs,
    downCpuMs: down.cpuMs,
  };
}
