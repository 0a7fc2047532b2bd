import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** The rule that an import breaks; undefined: it is allowed. */
type Rule = 'not-in-allowed' | 'no-cycle' | 'in-a-layer' | 'runs-in-browsers' | undefined;
/** A file, what it imports (`type` before it: only types), and the rule that refuses that. `''`: it imports nothing. */
type Plant = [from: string, to: string, broken: Rule];

const refused = (from: string, ...to: string[]) => to.map((each): Plant => [from, each, 'not-in-allowed']);
const allowed = (from: string, ...to: string[]) => to.map((each): Plant => [from, each, undefined]);

const contractTypes = 'type generated/api.d.ts';
const validators = 'generated/validators.js';

const plants: Plant[] = [
  ...refused('src/kernel/ids.ts', 'src/platform/db/pool.ts', 'src/robots/service.ts', 'src/config.ts', contractTypes),
  ...allowed('src/kernel/ids.ts', 'src/kernel/errors.ts'),

  ...refused(
    'src/platform/db/pool.ts',
    'src/robots/service.ts',
    'type src/robots/model.ts',
    'src/config.ts',
    'src/app.ts',
  ),
  ...refused('src/platform/db/pool.ts', 'src/platform/bus/bus.ts', contractTypes, validators),
  ...allowed('src/platform/db/pool.ts', 'src/kernel/ids.ts', 'src/platform/logging.ts'),
  ...refused('src/platform/bus/bus.ts', 'src/platform/http/reply/reply.ts'),
  ...refused('src/platform/http/reply/reply.ts', 'type src/platform/http/dispatch/operation.ts'),
  ...refused('src/platform/http/listener/server.ts', 'src/platform/ws/upgrade.ts'),
  ...allowed('src/platform/http/dispatch/operation.ts', contractTypes, 'src/platform/http/reply/list.ts'),
  ...allowed('src/platform/ws/upgrade.ts', 'src/platform/http/request/guards.ts'),

  ...refused('src/robots/model.ts', 'src/robots/store.ts', 'src/robots/handlers.ts', 'src/platform/db/pool.ts'),
  ...refused('src/robots/model.ts', 'src/fleets/service.ts', 'generated/protocol.js', contractTypes),
  ...allowed('src/robots/model.ts', 'src/kernel/ids.ts'),
  ...refused(
    'src/robots/store.ts',
    'src/robots/handlers.ts',
    'src/fleets/service.ts',
    'src/platform/http/reply/reply.ts',
  ),
  ...allowed('src/robots/store.ts', 'src/robots/labels.ts', 'src/platform/db/pool.ts'),
  ...refused('src/robots/service.ts', 'src/robots/handlers.ts', 'src/platform/http/reply/reply.ts', contractTypes),
  ...refused(
    'src/robots/service.ts',
    'src/fleets/store.ts',
    'src/fleets/model.ts',
    'src/fleets/labels.ts',
    'src/app.ts',
  ),
  ...allowed('src/robots/service.ts', 'src/sites/service.ts', 'src/robots/names.ts'),
  ...refused('src/robots/names.ts', 'src/robots/handlers.ts', 'src/sites/store.ts'),
  ...refused('src/robots/handlers.ts', 'src/fleets/handlers.ts', validators, 'cli/api/api.ts', 'test/support/world.ts'),
  ...allowed(
    'src/robots/handlers.ts',
    contractTypes,
    'src/platform/http/dispatch/operation.ts',
    'src/tokens/service.ts',
  ),
  ...allowed('src/agent-links/frames.ts', 'generated/frames.js', 'generated/protocol.js'),

  ...refused('src/app.ts', 'src/main.ts', contractTypes),
  ...allowed('src/app.ts', 'src/robots/store.ts', validators),

  ...refused('cli/commands/list.ts', 'src/kernel/ids.ts', contractTypes, validators),
  ...allowed('cli/commands/list.ts', 'cli/api/api.ts', 'cli/agent/run.ts'),
  ...refused('cli/agent/run.ts', 'cli/api/api.ts', 'cli/client/streams.ts', 'cli/output/table.ts', 'src/kernel/ids.ts'),
  ...allowed('cli/agent/run.ts', 'cli/files/toml.ts', 'cli/transport/backoff.ts', 'generated/protocol.js'),
  ...refused('cli/client/streams.ts', 'cli/agent/spool.ts', 'cli/files/toml.ts', 'cli/transport/http.ts'),
  ...allowed(
    'cli/client/streams.ts',
    'cli/transport/backoff.ts',
    'cli/transport/retry.ts',
    'cli/transport/shell/session.ts',
  ),
  ...refused('cli/transport/shell/session.ts', 'cli/transport/http.ts'),
  ...refused('src/deployments/engine/model.ts', 'generated/frames.js'),
  ...allowed('src/deployments/engine/model.ts', 'generated/protocol.js'),
  ...refused('src/portal/portal.ts', 'src/robots/store.ts', contractTypes),
  ...refused('src/docs-site/pages.ts', 'src/robots/service.ts'),
  ...refused('src/live/media/service.ts', 'src/live/dial-back/pipe.ts'),
  ...refused('cli/output/table.ts', 'cli/live/screen.ts', 'cli/commands/list.ts'),
  ...refused('cli/command-line/parse.ts', 'cli/api/api.ts', 'cli/output/table.ts'),
  ...refused('cli/conformance/check.ts', 'cli/agent/spool.ts'),
  ...refused('cli/files/toml.ts', 'cli/transport/backoff.ts'),
  ...refused('cli/bin/main.ts', 'cli/api/api.ts'),
  ...refused('cli/transport/backoff.ts', 'cli/agent/spool.ts', 'cli/client/client.ts'),
  ...refused('cli/ui/table.tsx', 'cli/api/api.ts', 'cli/commands/list.ts'),
  ...allowed('cli/ui/table.tsx', 'cli/ui/data/store.ts', 'cli/files/toml.ts'),
  ...allowed('cli/ui/data/store.ts', 'cli/api/api.ts'),

  // Every other rule once, by files that nothing else here names.
  ...refused('src/platform/clock-a.ts', 'src/platform/db/a.ts'),
  ...refused('src/platform/http/b.ts', 'src/platform/db/b.ts'),
  ...refused('src/platform/http/request/c.ts', 'src/platform/http/access/c.ts'),
  ...refused('src/platform/http/access/d.ts', 'src/platform/http/dispatch/d.ts'),
  ...refused('src/platform/http/dispatch/e.ts', 'src/platform/http/listener/e.ts'),
  ...refused('src/platform/ws/f.ts', 'src/platform/cluster/f.ts'),
  ...refused('src/platform/cluster/g.ts', 'src/platform/bus/g.ts', 'src/robots/service.ts'),
  ...refused('src/host-command/h.ts', 'src/robots/h.ts'),
  ...refused('src/deployments/engine/i.ts', 'src/deployments/api/i.ts'),
  ...allowed('src/deployments/api/j.ts', 'src/deployments/engine/j.ts'),
  ...refused('src/deployments/api/j.ts', 'src/deployments/controls/j.ts'),
  ...allowed('src/deployments/controls/j.ts', 'src/deployments/engine/j.ts', 'src/deployments/api/j.ts'),
  ...refused('src/deployments/controls/j.ts', 'src/deployments/api/handlers.ts'),
  ...refused('src/logs/k.ts', 'src/live/logs/k.ts'),
  ...allowed('src/live/logs/l.ts', 'src/logs/l.ts'),
  ...refused('src/agent-links/m.ts', 'src/platform/http/listener/m.ts'),
  ...allowed('src/agent-links/sockets.ts', 'src/platform/http/listener/server.ts'),
  ...refused('cli/command-line/n.ts', contractTypes),
  ...allowed('cli/command-line/command-spec.ts', contractTypes),
  ...refused('cli/api/o.ts', 'cli/client/o.ts', 'cli/output/o.ts'),
  ...refused('cli/live/p.ts', 'cli/commands/p.ts', 'cli/agent/p.ts'),
  ...allowed('cli/live/q.ts', 'cli/client/q.ts'),
  ...refused('cli/command-specs/r.ts', 'cli/api/r.ts'),
  ...refused('cli/ui/data/s.ts', 'cli/commands/s.ts', 'cli/agent/s.ts'),
  ...allowed('cli/ui/main.ts', 'cli/api/t.ts'),
  ...refused('cli/client/u.ts', 'cli/api/u.ts'),

  // A file in a folder that is not declared, with imports and without.
  ['src/weather/service.ts', 'src/kernel/ids.ts', 'in-a-layer'],
  ['src/weather/packages.ts', 'knex', 'in-a-layer'],
  ['src/app.ts', 'src/weather/clouds.ts', 'in-a-layer'],
  ['src/weather/model.ts', '', 'in-a-layer'],
  ['cli/weather/report.ts', '', 'in-a-layer'],
  ['src/robots/alone.ts', '', undefined],

  ...refused('src/fleets/names.ts', 'vitest'),
  ...allowed('src/fleets/names.ts', 'knex', 'type openapi-types'),
  ['cli/client/sockets.ts', 'ws', 'runs-in-browsers'],

  ['src/fleets/one.ts', 'type src/fleets/other.ts', 'no-cycle'],
  ['src/fleets/other.ts', 'type src/fleets/one.ts', undefined], // told once
];

