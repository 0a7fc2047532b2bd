/**
 * The step `prose` of `npm run check`: judges what people read, in Markdown, in the contract, in help texts and in messages. The words that
 * are not used are in prose/terms.md, the dictionary is prose/words.txt. With paths as arguments it reads those files alone, and `--count`
 * prints the number of findings for each rule and kind of source instead.
 */
import { createLinter } from './prose/lint.ts';
import { filesWithProse } from './prose/sources.ts';

const root = new URL('..', import.meta.url);
const args = process.argv.slice(2);
const named = args.filter((arg) => arg !== '--count');

const lint = await createLinter();
const findings = await lint(root, named.length > 0 ? named : await filesWithProse(root));

if (args.includes('--count')) {
  const counts = new Map<string, number>();
  for (const { kind, rule } of findings) counts.set(`${kind} ${rule}`, (counts.get(`${kind} ${rule}`) ?? 0) + 1);
  for (const [what, count] of [...counts].sort()) console.log(`${what}: ${count}`);
} else
  for (const { file, line, column, rule, message } of findings)
    console.error(`${file}:${line}:${column}: ${message} (${rule})`);
if (findings.length > 0) process.exitCode = 1;
