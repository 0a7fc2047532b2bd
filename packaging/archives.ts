import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { create } from 'tar';
import { productVersion, root } from './bundled-packages.ts';
import { makeReadable } from './modes.ts';
import { releaseEpoch } from './release-date.ts';
import { chartOf } from './version.ts';

const name = 'fleet-control-service';
const observability = 'docs/examples/observability';

/** What compose.yaml mounts, and what it needs; by the path in the archive. */
const composeFiles: Record<string, string> = {
  '.env.example': 'packaging/compose/.env.example',
  'compose.yaml': 'packaging/compose/compose.yaml',
  'make-env.sh': 'packaging/compose/make-env.sh',
  'prometheus.yml': 'packaging/compose/prometheus.yml',
  grafana: 'packaging/compose/grafana',
  'alerts.yaml': `${observability}/alerts.yaml`,
  dashboards: `${observability}/dashboards`,
  LICENSE: 'LICENSE',
};

/**
 * Writes the Helm chart in the layout of `helm package`, and returns its path. Helm would also name the file as npm names the package:
 * `-chart` tells them apart, and Helm installs it under any name.
 */
export async function packChart(folder: string): Promise<string> {
  const version = await productVersion();
  return writeArchive(join(folder, `${name}-chart-${version}.tgz`), name, async (top) => {
    await cp(join(root, 'packaging/helm', name), top, { recursive: true });
    await cp(join(root, 'LICENSE'), join(top, 'LICENSE'));
    await rewrite(join(top, 'Chart.yaml'), (text) => chartOf(text, version));
  });
}

/** Writes the compose file of this version with everything that it mounts, and returns the path of the archive. */
export async function packCompose(folder: string): Promise<string> {
  const version = await productVersion();
  const top = `${name}-compose-${version}`;
  return writeArchive(join(folder, `${top}.tar.gz`), top, async (into) => {
    for (const [to, from] of Object.entries(composeFiles))
      await cp(join(root, from), join(into, to), { recursive: true });
    await rewrite(join(into, 'compose.yaml'), (text) =>
      text.replaceAll(`../../${observability}/`, './').replace(`localhost/${name}}`, `localhost/${name}:${version}}`),
    );
  });
}

async function rewrite(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, 'utf8')));
}

/** Writes a .tar.gz of one folder, which `fill` writes. The same content gives the same bytes. */
async function writeArchive(file: string, top: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const work = await mkdtemp(join(tmpdir(), 'archive-'));
  try {
    const folder = join(work, top);
    await mkdir(folder);
    await fill(folder);
    await makeReadable(folder);
    const options = { cwd: work, gzip: true, portable: true, mtime: new Date(Number(releaseEpoch()) * 1_000) };
    await mkdir(dirname(file), { recursive: true });
    await create({ ...options, file }, await filesBelow(folder, work));
    return file;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Sorted, by their paths from `base`. */
async function filesBelow(folder: string, base: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(base, join(entry.parentPath, entry.name)))
    .sort();
}
