/**
 * `npm run release:prepare`: makes the release that CHANGELOG.md asks for. Writes its version into CHANGELOG.md, package.json,
 * package-lock.json, the chart and the list of last migrations, and its contract into spec/released/. Commit the result; `npm run release` builds it.
 */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './bundled-packages.ts';
import { knownMigrations } from '../src/platform/db/migrations/index.ts';
import { chartOf, nextVersion, releasedChangelog, withRelease } from './version.ts';

const path = join(root, 'CHANGELOG.md');
const changelog = await readFile(path, 'utf8');
const version = nextVersion(changelog);
const npm = (...line: string[]) => execFileSync('npm', line, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });

npm('version', version, '--no-git-tag-version', '--ignore-scripts');
await writeFile(path, releasedChangelog(changelog, version, new Date().toISOString().slice(0, 10)));
const chart = join(root, 'packaging/helm/fleet-control-service/Chart.yaml');
await writeFile(chart, chartOf(await readFile(chart, 'utf8'), version));
const releases = join(root, 'src/platform/db/migrations/releases.ts');
await writeFile(releases, withRelease(await readFile(releases, 'utf8'), version, knownMigrations.at(-1) ?? ''));
npm('run', '--silent', 'generate');
npm('run', '--silent', 'release:contract');
console.log(`prepared ${version}: commit it, then run npm run release`);
