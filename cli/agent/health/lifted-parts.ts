import { healthParts, type HealthSnapshot, type HealthTemperature } from '../../../generated/frames.js';
import type { Troubles } from '../troubles.ts';

/** Fields at the top level of a program's output that also become parts of the snapshot. */
const known = ['battery', 'docked', 'estop', 'mission', 'diagnostics', 'temperature'] as const;

export type LiftedParts = Pick<HealthSnapshot, (typeof known)[number]>;

interface Output {
  /** Path of the program. */
  path: string;
  /** Its name in `extra`. */
  name: string;
  value: Readonly<Record<string, unknown>>;
}

/**
 * The parts of a snapshot in the outputs of programs, in the order of their names. If several give the same part, the
 * last one wins, but an emergency stop of any of them counts, and their thermal zones are united. An invalid part is
 * reported.
 */
export function liftedParts(outputs: readonly Output[], troubles: Troubles): LiftedParts {
  const lifted: LiftedParts = {};
  for (const { path, name, value } of outputs)
    for (const part of known) {
      const topic = `${path} ${part}`;
      const validate = healthParts[part];
      if (Object.hasOwn(value, part) && !validate(value[part])) {
        const [error] = validate.errors ?? [];
        const reason = `${part}${error?.instancePath ?? ''} ${error?.message ?? 'is invalid'}`;
        troubles.is(topic, `${part} of ${path} is only in extra.${name} of the health: ${reason}`);
        continue;
      }
      troubles.over(topic, `${part} of ${path} is valid again`);
      if (Object.hasOwn(value, part)) Object.assign(lifted, together(lifted, { [part]: value[part] }));
    }
  return lifted;
}

function together(earlier: LiftedParts, { estop, temperature, ...later }: LiftedParts): LiftedParts {
  return {
    ...later,
    ...(estop !== undefined && { estop: estop || earlier.estop === true }),
    ...(temperature && { temperature: unitedZones(earlier.temperature, temperature) }),
  };
}

/** All zones; of two with the same name, the one of `later`. At most as many as a snapshot may have. */
export function unitedZones(
  earlier: readonly HealthTemperature[] = [],
  later: readonly HealthTemperature[],
): HealthTemperature[] {
  const names = new Set(later.map(({ zone }) => zone));
  return [...later, ...earlier.filter(({ zone }) => !names.has(zone))].slice(0, maxZones);
}

/** As in spec/frames.yaml. */
const maxZones = 64;
