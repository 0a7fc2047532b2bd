import yaml from 'yaml';
import type { Passage } from './passage.ts';

/** A node of the parser's tree, as far as it is read here. */
interface Node {
  type?: string;
  range?: [number, number] | null;
  value?: unknown;
  key?: Node | null;
  items?: (Node | null)[];
}

const prose = new Set(['summary', 'description', 'title', 'when', 'then', 'label', 'notes', 'x-message']);
/** What these hold are values, whatever the names in them. */
const values = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** Every text of a YAML file that the reference or a refusal shows. */
export function contractPassages(file: string, source: string): Passage[] {
  const passages: Passage[] = [];
  const visit = (node: Node | null | undefined): void => {
    for (const item of node?.items ?? []) {
      const name = item?.key ? String(item.key.value) : '';
      if (values.has(name)) continue;
      const child = item?.type === 'PAIR' ? (item.value as Node | null) : item;
      if (prose.has(name) && typeof child?.value === 'string')
        passages.push({
          file,
          kind: 'contract',
          text: child.value,
          source,
          anchors: [{ index: 0, offset: child.range?.[0] ?? 0 }],
        });
      else visit(child);
    }
  };
  visit(yaml.parseDocument(source).contents);
  return passages;
}
