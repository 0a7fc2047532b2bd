/**
 * `npm run db:new <name>`: makes src/platform/db/migrations/NNNN_name.ts and puts it last in the registry there. The number is the next
 * free one; `name` is snake_case. Names are never changed later, since they stand in every database.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';

const folder = new URL('../src/platform/db/migrations/', import.meta.url);
const registry = new URL('index.ts', folder);

const [name = ''] = process.argv.slice(2);
if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)) {
  console.error('usage: npm run db:new <name>, the name in snake_case, such as add_site_address');
  process.exit(2);
}

const numbers = (await readdir(folder)).map((file) => Number(/^(\d{4})_\w+\.ts$/.exec(file)?.[1] ?? 0));
const number = String(Math.max(0, ...numbers) + 1).padStart(4, '0');
const source = await readFile(registry, 'utf8');
const lastImport = source.lastIndexOf('import * as m');
const end = source.indexOf('\n', lastImport) + 1;
const list = /(const migrations: [^=]+= \[)([\s\S]*?),?\s*(\];)/;
if (lastImport === -1 || !list.test(source)) {
  console.error('src/platform/db/migrations/index.ts has another form than this script knows: no list `migrations`');
  process.exit(1);
}

const migration = `import type { Knex } from 'knex';

/** Forward only, in one transaction: first expand, and contract in a later version, since replicas of both run side by side and the earlier one may be started again. */
export async function up(db: Knex): Promise<void> {
  await db.raw(\`\`);
}

/** There is no way back but a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
`;
const registered = (
  source.slice(0, end) +
  `import * as m${number} from './${number}_${name}.ts';\n` +
  source.slice(end)
).replace(list, (_, open, entries, close) => {
  const all = [...entries.matchAll(/\['\w+', \w+\]/g)].map(([entry]) => entry);
  return `${open}\n${[...all, `['${number}_${name}', m${number}]`].map((entry) => `  ${entry},\n`).join('')}${close}`;
});

// `wx`: never over a file that is there.
await writeFile(new URL(`${number}_${name}.ts`, folder), migration, { flag: 'wx' });
await writeFile(registry, registered);
console.log(`src/platform/db/migrations/${number}_${name}.ts`);
