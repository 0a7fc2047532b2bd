import type { GateSettings } from '../../agent/gates/gates.ts';
import { usage } from '../../command-line/errors.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { identityPath } from '../../files/identity.ts';
import { readToml } from '../../files/toml-file.ts';

interface Key {
  name: keyof GateSettings;
  takes: string;
  isValid(value: unknown): boolean;
}

const number = (min: number, max: number): Pick<Key, 'takes' | 'isValid'> => ({
  takes: `an integer from ${min} to ${max}`,
  isValid: (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
});
const yesOrNo = { takes: 'true or false', isValid: (value: unknown) => typeof value === 'boolean' };

const keys: Readonly<Record<string, Key>> = {
  battery_percent: { name: 'batteryPercent', ...number(1, 100) },
  docked: { name: 'docked', ...yesOrNo },
  no_mission: { name: 'noMission', ...yesOrNo },
  no_estop: { name: 'noEstop', ...yesOrNo },
  free_megabytes: { name: 'freeMegabytes', ...number(1, 100_000_000) },
  command: { name: 'command', takes: 'a text', isValid: (value) => typeof value === 'string' && value !== '' },
  command_seconds: { name: 'commandSeconds', ...number(1, 600) },
};

/**
 * The table `gates` of agent.toml; undefined if there is none. Throws CliError for an unknown key or an invalid value: a
 * mistyped gate would be open.
 */
export async function readGateSettings({
  environment,
}: Pick<Invocation, 'environment'>): Promise<GateSettings | undefined> {
  const path = identityPath(environment.configDirectory);
  const { gates } = (await readToml(path)) ?? {};
  if (gates === undefined) return undefined;
  if (typeof gates !== 'object' || gates === null || Array.isArray(gates))
    throw usage(`gates of ${path}: must be a table, [gates]`);
  return Object.fromEntries(
    Object.entries(gates as Record<string, unknown>).map(([key, value]) => {
      const known = Object.hasOwn(keys, key) ? keys[key] : undefined;
      if (!known) throw usage(`gates.${key} of ${path}: unknown key; use ${Object.keys(keys).join(', ')}`);
      if (!known.isValid(value)) throw usage(`gates.${key} of ${path}: must be ${known.takes}`);
      return [known.name, value];
    }),
  );
}
