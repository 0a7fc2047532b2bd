import { expect, test } from 'vitest';
import { blocksOf, documentAt, reasonNotToRun } from '../support/documents.ts';
import { commandLines } from './command-lines.ts';
import { deviations } from './deviations.ts';
import { pages, typedBlocksOf } from './run-pages.ts';

const readers = [documentAt('README.md'), ...pages];
const blockWith = (text: string) => ({ language: '', info: '', text, whole: text });

test('each block of commands that is not run has a reason', () => {
  const notRun = readers.flatMap((page) =>
    typedBlocksOf(page).flatMap((block) => {
      const reason = reasonNotToRun(block);
      return reason === undefined ? [] : [{ path: page.path, reason, lines: block.text.trimEnd().split('\n') }];
    }),
  );
  const leftOut = Object.entries(deviations).flatMap(([path, own]) =>
    Object.entries(own.leftOut ?? {}).map(([beginning, reason]) => ({ path, reason, lines: [`${beginning}…`] })),
  );
  const list = [...notRun, ...leftOut].map(
    ({ path, reason, lines: [first = '', ...more] }) =>
      `  ${path}: ${first}${more.length > 0 ? ` (+${more.length} lines)` : ''}\n      ${reason}`,
  );
  process.stdout.write(`\nCommands of the documentation that no test types:\n${list.join('\n')}\n`);
  expect(notRun.filter(({ reason }) => reason === '').map(({ path, lines }) => [path, lines[0]])).toEqual([]);
});

test('a fence of commands says sh, and then nothing or why they are not run', () => {
  const faults = readers.flatMap((page) =>
    blocksOf(page)
      .filter((block) =>
        block.language === 'sh' || block.text.startsWith('$ ')
          ? block.info !== '' && reasonNotToRun(block) === undefined
          : ['bash', 'shell', 'zsh'].includes(block.language),
      )
      .map(({ language, info }) => [page.path, `${language} ${info}`]),
  );
  expect(faults).toEqual([]);
});

test('every deviation is for a page that exists', () => {
  const paths = pages.map(({ path }) => path);
  expect(Object.keys(deviations).filter((path) => !paths.includes(path))).toEqual([]);
});

test('a command may have several lines: behind backslashes, in quotations, loops and here-documents', () => {
  const script = `# A comment.
cli robots list \\
  --json

for name in a b; do
  echo "$name
  ends"
done
cat > file <<'END'
$(not) 'closed
END
cli releases show <id>`;
  expect(commandLines(blockWith(script)).map(({ line }) => line)).toEqual([
    'cli robots list \\\n  --json',
    'for name in a b; do\n  echo "$name\n  ends"\ndone',
    "cat > file <<'END'\n$(not) 'closed\nEND",
    'cli releases show <id>',
  ]);
});

test('in a block with prompts the lines between them are output, or more lines of the command', () => {
  const block = blockWith('$ echo "a\n> b"\na\nb\n$ true \\\n  --json\n$ echo done\ndone\n');
  expect(commandLines(block)).toEqual([
    { line: 'echo "a\nb"', printed: 'a\nb\n' },
    { line: 'true \\\n  --json', printed: '' },
    { line: 'echo done', printed: 'done\n' },
  ]);
});

test('the reason in a fence is what follows "not run:"', () => {
  const text = '```sh not run: needs an S3 store\nx\n```\n\n```sh not run\ny\n```\n\n```sh\nz\n```\n';
  const blocks = blocksOf({ path: 'page.md', text });
  expect(blocks.map(reasonNotToRun)).toEqual(['needs an S3 store', '', undefined]);
});
