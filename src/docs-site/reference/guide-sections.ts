import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { headingIds } from './slugs.ts';

/** The part of a guide below one heading, as text without Markdown. */
export interface GuideSection {
  /** Empty for what comes before the first heading. */
  heading: string;
  /** Id of the heading on the page of the guide. */
  id: string;
  text: string;
}

const collapse = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
const inlineText = (tokens: readonly Token[] = []): string => tokens.map(textOf).join('');
const blockText = (tokens: readonly Token[]): string => tokens.map(textOf).join(' ');

function textOf(token: Token): string {
  const own = token as MarkedToken; // no extension adds any
  switch (own.type) {
    case 'blockquote':
    case 'list_item':
      return blockText(own.tokens);
    case 'list':
      return blockText(own.items);
    case 'table':
      return [own.header, ...own.rows].flatMap((cells) => cells.map(({ tokens }) => inlineText(tokens))).join(' ');
    case 'del':
    case 'em':
    case 'heading':
    case 'link':
    case 'paragraph':
    case 'strong':
      return inlineText(own.tokens);
    case 'text':
      return own.tokens ? inlineText(own.tokens) : own.text;
    case 'code':
    case 'codespan':
    case 'escape':
    case 'html':
    case 'image':
      return own.text;
    case 'br':
    case 'checkbox':
    case 'def':
    case 'hr':
    case 'space':
      return ' ';
  }
}

/** Splits a guide without its title at its headings. */
export function sectionsOf(markdown: string): GuideSection[] {
  const idOf = headingIds();
  const sections = [{ heading: '', id: '', parts: [] as string[] }];
  for (const token of lexer(markdown)) {
    if (token.type === 'heading')
      sections.push({ heading: collapse(textOf(token)), id: idOf((token as Tokens.Heading).text), parts: [] });
    else sections.at(-1)?.parts.push(textOf(token));
  }
  return sections.map(({ parts, ...section }) => ({ ...section, text: collapse(parts.join(' ')) }));
}
