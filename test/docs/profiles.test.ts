import { expect, test } from 'vitest';
import { profiles } from '../../cli/agent/simulate/profile.ts';
import { documentAt } from '../support/documents.ts';

test('the reference has every key of a profile of simulated robots, with its value in idle', () => {
  const [, section = ''] = documentAt('docs/reference/file-formats.md').text.split('\n### Simulated robots\n');
  const rows = section.matchAll(/^\| `([a-z_]+)` +\| `([^`]+)` +\|/gm);
  const documented = [...rows].map(([, key, value = '']): unknown => [key, JSON.parse(value)]);
  expect(documented).toEqual(Object.entries(profiles.idle));
});
