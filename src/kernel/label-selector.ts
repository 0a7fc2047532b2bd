import { badRequest } from './errors.ts';

/*
 * Selectors of robots, in the grammar of Kubernetes label selectors: requirements, separated by commas, all of which a
 * robot has to meet. A key is the name of a label, or one of `reservedKeys`.
 */

/** What is known of a robot besides its labels. */
export const reservedKeys = ['@site', '@fleet', '@release', '@condition', '@capability'] as const;
export type ReservedKey = (typeof reservedKeys)[number];

/**
 * `tier=canary` is `in` with one value, `tier!=canary` is `notin` with one. `notin` and `absent` also match a robot
 * without the label. `exists` and `absent` have no values.
 */
export interface Requirement {
  key: string;
  operator: 'in' | 'notin' | 'exists' | 'absent';
  values: string[];
}

export type Selector = readonly Requirement[];

/** Most requirements of a selector. */
const maxRequirements = 16;
const maxQuoted = 200;

/** With `y`, at the place where the last one ended; spaces before it are skipped. */
const space = /\s*/y;
const not = /!/y;
/** As the contract has it. */
const labelName = '[a-z0-9][a-z0-9._-]{0,63}';
const name = new RegExp(`@[A-Za-z]+|${labelName}`, 'y');
const set = /(in|notin)\s*\(([^)]*)\)/y;
const equality = /(==?|!=)([^,]*)/y;
const end = /,|$/y;

/** Whether a label can have this name. */
export const isLabelName = (text: string): boolean => new RegExp(`^${labelName}$`).test(text);

export const isReserved = (key: string): key is ReservedKey => (reservedKeys as readonly string[]).includes(key);

/** @throws bad_request, naming `field` */
export function parseSelector(field: string, text: string): Selector {
  const requirements: Requirement[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    space.lastIndex = at;
    space.exec(text);
    pattern.lastIndex = space.lastIndex;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  for (let isLast = false; !isLast;) {
    const start = at;
    const requirement = readRequirement(take);
    const separator = requirement && take(end);
    if (!separator) throw badRequest(`${field}: ${invalid(text.slice(start))}`);
    const fault = faultOf(requirement);
    if (fault !== undefined) throw badRequest(`${field}: ${fault}`);
    requirements.push(requirement);
    isLast = separator[0] === '';
  }
  if (requirements.length > maxRequirements)
    throw badRequest(`${field}: takes at most ${maxRequirements} requirements, not ${requirements.length}`);
  return requirements;
}

function readRequirement(take: (pattern: RegExp) => RegExpExecArray | null): Requirement | undefined {
  const isNegated = take(not) !== null;
  const key = take(name)?.[0];
  if (key === undefined) return undefined;
  if (isNegated) return { key, operator: 'absent', values: [] };
  const [, setOperator, list] = take(set) ?? [];
  if (setOperator !== undefined && list !== undefined)
    return { key, operator: setOperator as 'in' | 'notin', values: list.split(',').map((value) => value.trim()) };
  const [, sign, value] = take(equality) ?? [];
  if (sign !== undefined && value !== undefined)
    return { key, operator: sign === '!=' ? 'notin' : 'in', values: [value.trim()] };
  return { key, operator: 'exists', values: [] };
}

function faultOf({ key, values }: Requirement): string | undefined {
  // In the normal form it would need the parentheses that it ends.
  const unwritable = values.find((value) => value.startsWith('=') && value.includes(')'));
  if (unwritable !== undefined)
    return `the value "${unwritable.slice(0, maxQuoted)}" begins with = and has ), which no selector can be written with`;
  if (!key.startsWith('@')) return undefined;
  if (!isReserved(key)) return `unknown key "${key}"; the reserved keys are ${reservedKeys.join(', ')}`;
  return values.includes('') ? `${key} needs a value` : undefined;
}

const invalid = (rest: string): string =>
  rest.trim() === ''
    ? 'needs a requirement, such as tier=canary'
    : `takes requirements such as tier=canary, tier!=spare, floor in (1,2), !spare or @site=Osaka, not "${rest.trim().slice(0, maxQuoted)}"`;

/** The normal form of a selector: equal texts are equal selectors. */
export const selectorText = (selector: Selector): string => selector.map(requirementText).join(',');

function requirementText({ key, operator, values }: Requirement): string {
  const [first = ''] = values;
  // After the sign, an equals sign would belong to it.
  const isOne = values.length === 1 && !first.startsWith('=');
  switch (operator) {
    case 'exists':
      return key;
    case 'absent':
      return `!${key}`;
    case 'in':
      return isOne ? `${key}=${first}` : `${key} in (${values.join(',')})`;
    case 'notin':
      return isOne ? `${key}!=${first}` : `${key} notin (${values.join(',')})`;
  }
}

/**
 * The labels that a selector of labels and values names: `tier=canary,floor=2`. A robot needs all of them.
 * @throws bad_request, naming `field`
 */
export function readLabels(field: string, text: string): Record<string, string> {
  return Object.fromEntries(
    parseSelector(field, text).map((requirement) => {
      const { key, operator, values } = requirement;
      const [value, ...others] = values;
      if (isReserved(key) || operator !== 'in' || value === undefined || others.length > 0)
        throw badRequest(
          `${field}: takes labels such as tier=canary or tier=canary,floor=2, not "${requirementText(requirement)}"`,
        );
      return [key, value];
    }),
  );
}