const isFile = (place: string) => place.includes('.');
const placeOf = (to: string) => to.replace(/^type /, '');
const statementOf = ([from, to]: Plant) => {
  if (to === '') return '';
  const place = placeOf(to);
  const path = relative(dirname(from), place);
  const text = `'${isFile(place) ? (path.startsWith('.') ? path : `./${path}`) : place}';`;
  return to.startsWith('type ') ? `import type {} from ${text}` : `import ${text}`;
};

interface Violation {
  from: string;
  to: string;
  rule: { name: string };
}

let tree: string;
let violations: Violation[];

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'imports-'));
  const files = new Set(plants.flatMap(([from, to]) => [from, placeOf(to)]).filter(isFile));
  for (const file of files) {
    await mkdir(dirname(join(tree, file)), { recursive: true });
    const statements = plants.filter(([from]) => from === file).map(statementOf);
    await writeFile(join(tree, file), `${statements.join('\n')}\nexport {};\n`);
  }
  for (const file of ['.dependency-cruiser.mjs', 'tsconfig.json', 'package.json'])
    await copyFile(join(repository, file), join(tree, file));
  await symlink(join(repository, 'node_modules'), join(tree, 'node_modules'));
  const program = join(repository, 'node_modules/.bin/depcruise');
  const text = await new Promise<string>((resolve) => {
    // It exits with the number of faults.
    execFile(
      program,
      ['--config', '.dependency-cruiser.mjs', '-T', 'json', 'src', 'cli'],
      { cwd: tree, maxBuffer: Infinity },
      (_error, stdout) => resolve(stdout),
    );
  });
  ({ violations } = (JSON.parse(text) as { summary: { violations: Violation[] } }).summary);
});

afterAll(() => rm(tree, { recursive: true }));

test.each(plants)('%s imports %s: broken is %s', (from, to, broken) => {
  const place = placeOf(to);
  const isThere = (violation: Violation) =>
    violation.from === from &&
    (to === '' ||
      (isFile(place) ? normalize(violation.to) === place : violation.to.includes(`node_modules/${place}/`)));
  const rules = violations.filter(isThere).map(({ rule }) => rule.name);
  // Statements that are refused make cycles with those that are allowed; of those only the planted one is of interest.
  const telling = broken === 'no-cycle' ? rules : rules.filter((rule) => rule !== 'no-cycle');
  // What is in no layer is not on the list either.
  const wanted = broken === 'in-a-layer' ? telling.filter((rule) => rule !== 'not-in-allowed') : telling;
  expect([...new Set(wanted)]).toEqual(broken === undefined ? [] : [broken]);
});
