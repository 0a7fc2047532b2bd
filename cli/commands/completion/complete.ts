import { spawn } from 'node:child_process';
import { clientOf, signedIn } from '../../api/api.ts';
import { connectionOf } from '../../api/connection.ts';
import type { Catalog, CommandSpec, Invocation } from '../../command-line/command-spec.ts';
import { readEnvironment } from '../../command-line/config.ts';
import { isShell, shells } from '../../command-line/completion/shells.ts';
import { positionOf, type Candidate, type Position } from '../../command-line/completion/position.ts';
import { Flags } from '../../command-line/flag-spec.ts';
import { globalFlags } from '../../command-line/global-flags.ts';
import { ioOf, processStreams } from '../../command-line/io.ts';
import { defaultProfile, profileNames } from '../../files/profiles.ts';
import { candidateReader } from './ask.ts';
import { sources, type Source } from './sources.ts';

/** From the start of the process to the response: a shell that waits longer feels stuck. */
const budgetMs = 150;
/** For writing the response and ending the process. */
const reserveMs = 20;
/** Names are fresh for this long. */
const freshMs = 30_000;
/** What a refresh in the background may take. */
const refreshMs = 5_000;
const maxCandidates = 200;
/** Names may hold no control characters; text from a service that allows them must not reach a terminal. */
const harmless = /^[^\p{Cc}\p{Zl}\p{Zp}]+$/u;

/**
 * `cli __complete <shell> …`: what a shell offers at the cursor of a line. It never fails, asks or writes to stderr: an
 * error on every Tab would be worse than no names.
 */
export async function complete(
  catalog: Catalog,
  [shell = '', ...args]: readonly string[],
  version: string,
): Promise<number> {
  const isRefresh = shell === 'refresh';
  const [asked = '', ...rest] = isRefresh ? args : [shell, ...args];
  if (!isShell(asked)) return 0;
  const line = shells[asked].read(rest);
  const position = positionOf(catalog, line.complete, line.current);
  if (position.takes === 'file') {
    process.stdout.write(line.files);
    return 0;
  }
  const call = callOf(catalog, position, version);
  const names = await namesAt(call, position, isRefresh ? refreshMs : budgetMs - reserveMs).catch((): Names => ({}));
  if (isRefresh) return 0;
  if (names.isLate === true) refreshLater([asked, ...rest]);
  const found = matching([...position.words, ...(names.candidates ?? [])], position);
  process.stdout.write(line.write(found.map((each) => ({ ...each, word: `${position.before}${each.word}` }))));
  return 0;
}

interface Names {
  candidates?: readonly Candidate[];
  /** The service did not respond in time, and no other process reads its names now. */
  isLate?: boolean;
}

async function namesAt(call: Invocation, { takes, typed }: Position, untilMs: number): Promise<Names> {
  if (takes === undefined) return {};
  if (takes === 'profile') {
    const profiles = [defaultProfile, ...(await profileNames(call.environment.configDirectory))];
    return { candidates: profiles.map((word) => ({ word, about: 'profile' })) };
  }
  if (takes === 'org') return { candidates: await orgsOf(call, AbortSignal.timeout(leftMs(untilMs))) };
  const source = sources[takes] ?? {};
  const { fixed = [], lists = [] } = source;
  if (lists.length === 0) return { candidates: fixed };
  const names = await read(call, takes, source, typed, untilMs).catch((): Names => ({}));
  return { ...names, candidates: [...fixed, ...(names.candidates ?? [])] };
}

async function read(
  call: Invocation,
  kind: NonNullable<Position['takes']>,
  source: Source,
  typed: string,
  untilMs: number,
): Promise<Names> {
  const reader = await candidateReader(call, kind, source);
  const kept = await reader.cache.find(typed);
  if (kept && Date.now() - kept.atMs < freshMs) return kept;
  const signal = AbortSignal.timeout(leftMs(untilMs));
  return reader.read(typed, signal).catch(async () => ({
    ...kept,
    isLate: signal.aborted && (await reader.cache.claim(refreshMs).catch(() => false)),
  }));
}

/** Until this time of the process; its clock begins with Node's own start. */
const leftMs = (untilMs: number) => Math.max(1, Math.floor(untilMs - performance.now()));

async function orgsOf(call: Invocation, signal: AbortSignal): Promise<Candidate[]> {
  const { body } = await clientOf(call, signedIn(await connectionOf(call)), signal).get('/api/whoami', {});
  return body.data.orgs.map(({ id, name }) => ({ word: name, about: id }));
}

/** The candidates that begin with what is typed, in either case, in their order. */
function matching(candidates: readonly Candidate[], { typed }: Position): Candidate[] {
  const begin = typed.normalize('NFC').toLowerCase();
  const found: Candidate[] = [];
  for (const { word, about } of candidates) {
    if (found.length === maxCandidates) break;
    if (!harmless.test(word) || !word.normalize('NFC').toLowerCase().startsWith(begin)) continue;
    found.push({ word, about: harmless.test(about) ? about : '' });
  }
  return found;
}

/** Another process reads the names for the next Tab: a distant service needs longer than a shell waits. */
function refreshLater(args: readonly string[]): void {
  const [, program = ''] = process.argv;
  spawn(process.execPath, [program, '__complete', 'refresh', ...args], { detached: true, stdio: 'ignore' }).unref();
}

/** The line's flags for the connection, as in a command that sends each request once and reports nothing. */
function callOf(catalog: Catalog, { flags }: Position, version: string): Invocation {
  const environment = readEnvironment();
  const given = globalFlags.flatMap(({ name }) => {
    const value = flags.get(name);
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  const io = ioOf(processStreams, false);
  const command: CommandSpec = {
    path: '__complete',
    summary: '',
    examples: [],
    load: async () => async () => undefined,
  };
  return {
    command,
    catalog,
    environment,
    version,
    args: [],
    afterDashes: [],
    flags: new Flags(globalFlags, new Map(given)),
    io: { ...io, note: () => undefined, aside: () => undefined },
    sendsOnce: true,
  };
}
