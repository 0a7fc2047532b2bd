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

const plants = [
  refuse('cli/client/streams.ts', "import 'node:fs';", /A browser has none/),
  refuse('src/fleets/names.ts', 'const one = 1; export { one as default };', /Prefer named exports/),
  refuse('src/fleets/labels.ts', 'export default 1;', /Prefer named exports/),
  refuse('src/fleets/labels.ts', "console.log('hello');", /Unexpected console statement/),
  refuse('src/fleets/labels.ts', "export const home = process.env['HOME'];", /read the environment/),
  refuse('src/fleets/labels.ts', "import { env } from 'node:process';", /read the environment/),
  refuse('src/fleets/labels.ts', 'export const anything = (value: any): unknown => value;', /Unexpected any/),
  refuse('src/fleets/labels.ts', 'export function late(): void { Promise.resolve(); }', /Promises must be awaited/),
  allow('src/config.ts', "export const home = process.env['HOME'];"),
  allow('cli/command-line/config.ts', "export const home = process.env['HOME'];"),
  refuse('cli/api/api.ts', "export const home = process.env['HOME'];", /read the environment/),
] satisfies Plant[];

/** `file:line` → every message there. Filled by one run of the linter over the planted tree. */
const said = new Map<string, string>();
let tree: string;

const linesOf = (file: string) => plants.filter((plant) => plant.file === file).map(({ line }) => line);

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'code-rules-'));
  for (const file of new Set(plants.map(({ file }) => file))) {
    await mkdir(dirname(join(tree, file)), { recursive: true });
    await writeFile(join(tree, file), `${linesOf(file).join('\n')}\nexport {};\n`);
  }
  for (const file of ['eslint.config.js', 'tsconfig.json', 'package.json'])
    await copyFile(join(repository, file), join(tree, file));
  await symlink(join(repository, 'node_modules'), join(tree, 'node_modules'));

  for (const { filePath, messages } of await new ESLint({ cwd: tree }).lintFiles(['src', 'cli']))
    for (const { line, message } of messages) {
      const place = `${filePath.slice(tree.length + 1)}:${line}`;
      said.set(place, `${said.get(place) ?? ''}${message}\n`);
    }
});

afterAll(() => rm(tree, { recursive: true }));

for (const { file, line, says } of plants)
  test(`the linter ${says === 'allowed' ? 'allows' : 'refuses'} in ${file}: ${line}`, () => {
    const messages = said.get(`${file}:${linesOf(file).indexOf(line) + 1}`) ?? '';
    if (says === 'allowed') expect(messages).not.toMatch(/restricted from being used|is restricted/);
    else expect(messages).toMatch(says);
  });
