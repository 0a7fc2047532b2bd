/**
 * `npm start` in a folder as a new user has it, or another command that starts the service there: ready within a limit, /readyz says 200, the
 * token is printed on the first start alone, and SIGTERM ends it with code 0, leaving no process behind. Twice, since the second start finds
 * a database.
 *
 *   node .ci/smoke.mjs <folder> [<command> <argument>…]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [folder = '.', ...named] = process.argv.slice(2);
const [program, ...args] = named.length > 0 ? named : ['npm', 'start'];
const home = await mkdtemp(join(tmpdir(), 'smoke-'));
/** A start that takes longer is hung, milliseconds. The goals (5 s cold, 1 s warm) are the benchmark's, not those of a busy machine. */
const startMs = 60_000;
const stopMs = 20_000;

async function within(promise, ms, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took more than ${ms / 1000} s`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Every process, read from /proc: a plain Debian has no `ps`. */
function processes() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        // The name in parentheses may contain spaces. The third field after it is the process group.
        const group = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
        return [{ pid: Number(pid), group, command }];
      } catch {
        return []; // ended in the meantime
      }
    });
}

/** The pid of the server in the group that npm leads. */
function serverBelow(npmPid) {
  const server = processes().find(({ group, command }) => group === npmPid && command === 'node dist/server/main.js');
  if (!server) throw new Error('the server is not below npm');
  return server.pid;
}

async function startAndStop() {
  const environment = { ...process.env, PORT: '0', HOME: home, SERVICE_DATA_DIR: join(home, 'data'), CI: 'true' };
  for (const name of ['DATABASE_URL', 'NODE_ENV', 'SERVICE_ADMIN_TOKEN']) delete environment[name];
  const began = Date.now();
  const server = spawn(program, args, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const exit = once(server, 'exit');
  let output = '';
  try {
    const url = await within(
      new Promise((resolve, reject) => {
        const read = (chunk) => {
          output += chunk;
          const address = /"msg":"ready"/.test(output) && /"url":"(http[^"]+)"/.exec(output)?.[1];
          if (address) resolve(address);
        };
        server.stdout.setEncoding('utf8').on('data', read);
        server.stderr.setEncoding('utf8').on('data', read);
        server.once('exit', (code) => reject(new Error(`the server ended with ${code} before it was ready`)));
      }),
      startMs,
      'the start',
    );
    const readyMs = Date.now() - began;
    const { status } = await fetch(`${url}/readyz`);
    if (status !== 200) throw new Error(`/readyz answered ${status}`);
    // npm would end by the signal itself and hide the server's code; so the server alone gets it, and npm passes its code on.
    process.kill(program === 'npm' ? serverBelow(server.pid) : server.pid, 'SIGTERM');
    const [code, signal] = await within(exit, stopMs, 'the stop');
    if (code !== 0) throw new Error(`after SIGTERM it ended with ${signal ?? code}`);
    return { readyMs, printedToken: /svc_org_[0-9a-f]{64}/.test(output) };
  } catch (error) {
    console.error(output.replaceAll(/svc_org_[0-9a-f]{64}/g, 'svc_org_…'));
    if (server.exitCode === null) process.kill(-server.pid, 'SIGKILL');
    throw error;
  }
}

try {
  const first = await startAndStop();
  if (!first.printedToken) throw new Error('the first start printed no org token');
  const second = await startAndStop();
  if (second.printedToken) throw new Error('the second start printed a token again');
  const left = processes().filter(({ command }) => command.includes(home));
  if (left.length > 0) throw new Error(`still running:\n${left.map(({ command }) => command).join('\n')}`);
  console.log(
    `${[program, ...args].join(' ')} on Node ${process.version}: ready in ${first.readyMs} ms, with a database in ${second.readyMs} ms`,
  );
} finally {
  await rm(home, { recursive: true, force: true });
}
