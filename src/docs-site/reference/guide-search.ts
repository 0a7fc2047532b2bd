import MiniSearch from 'minisearch';
import { sectionsOf, type GuideSection } from './guide-sections.ts';

/** What the search knows of a guide. */
interface SearchableGuide {
  address: string;
  title: string;
  body: string; // Markdown without the title
  /** Factor of its rank: less than 1 for guides that few readers look for. */
  weight: number;
}

/** One section that has all words of a query. */
export interface Match {
  address: string; // of the section
  title: string;
  heading: string; // empty before the first heading
  excerpt: string;
}

export interface GuideSearch {
  /** Sections that have all words of the query, the best first. A word matches longer ones that begin with it. */
  find(query: string): Match[];
}

const mostMatches = 40;
const mostPerGuide = 3;
/** Enough that a match in a title outranks any in a heading, and one in a heading any in the text. */
const boost = { title: 100, heading: 10, text: 1 };
const excerptLength = 240;

interface Entry extends GuideSection {
  id: string;
  guide: SearchableGuide;
  title: string;
  place: number; // in the order of the guides and their sections
}

const word = /[\p{L}\p{M}\p{N}]+/gu;
const fold = (text: string) => text.normalize('NFC').toLowerCase();

/** The words of a text, each in the form in which words are compared. */
export const wordsOf = (text: string): string[] => text.match(word)?.map(fold) ?? [];

/** Whether a longer word that begins with this one matches it. With one letter nearly every section would. */
const isPrefix = (queried: string) => queried.length > 1;
const matchOf = (found: string, words: readonly string[]) => {
  const folded = fold(found);
  return words.find((each) => folded === each || (isPrefix(each) && folded.startsWith(each)));
};

/** The parts of a text; those that match a word of the query are marked. */
export function markedParts(text: string, words: readonly string[]): { text: string; isMatch: boolean }[] {
  return text.split(/([\p{L}\p{M}\p{N}]+)/u).map((part) => ({
    text: part,
    isMatch: matchOf(part, words) !== undefined,
  }));
}

/** The passage of the text that has the most words of the query, cut between words. */
function excerptOf(text: string, words: readonly string[]): string {
  const places = [...text.matchAll(word)].flatMap((found) => {
    const matched = matchOf(found[0], words);
    return matched === undefined ? [] : [{ matched, at: found.index }];
  });
  const countFrom = ({ at }: { at: number }) =>
    new Set(places.filter((other) => other.at >= at && other.at < at + excerptLength / 2).map((each) => each.matched))
      .size;
  const [best] = places
    .map((place) => ({ at: place.at, count: countFrom(place) }))
    .sort((one, other) => other.count - one.count || one.at - other.at);
  const wanted = Math.max(0, (best?.at ?? 0) - excerptLength / 4);
  const start = wanted === 0 ? 0 : text.indexOf(' ', wanted) + 1;
  const rest = text.slice(start);
  if (rest.length <= excerptLength) return `${start > 0 ? '… ' : ''}${rest}`;
  const cut = rest.slice(0, excerptLength);
  return `${start > 0 ? '… ' : ''}${cut.slice(0, Math.max(cut.lastIndexOf(' '), 1))} …`;
}

/** An index over the sections of the guides. It is built in small steps, between which the process serves others. */
export async function createGuideSearch(guides: readonly SearchableGuide[]): Promise<GuideSearch> {
  const entries = new Map<string, Entry>();
  const index = new MiniSearch<Entry>({
    fields: ['title', 'heading', 'text'],
    tokenize: wordsOf,
    processTerm: (term) => term,
    searchOptions: {
      boost,
      combineWith: 'AND',
      prefix: isPrefix,
      boostDocument: (id: string) => entries.get(id)?.guide.weight ?? 1,
    },
  });
  for (const guide of guides) {
    const sections = sectionsOf(guide.body).map((section) => ({
      ...section,
      guide,
      title: guide.title,
      id: `${guide.address}${section.id === '' ? '' : `#${section.id}`}`,
    }));
    const first = entries.size;
    const own = sections.map((section, index) => ({ ...section, place: first + index }));
    for (const entry of own) entries.set(entry.id, entry);
    await index.addAllAsync(own);
  }
  return {
    find(query) {
      const words = [...new Set(wordsOf(query))];
      const found = index
        .search(words.join(' '))
        .flatMap(({ id, score }) => {
          const entry = entries.get(id as string);
          return entry ? [{ entry, score }] : [];
        })
        .sort((one, other) => other.score - one.score || one.entry.place - other.entry.place);
      const counts = new Map<SearchableGuide, number>();
      const best = found.filter(({ entry: { guide } }) => {
        const count = (counts.get(guide) ?? 0) + 1;
        counts.set(guide, count);
        return count <= mostPerGuide;
      });
      return best.slice(0, mostMatches).map(({ entry: { id, title, heading, text } }) => ({
        title,
        heading,
        address: id,
        excerpt: excerptOf(text, words),
      }));
    },
  };
}
