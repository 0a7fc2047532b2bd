import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import { afterAll, beforeAll, expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** A statement planted in a file, and what the linter has to say about it; `allowed` is a statement it has to leave alone. */
interface Plant {
  file: string;
  line: string;
  says: RegExp | 'allowed';
}

const refuse = (file: string, line: string, says: RegExp): Plant => ({ file, line, says });
const allow = (file: string, line: string): Plant => ({ file, line, says: 'allowed' });

const contractTypes = "import type { operations } from '../../generated/api.d.ts';";
const validators = "import '../../generated/validators.js';";

const plants = [
  refuse('src/kernel/ids.ts', "import '../platform/db/pool.ts';", /kernel imports nothing/),
  refuse('src/kernel/ids.ts', "import '../robots/model.ts';", /kernel imports nothing/),
  refuse('src/kernel/ids.ts', "import '../config.ts';", /kernel imports nothing/),
  refuse('src/kernel/ids.ts', contractTypes, /kernel imports nothing/),
  allow('src/kernel/ids.ts', "import './errors.ts';"),

  refuse('src/platform/db/pool.ts', "import '../../robots/service.ts';", /platform knows no resource/),
  refuse(
    'src/platform/db/pool.ts',
    "import type { Robot } from '../../robots/model.ts';",
    /platform knows no resource/,
  ),
  ...['app', 'authenticate', 'config', 'first-start'].map((name) =>
    refuse('src/platform/db/pool.ts', `import '../../${name}.ts';`, /platform knows no resource and no setting/),
  ),
  refuse(
    'src/platform/db/pool.ts',
    "import type { paths } from '../../../generated/api.d.ts';",
    /types are for handlers/,
  ),
  refuse('src/platform/db/pool.ts', "import '../../../generated/validators.js';", /validated once/),
  allow('src/platform/db/pool.ts', "import '../../kernel/ids.ts';"),
  allow('src/platform/http/listener/server.ts', "import type { paths } from '../../../generated/api.d.ts';"),
  allow('src/platform/http/listener/server.ts', "import '../../../generated/validators.js';"),

  refuse('src/robots/model.ts', "import './store.ts';", /below its store/),
  refuse('src/robots/model.ts', "import './service.ts';", /below its store/),
  refuse('src/robots/model.ts', "import './handlers.ts';", /below its store/),
  refuse('src/robots/model.ts', "import '../platform/db/pool.ts';", /and the kernel, nothing else/),
  refuse('src/robots/model.ts', "import '../fleets/service.ts';", /and the kernel, nothing else/),
  refuse('src/robots/model.ts', contractTypes, /types are for handlers/),
  allow('src/robots/model.ts', "import '../kernel/ids.ts';"),

  refuse('src/robots/store.ts', "import './service.ts';", /below its service/),
  refuse('src/robots/store.ts', "import './handlers.ts';", /below its service/),
  refuse('src/robots/store.ts', "import '../fleets/service.ts';", /store knows no other resource/),
  refuse('src/robots/store.ts', "import '../platform/http/server.ts';", /Only handlers know HTTP/),
  refuse('src/robots/store.ts', contractTypes, /types are for handlers/),
  allow('src/robots/store.ts', "import './model.ts';"),
  allow('src/robots/store.ts', "import '../platform/db/pool.ts';"),

  refuse('src/robots/service.ts', "import './handlers.ts';", /below its handlers/),
  refuse('src/robots/service.ts', "import '../platform/http/server.ts';", /Only handlers know HTTP/),
  refuse('src/robots/service.ts', "import '../fleets/store.ts';", /only through its service/),
  refuse('src/robots/service.ts', "import '../fleets/model.ts';", /only through its service/),
  refuse('src/robots/service.ts', "import '../app.ts';", /composition root/),
  refuse('src/robots/service.ts', contractTypes, /types are for handlers/),
  allow('src/robots/service.ts', "import './store.ts';"),
  allow('src/robots/service.ts', "import '../fleets/service.ts';"),

  refuse('src/robots/handlers.ts', "import '../fleets/handlers.ts';", /only through its service/),
  refuse('src/robots/handlers.ts', "import '../fleets/labels.ts';", /only through its service/),
  refuse('src/robots/handlers.ts', validators, /validated once/),
  refuse('src/robots/handlers.ts', "import '../../cli/api/api.ts';", /server does not know the client/),
  refuse('src/robots/handlers.ts', "import '../../test/support/world.ts';", /product does not know its tools/),
  allow('src/robots/handlers.ts', contractTypes),
  allow('src/robots/handlers.ts', "import './service.ts';"),
  allow('src/robots/handlers.ts', "import '../platform/http/server.ts';"),

  refuse('src/app.ts', "import './main.ts';", /nothing imports it/),
  refuse('src/app.ts', "import type { paths } from '../generated/api.d.ts';", /types are for handlers/),
  allow('src/app.ts', "import './robots/store.ts';"),
  refuse('test/support/world.ts', "import '../../src/main.ts';", /nothing imports it/),
  allow('test/support/world.ts', "import '../../src/app.ts';"),

  refuse('cli/commands/list.ts', "import '../../src/kernel/ids.ts';", /by its contract only/),
  refuse('cli/commands/list.ts', contractTypes, /types are for handlers/),
  refuse('cli/commands/list.ts', validators, /validated once/),
  allow('cli/commands/list.ts', "import '../api.ts';"),
  allow('cli/api/api.ts', "import type { paths } from '../generated/api.d.ts';"),
  refuse('cli/agent/run.ts', "import '../api.ts';", /agent runs alone/),
  refuse('cli/agent/run.ts', "import '../commands/list.ts';", /agent runs alone/),
  refuse('cli/agent/run.ts', "import '../ui/table.tsx';", /agent runs alone/),
  refuse('cli/agent/run.ts', "import '../../src/kernel/ids.ts';", /by its contract only/),
  allow('cli/agent/run.ts', "import '../files/toml.ts';"),
  allow('cli/agent/run.ts', "import '../../generated/protocol.js';"),
  refuse('cli/ui/table.tsx', "import '../api.ts';", /fetches nothing/),
  allow('cli/ui/table.tsx', "import '../files/toml.ts';"),

  refuse('src/fleets/labels.ts', 'export default 1;', /Prefer named exports/),
  refuse('src/fleets/labels.ts', "console.log('hello');", /Unexpected console statement/),
  refuse('src/fleets/labels.ts', "export const home = process.env['HOME'];", /read the environment/),
  refuse('src/fleets/labels.ts', "import { env } from 'node:process';", /read the environment/),
  refuse('src/fleets/labels.ts', 'export const anything = (value: any): unknown => value;', /Unexpected any/),
  refuse('src/fleets/labels.ts', 'export function late(): void { Promise.resolve(); }', /Promises must be awaited/),
  refuse('src/fleets/labels.ts', "import 'vitest';", /should be listed in the project's dependencies/),
  allow('src/config.ts', "export const home = process.env['HOME'];"),
  allow('cli/command-line/config.ts', "export const home = process.env['HOME'];"),
  refuse('cli/api/api.ts', "export const home = process.env['HOME'];", /read the environment/),

  refuse('src/fleets/store.ts', "import { fleet } from './shape.ts'; export const store = fleet;", /Dependency cycle/),
  refuse('src/fleets/shape.ts', "import { store } from './store.ts'; export const fleet = store;", /Dependency cycle/),
] satisfies Plant[];

/** Files that are imported and plant nothing themselves. */
const bystanders = [
  'src/main.ts',
  'src/authenticate.ts',
  'src/first-start.ts',
  'src/kernel/errors.ts',
  'src/fleets/model.ts',
  'src/fleets/service.ts',
  'src/fleets/handlers.ts',
  'cli/files/toml.ts',
  'generated/api.d.ts',
  'generated/validators.js',
  'generated/protocol.js',
];

/** `file:line` → every message there. Filled by one run of the linter over the planted tree. */
const said = new Map<string, string>();
let tree: string;

const linesOf = (file: string) => plants.filter((plant) => plant.file === file).map(({ line }) => line);

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'direction-'));
  for (const file of [...new Set([...bystanders, ...plants.map(({ file }) => file)])]) {
    await mkdir(dirname(join(tree, file)), { recursive: true });
    await writeFile(join(tree, file), `${linesOf(file).join('\n')}\nexport {};\n`);
  }
  for (const file of ['eslint.config.js', 'tsconfig.json', 'package.json'])
    await copyFile(join(repository, file), join(tree, file));
  await symlink(join(repository, 'node_modules'), join(tree, 'node_modules'));

  for (const { filePath, messages } of await new ESLint({ cwd: tree }).lintFiles(['src', 'cli', 'test']))
    for (const { line, message } of messages) {
      const place = `${filePath.slice(tree.length + 1)}:${line}`;
      said.set(place, `${said.get(place) ?? ''}${message}\n`);
    }
});

afterAll(() => rm(tree, { recursive: true }));

for (const { file, line, says } of plants)
  test(`the linter ${says === 'allowed' ? 'allows' : 'refuses'} in ${file}: ${line}`, () => {
    const messages = said.get(`${file}:${linesOf(file).indexOf(line) + 1}`) ?? '';
    if (says === 'allowed') expect(messages).not.toMatch(/restricted zone|restricted from being used|is restricted/);
    else expect(messages).toMatch(says);
  });
