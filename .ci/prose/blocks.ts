import { masked, placeholder } from './passage.ts';

/** A node of textlint's tree, as far as it is read here. */
interface Node {
  type: string;
  range: readonly [number, number];
  children?: Node[];
}

/** A paragraph, a heading or a cell of a table: what a person sees of it, at the same distances as in the source. */
export interface Block {
  /** Where it begins in the text. */
  start: number;
  text: string;
}

const blockTypes = new Set(['Paragraph', 'Header', 'TableCell']);
const outOfSight = new Set(['Html', 'HtmlBlock', 'Comment', 'Image', 'ImageReference', 'Break']);

/** Not prose wherever it stands: one word each, so that it neither is judged nor splits a sentence. */
const names = [
  /https?:\/\/[^\s)>\]]+/g,
  // A command that is quoted: `List robots with: cli robots list`.
  /(?<=[:;] |^|\n|")(cli|npm|curl|node|ssh|systemctl) [^."\n\uE000]*/g,
  /(?<![\w-])--?[a-z][\w-]*(=\S+)?/g,
  /<[^<>\n]*>|\{[^{}\n]*\}/g,
  /\b[a-z\d]+(_[a-z\d]+)+\b|\b[A-Z\d]+(_[A-Z\d]+)+\b/g,
  // Paths, names of files and of hosts, and calls such as `uname()`.
  /(?<![\w/])[~.]?\/[\w./-]+|\b[\w-]+(\/[\w.-]+)+|\b[\w-]+(\.[a-z][\w-]*)+\b|\b\w+\(\)/g,
  /\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b|\b(?=[a-f]*\d)[\da-f]{7,}\b/g,
];

function fill(node: Node, origin: number, source: string, characters: string[]): void {
  if (node.children && !outOfSight.has(node.type)) {
    for (const child of node.children) fill(child, origin, source, characters);
    return;
  }
  if (outOfSight.has(node.type)) return;
  for (let at = node.range[0]; at < node.range[1]; at++)
    characters[at - origin] = node.type === 'Str' ? source.charAt(at) : placeholder;
}

/** The blocks below a node; code is a placeholder, and the address of a link and all markup are blank. */
export function blocksOf(node: unknown, source: string): Block[] {
  const { type, range, children = [] } = node as Node;
  if (!blockTypes.has(type)) return children.flatMap((child) => blocksOf(child, source));
  const [start, end] = range;
  const characters = Array.from({ length: end - start }, () => ' ');
  fill(node as Node, start, source, characters);
  return [{ start, text: masked(characters.join(''), names) }];
}
