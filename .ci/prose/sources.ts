import { readdir, readFile } from 'node:fs/promises';
import { contractPassages } from './contract.ts';
import { markdownPassages } from './markdown.ts';
import type { Kind, Passage } from './passage.ts';
import { stringPassages } from './strings.ts';

interface Source {
  files: RegExp;
  kind: Kind;
  passages: (file: string, text: string) => Passage[];
}

/** The first that matches a file reads it. Decisions are not rewritten, and pages of examples are code. */
const sources: Source[] = [
  { files: /^(README|CHANGELOG)\.md$|^docs\/(?!decisions\/).*\.md$/, kind: 'Markdown', passages: markdownPassages },
  { files: /^spec\/(?!released\/).*\.yaml$/, kind: 'contract', passages: contractPassages },
  {
    files: /^cli\/(command-specs\/.*|command-line\/(global-flags|help))\.ts$/,
    kind: 'help',
    passages: (file, text) => stringPassages(file, text, 'help'),
  },
  {
    files: /^(src|cli)\/(?!platform\/db\/migrations\/|command-line\/completion\/).*\.(tsx?|js)$/,
    kind: 'message',
    passages: (file, text) => stringPassages(file, text, 'message'),
  },
];

const sourceOf = (file: string): Source | undefined => sources.find(({ files }) => files.test(file));

/** Every file with prose, by its path from the root, sorted. */
export async function filesWithProse(root: URL): Promise<string[]> {
  const folders = ['docs/', 'spec/', 'cli/', 'src/'];
  const below = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(new URL(folder, root), { recursive: true })).map((name) => folder + name),
    ),
  );
  return ['README.md', 'CHANGELOG.md', ...below.flat().sort()].filter((file) => sourceOf(file));
}

/** What a person reads of a file; nothing of a file that is none of those. */
export async function passagesOf(root: URL, file: string): Promise<Passage[]> {
  const source = sourceOf(file);
  return source ? source.passages(file, await readFile(new URL(file, root), 'utf8')) : [];
}
