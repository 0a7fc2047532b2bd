import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { openBlobs } from '../../src/artifacts/service.ts';
import { readConfig } from '../../src/config.ts';
import { writeBackup } from '../../src/host-command/backup.ts';
import { checkFiles } from '../../src/host-command/check.ts';
import { restore } from '../../src/host-command/restore.ts';
import { logObjectKey } from '../../src/logs/service.ts';
import type { Manifest } from '../../src/platform/db/copy/manifest.ts';
import { openObjectStore } from '../../src/platform/s3/open.ts';
import { put, released, sha256 } from '../support/artifacts.ts';
import { startS3Store } from '../support/s3-store.ts';
import { tempDir } from '../support/temp-dir.ts';
import { testWith } from '../support/tools.ts';
import { startIsolatedWorld } from '../support/world.ts';

const quiet = () => undefined;

testWith('python3-swift')(
  'objects of a bucket are listed, or copied on request and restored into another bucket',
  async () => {
    await using store = await startS3Store();
    await using folder = await tempDir();
    const at = (name: string) => join(folder.path, name);
    const settings = await store.bucket('first');
    await using world = await startIsolatedWorld({ env: settings });
    const { bytes, path } = await released(world, 20_000);
    expect((await put(world, path, bytes)).status).toBe(200);
    const empty = await released(world, 0);
    expect((await put(world, empty.path, empty.bytes)).status).toBe(200);
    const log = { orgId: world.orgId, id: randomUUID() };
    const config = readConfig({ ...settings, SERVICE_DATA_DIR: world.dataDir });
    await (await openObjectStore(config.s3))?.put(logObjectKey(log), [Buffer.from('records')]);
    await world.db('log_objects').insert([
      { id: log.id, org_id: log.orgId, day: new Date(0), state: 'stored', bytes: 7 },
      { id: randomUUID(), org_id: log.orgId, day: new Date(0), state: 'stored', bytes: 9 }, // lost in the bucket
    ]);
    const objectsOf = async (name: string, withObjects: boolean) => {
      await writeBackup(world.connection, at(name), { config, withObjects, tell: quiet });
      return (JSON.parse(await readFile(join(at(name), 'manifest.json'), 'utf8')) as Manifest).objects;
    };
    expect(await objectsOf('listed', false)).toMatchObject({ copied: 0, in_bucket: 4, missing: 0, bucket: 'first' });
    expect(await objectsOf('copied', true)).toMatchObject({ copied: 3, in_bucket: 0, missing: 1, bytes: 20_007 });

    const target = (env: Record<string, string>) => readConfig({ SERVICE_DATA_DIR: at('data'), ...env });
    const bare = restore({ config: target({}), folder: at('listed'), tell: quiet });
    await expect(bare).rejects.toThrow('lists artifacts that are only in a bucket: set S3_BUCKET');
    const second = target(await store.bucket('second'));
    await restore({ config: second, folder: at('copied'), tell: quiet });
    const blobs = await openBlobs(second);
    const parts: Buffer[] = [];
    for await (const part of blobs.open({ orgId: world.orgId, sha256: sha256(bytes) }, 0, bytes.length - 1))
      parts.push(part);
    expect(Buffer.concat(parts)).toEqual(bytes);
    expect(String(await (await openObjectStore(second.s3))?.read(logObjectKey(log), 0, 6))).toBe('records');

    await writeFile(join(at('copied'), 'log-objects', log.orgId, log.id), 'rec0rds');
    await expect(checkFiles(at('copied'))).rejects.toThrow(`${log.id} is missing or damaged`);
  },
);
