import { badRequest } from './errors.ts';

/** Most labels of a selector. */
const maxLabels = 16;

/**
 * The labels that a selector names: `tier=canary,floor=2`. A robot needs all of them.
 * @throws bad_request, naming `field`
 */
export function readSelector(field: string, text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.trim());
  if (pairs.length > maxLabels) throw badRequest(`${field}: takes at most ${maxLabels} labels, not ${pairs.length}`);
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^([a-z0-9][a-z0-9._-]{0,63})=(.{0,128})$/u.exec(pair) ?? [];
      if (name === undefined || value === undefined)
        throw badRequest(
          `${field}: takes labels such as tier=canary or tier=canary,floor=2, not "${pair.slice(0, 200)}"`,
        );
      return [name, value];
    }),
  );
}
