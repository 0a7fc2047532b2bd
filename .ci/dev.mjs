/**
 * `npm run dev`: builds the server on every change of what it is made of and starts it anew, on the embedded Postgres in the ordinary data
 * folder unless the environment says otherwise. A change that does not build leaves the last server running. The client in dist/cli is built
 * anew too, so that `cli` and the server are of one state. As with `npm start`, the first start in an empty folder makes an org to sign in to.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { context } from 'esbuild';
import { clientBuilds, makeClientRunnable, prepareClientFolder } from './client-build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
// Not dist/server: that is what `npm start` and the tests run. As deep as it, since the server finds files relative to its own.
const bundle = 'dist/dev/main.js';
/** How long a server may take to stop before it is killed, milliseconds. */
const stopMs = 15_000;

let server;
let closing = false;
/** Restarts one after another: two servers cannot share a data folder. */
let restarts = Promise.resolve();

async function stop() {
  if (!server || server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, 'exit');
  server.kill('SIGTERM');
  const late = setTimeout(() => server.kill('SIGKILL'), stopMs);
  await gone;
  clearTimeout(late);
}

async function restart() {
  await stop();
  if (closing) return;
  server = spawn(process.execPath, ['--enable-source-maps', bundle], { cwd: root, stdio: 'inherit' });
  server.once('exit', (code, signal) => {
    if (!closing && code) console.error(`the server ended with ${signal ?? code}; the next change starts it again`);
  });
}

const builds = await context({
  absWorkingDir: root,
  entryPoints: { main: 'src/main.ts', 'log-redaction-thread': 'src/log-redactions/thread-main.ts' },
  outdir: dirname(bundle),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: true,
  logLevel: 'warning',
  packages: 'external',
  plugins: [
    {
      name: 'restart',
      setup(build) {
        build.onEnd(({ errors }) => {
          if (errors.length === 0) restarts = restarts.then(restart);
        });
      },
    },
  ],
});

await prepareClientFolder();
const runnable = {
  name: 'runnable',
  setup(build) {
    build.onEnd(({ errors }) => (errors.length === 0 ? makeClientRunnable() : undefined));
  },
};
// main.js comes first, for the others' end finds it there.
const clients = [];
for (const options of clientBuilds) {
  const client = await context({ ...options, plugins: [...options.plugins, runnable] });
  await client.rebuild().catch(() => undefined); // esbuild has told why
  clients.push(client);
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, async () => {
    closing = true;
    await Promise.all([builds, ...clients].map((each) => each.dispose()));
    await restarts;
    await stop();
  });
await Promise.all([builds, ...clients].map((each) => each.watch()));
