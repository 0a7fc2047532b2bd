import { watch } from 'node:fs';
import { chmod, mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../../cli/agent/orders/durable.ts';
import type { OrderRecord } from '../../cli/agent/orders/journal.ts';
import { stateOf } from '../support/agent-process.ts';
import type { Home } from '../support/cli.ts';
import { program, tgzOf } from '../support/tarball.ts';

/** A kind of releases whose agent is killed while it installs one. */
export interface InstalledKind {
  kind: string;
  /** Puts on the robot what the kind needs. */
  prepare?(home: Home): Promise<void>;
  /** The artifact of a release that works, or of one that does not, which says its tag. */
  artifact(home: Home, tag: string, isGood: boolean): Buffer;
  /** The tag of what runs, as a program of the robot would find it; undefined where nothing does. */
  runs(home: Home): Promise<string | undefined>;
  /** The steps in which its agent is killed. */
  steps: readonly string[];
  /** The end of an order that was cut in that step, where it is another one than of an order that was not. */
  endAfter?(step: string): { status: string; reason: string } | undefined;
}

const forward = ['download', 'install', 'activate', 'verify', 'commit'];
const beforeItEnds = ['download', 'install', 'activate'];
const releasesOf = (home: Home) => join(stateOf(home), 'releases');
/** Long enough for a kill to come in between, most times. */
const pause = 'sleep 0.1';

const textOf = (path: string) =>
  readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });

export const installedKinds: readonly InstalledKind[] = [
  {
    kind: 'file',
    artifact: (_home, tag) => Buffer.from(tag),
    runs: (home) => textOf(join(releasesOf(home), 'file', 'current')),
    steps: forward,
  },
  {
    kind: 'script',
    artifact: (home, tag) =>
      Buffer.from(`#!/bin/sh\nmkdir ${home.path}/script-${tag} || exit 1\n${pause}\necho ${tag} > ${home.path}/ran\n`),
    runs: async (home) => (await textOf(join(home.path, 'ran')))?.trim(),
    steps: forward,
    // Nobody can tell what it had done by then, and it must not run twice. A kill comes somewhat later than the step in which it is sent.
    endAfter: (step) => (beforeItEnds.includes(step) ? { status: 'failed', reason: 'interrupted' } : undefined),
  },
  {
    kind: 'archive',
    artifact: (_home, tag, isGood) =>
      tgzOf([
        { path: 'tag', content: tag },
        ...Array.from({ length: 150 }, (_each, at) => ({ path: `lib/${at}`, content: `${tag}${at}` })),
        program('.svc/restart', `${pause}; cat tag > ../../../running`),
        program('.svc/healthcheck', isGood ? pause : 'exit 1'),
      ]),
    async runs(home) {
      const folder = join(releasesOf(home), 'archive', 'current');
      const tag = await textOf(join(folder, 'tag'));
      // What was restarted last is what the link leads to, and all of it is there.
      const running = await textOf(join(await realpath(folder).catch(() => folder), '../../../running'));
      const last = await textOf(join(folder, 'lib', '149'));
      return tag !== undefined && running === tag && last === `${tag}149` ? tag : undefined;
    },
    steps: [...forward, 'rollback'],
  },
  {
    kind: 'map',
    async prepare(home) {
      const folder = join(home.config, 'handlers');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(
        join(folder, 'map'),
        `#!/bin/sh
set -e
cd "$SVC_STATE_DIR"
case $1 in
  capabilities) echo '{"rollback": true}';;
  download | commit) ${pause};;
  cleanup) echo >> cleaned;;
  install) cp "$SVC_ARTIFACT" new; test -e "$SVC_WORK_DIR/old" || cp current "$SVC_WORK_DIR/old" || :; ${pause};;
  activate) cp new next; mv next current; ${pause};;
  verify) ${pause}; if grep -q sick current; then exit 1; fi; sha256sum current | sed 's/ .*//; s/^/running /';;
  rollback) cp "$SVC_WORK_DIR/old" next; mv next current; ${pause};;
esac
`,
      );
      await chmod(join(folder, 'map'), 0o700);
    },
    artifact: (_home, tag, isGood) => Buffer.from(`${tag}${isGood ? '' : ' sick'}`),
    runs: (home) => textOf(join(releasesOf(home), 'handlers', 'map', 'current')),
    steps: [...forward, 'rollback'],
  },
];

/** Resolves when the agent of that home has written down that an order which is not known yet is in that step, or past it. */
export async function reaches(home: Home, step: string, known: ReadonlySet<string>): Promise<void> {
  const folder = join(stateOf(home), 'orders');
  const passed = [...forward, 'ended'];
  const isThere = async () => {
    for (const name of await readdir(folder)) {
      if (!name.endsWith('.json') || known.has(name)) continue;
      const record = JSON.parse(await readFile(join(folder, name), 'utf8')) as OrderRecord;
      if (
        step === 'rollback'
          ? record.step === step || record.step === 'ended'
          : passed.indexOf(record.step) >= passed.indexOf(step)
      )
        return true;
    }
    return false;
  };
  await new Promise<void>((resolve) => {
    const look = () =>
      void isThere().then(
        (is) => is && (watcher.close(), resolve()),
        () => undefined,
      );
    const watcher = watch(folder, look);
    look();
  });
}

/** The orders that the agent of that home knows. */
export const knownOrders = async (home: Home): Promise<ReadonlySet<string>> =>
  new Set(await readdir(join(stateOf(home), 'orders')).catch(() => []));
