import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Robot } from '../../../cli/ui/data/data.ts';

const robotCount = 10_000;
const pageSize = 1_000;
const everyMs = 100;
const changesEach = 10;
const at = '2026-11-21T09:00:00.000Z';
const release = { release_id: '0198c5a2-6a60-7e10-b1f0-00000000000d', deployment_id: at, tag: 'nav-1.8.2', at };

const robotOf = (index: number, change: number): Robot => ({
  id: `0198c5a2-6a60-7e10-b1f0-${String(index).padStart(12, '0')}`,
  name: `amr-${String(index).padStart(5, '0')}`,
  org_id: '0198c5a2-6a60-7e10-b1f0-00000000000a',
  site_id: '0198c5a2-6a60-7e10-b1f0-00000000000b',
  fleet_id: '0198c5a2-6a60-7e10-b1f0-00000000000c',
  online: (index + change) % 3 !== 0,
  last_seen_at: new Date(Date.parse(at) + change * 1_000).toISOString(),
  labels: {},
  reported: { configs: {}, releases: { file: release } },
  health_status: 'unknown',
  conditions: [],
  created_at: at,
});

/** Answers as the service does where it has 10,000 robots, of which 100 change each second; of all else it has nothing. */
export async function startChangingFleet(): Promise<{ url: string } & AsyncDisposable> {
  const robots = Array.from({ length: robotCount }, (_, index) => robotOf(index, 0));
  const versions = Array.from({ length: robotCount / pageSize }, () => 0);
  let changes = 0;
  const timer = setInterval(() => {
    for (let count = 0; count < changesEach; count += 1) {
      changes += 1;
      const index = (changes * 7_919) % robotCount;
      const page = Math.floor(index / pageSize);
      robots[index] = robotOf(index, changes);
      versions[page] = (versions[page] ?? 0) + 1;
    }
  }, everyMs);

  function page(response: ServerResponse, number: number, known: string | undefined): void {
    const etag = `W/"${versions[number]}"`;
    if (known === etag) return void response.writeHead(304, { ETag: etag }).end();
    const items = robots.slice(number * pageSize, (number + 1) * pageSize);
    const next = number + 1 < versions.length ? { next_cursor: String(number + 1) } : {};
    return reply(response, { items, ...next }, { ETag: etag });
  }

  const server = createServer(({ url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://fleet');
    if (pathname === '/api/robots') page(response, Number(searchParams.get('cursor') ?? 0), headers['if-none-match']);
    else if (pathname === '/api/whoami') reply(response, { data: { role: 'admin', org: { id: 'org', name: 'Acme' } } });
    else reply(response, { items: [] });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function reply(response: ServerResponse, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}
