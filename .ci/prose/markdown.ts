import type { Passage } from './passage.ts';

/** A Markdown file is one passage; of the CHANGELOG only "Unreleased", since what was released is not rewritten. */
export function markdownPassages(file: string, source: string): Passage[] {
  if (!file.endsWith('CHANGELOG.md'))
    return [{ file, kind: 'Markdown', text: source, source, anchors: [{ index: 0, offset: 0 }] }];
  const found = /^## Unreleased\n(.*?)(?=^## |(?![^]))/ms.exec(source);
  if (!found) return [];
  return [{ file, kind: 'Markdown', text: found[0], source, anchors: [{ index: 0, offset: found.index }] }];
}
