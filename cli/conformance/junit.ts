import { safeText } from '../output/safe.ts';
import type { Outcome } from './outcome.ts';

const suite = 'agent conformance';
const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/**
 * An agent's output may hold anything: control characters become visible signs. Characters that XML cannot represent
 * become U+FFFD.
 */
const escaped = (text: string): string =>
  safeText(Buffer.from(text).toString('utf8'))
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[&<>"\n\t]/g, (character) => entities[character] ?? '');

function caseOf({ check, rule, result, why = '', seconds }: Outcome): string {
  const head = `    <testcase classname="${suite}" name="${escaped(check)}" time="${seconds}"`;
  if (result === 'ok') return `${head}/>\n`;
  const inside =
    result === 'failed'
      ? `<failure message="${escaped(why)}">${escaped(rule)}</failure>`
      : `<skipped message="${escaped(why)}"/>`;
  return `${head}>${inside}</testcase>\n`;
}

/** The outcomes as JUnit XML, which CI servers read. */
export function junit(outcomes: readonly Outcome[], seconds: number): string {
  const count = (result: Outcome['result']) => outcomes.filter((each) => each.result === result).length;
  const counts = `tests="${outcomes.length}" failures="${count('failed')}" errors="0" skipped="${count('skipped')}" time="${seconds}"`;
  const cases = outcomes.map(caseOf).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n  <testsuite name="${suite}" ${counts}>\n${cases}  </testsuite>\n</testsuites>\n`;
}
