import { readFile } from 'node:fs/promises';
import type { Rollout, RolloutCreate } from '../../api/api.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { CliError, usage } from '../../command-line/errors.ts';
import type { Flags } from '../../command-line/flag-spec.ts';
import { readAll, type Io } from '../../command-line/io.ts';
import { parseRate } from '../../output/pace-text.ts';
import { parseAbort, parsePercent, parseWave } from '../../output/rollout-text.ts';
import { windowFlags, windowsAndGatesOf } from './window-flags.ts';

type Advance = NonNullable<RolloutCreate['advance']>;
type Pace = NonNullable<RolloutCreate['pace']>;
/** What a flag removes is undefined. */
type PaceChange = { [Part in keyof Pace]: Pace[Part] | undefined };

const approvalFlags = ['approval', 'approval-role', 'approval-expires'];
const partFlags = [
  ...['wave', 'applied-percent', 'min-ended', 'soak', 'offline-after', 'then', 'abort'],
  ...['max-in-flight', 'rate', 'downloads-per-site'],
  ...[...approvalFlags, 'supersede', ...windowFlags],
];

/** Removes what the flag sets. */
const none = 'none';

/**
 * The rollout that the flags describe; undefined if none is given. `readBefore`: reads the rollout that they change.
 * Default: they describe a new one.
 * @throws CliError, a usage error
 */
export async function rolloutOf(
  { flags, io }: Invocation,
  readBefore?: () => Promise<Rollout>,
): Promise<RolloutCreate | undefined> {
  const given = partFlags.filter((name) => flags.isGiven(name));
  const file = flags.text('file');
  if (file !== undefined) {
    if (given.length > 0) throw usage(`--file excludes --${given.join(', --')}`, 'Change the file, or omit --file');
    return inFile(io, file);
  }
  if (given.length === 0) return undefined;
  // Parsed first: a usage error needs no request.
  const [waves, advance] = [flags.texts('wave').map(parseWave), advanceOf(flags)];
  const [abort, changes, changed] = [abortOf(flags), paceOf(flags), approvalOf(flags)];
  // The service accepts the values of open enums that it sent.
  const rollout = await readBefore?.();
  const before = rollout as RolloutCreate | undefined;
  const { offline_after: offline, ...others } = { ...before?.advance, ...advance };
  return {
    waves: waves.length > 0 ? waves : (before?.waves ?? []),
    advance: { ...others, ...(offline !== undefined && offline !== none && { offline_after: offline }) },
    abort: abort ?? before?.abort ?? [],
    ...approvalAfter(before?.approval, changed),
    ...supersedeAfter(before?.supersede, flags.text('supersede')),
    ...windowsAndGatesOf(flags, rollout),
    ...changedPace(before?.pace, changes),
  };
}

function advanceOf(flags: Flags): Advance {
  const [percent, least, then] = [flags.text('applied-percent'), flags.integer('min-ended'), flags.text('then')];
  const [soak, offline] = [flags.text('soak'), flags.text('offline-after')];
  const applied = percent === undefined ? undefined : parsePercent(percent, 0);
  if (percent !== undefined && applied === undefined)
    throw usage(`--applied-percent takes 0 to 100, not "${percent}"`, 'Example: --applied-percent 95');
  return {
    ...(applied !== undefined && { applied_percent: applied }),
    ...(least !== undefined && { min_ended: least }),
    ...(soak !== undefined && { soak }),
    ...(offline !== undefined && { offline_after: offline }),
    ...(then !== undefined && { then: then as NonNullable<Advance['then']> }), // the choices of the flag
  };
}

/** Undefined without its flags. @throws CliError, a usage error */
function approvalOf(flags: Flags): Approval | typeof none | undefined {
  const [people, role, expires] = approvalFlags.map((name) => flags.text(name));
  if (people === none && (role ?? expires) !== undefined)
    throw usage('--approval none excludes --approval-role and --approval-expires', 'Omit them');
  if (people === none) return none;
  if (people !== undefined && !/^(?:[1-9]|10)$/.test(people))
    throw usage(`--approval takes 1 to 10, or none, not "${people}"`, 'Example: --approval 2');
  const approval = {
    ...(people !== undefined && { people: Number(people) }),
    ...(role !== undefined && { role: role as NonNullable<Approval['role']> }), // the choices of the flag
    ...(expires !== undefined && { expires }),
  };
  return Object.keys(approval).length === 0 ? undefined : approval;
}

type Approval = NonNullable<RolloutCreate['approval']>;

function approvalAfter(before: Approval | undefined, changed: Approval | typeof none | undefined) {
  if (changed === none || (!before && !changed)) return {};
  return { approval: { ...before, ...changed } };
}

function supersedeAfter(before: RolloutCreate['supersede'], changed: string | undefined) {
  const after = (changed ?? before) as RolloutCreate['supersede']; // the choices of the flag
  return after === undefined ? {} : { supersede: after };
}

/** Undefined if the flag is absent. */
function abortOf(flags: Flags): RolloutCreate['abort'] {
  const texts = flags.texts('abort');
  if (texts.length === 0) return undefined;
  if (!texts.includes(none)) return texts.map(parseAbort);
  if (texts.length > 1) throw usage('--abort none excludes other abort rules', 'Omit one of them');
  return [];
}

function paceOf(flags: Flags): PaceChange {
  const [rate, most, downloads] = [
    flags.text('rate'),
    robots(flags, 'max-in-flight'),
    robots(flags, 'downloads-per-site'),
  ];
  return {
    ...(most && { max_in_flight: most.count }),
    ...(rate !== undefined && { per_minute: undefined, growth: undefined, ...(rate !== none && parseRate(rate)) }),
    ...(downloads && { downloads_per_site: downloads.count }),
  };
}

/** A number of robots, or none; undefined if the flag is absent. */
function robots(flags: Flags, name: string): { count: number | undefined } | undefined {
  const text = flags.text(name);
  if (text === undefined) return undefined;
  if (text === none) return { count: undefined };
  if (/^[1-9]\d*$/.test(text)) return { count: Number(text) };
  throw usage(`--${name} takes a number of robots or none, not "${text}"`, `Example: --${name} 50`);
}

/** Without any limit, a rollout has no pace. */
function changedPace(before: Pace | undefined, changes: PaceChange): { pace?: Pace } {
  const limits = Object.entries({ ...before, ...changes }).filter(([, limit]) => limit !== undefined);
  return limits.length === 0 ? {} : { pace: Object.fromEntries(limits) };
}

/** The service checks what is in the object. */
async function inFile(io: Io, path: string): Promise<RolloutCreate> {
  const where = path === '-' ? 'stdin' : path;
  const bytes =
    path === '-'
      ? await readAll(io.input)
      : await readFile(path).catch((error: unknown) => {
          throw new CliError(`cannot read ${path}: ${(error as Error).message}`, { code: 'bad_request', cause: error });
        });
  const rollout = parsed(bytes.toString('utf8'));
  if (rollout !== undefined) return rollout;
  throw usage(
    `${where} is not a rollout as a JSON object`,
    'Print one with: cli policies show <policy> --jq .data.rollout',
  );
}

function parsed(text: string): RolloutCreate | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'waves' in value) return value as RolloutCreate;
  } catch {
    // Reported by the caller, as anything else that is not a rollout.
  }
  return undefined;
}
