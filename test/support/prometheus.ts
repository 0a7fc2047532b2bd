import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { repository } from './documents.ts';
import { tempDir } from './temp-dir.ts';
import { until } from './until.ts';

const examples = join(repository, 'docs/examples/observability');

interface Sample {
  metric: Record<string, string>;
  value: [number, string];
}

export interface Prometheus extends AsyncDisposable {
  /** The samples of an expression now. @throws with the message of Prometheus if it is invalid */
  query(expr: string): Promise<Sample[]>;
  /** The names of all series. */
  names(): Promise<string[]>;
}

/** Debian's Prometheus with the configuration of the examples, which scrapes this address each second. */
export async function startPrometheus(target: string): Promise<Prometheus> {
  const folder = await tempDir();
  const port = await freePort();
  const config = (await readFile(join(examples, 'prometheus.yml'), 'utf8'))
    .replace(/targets: \['10\.0\.0\.11.*\]/, `targets: ['${target}']`)
    .replaceAll(': 15s', ': 1s');
  await writeFile(join(folder.path, 'prometheus.yml'), config);
  await cp(join(examples, 'alerts.yaml'), join(folder.path, 'alerts.yaml'));
  const child = spawn(
    'prometheus',
    [
      `--config.file=${folder.path}/prometheus.yml`,
      `--storage.tsdb.path=${folder.path}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const exited = once(child, 'exit');
  const ask = async (path: string) => {
    const reply = (await (await fetch(`http://127.0.0.1:${port}${path}`)).json()) as { data: unknown; error?: string };
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply.data;
  };
  await until(async () => (await fetch(`http://127.0.0.1:${port}/-/ready`)).ok);
  return {
    query: async (expr) =>
      ((await ask(`/api/v1/query?${new URLSearchParams({ query: expr }).toString()}`)) as { result: Sample[] }).result,
    names: async () => (await ask('/api/v1/label/__name__/values')) as string[],
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
      await folder[Symbol.asyncDispose]();
    },
  };
}
