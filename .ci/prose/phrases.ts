import { placeholder } from './passage.ts';

const word = `(?:[A-Za-z][a-z]+|${placeholder})`;
const twoWords = new RegExp(`${word}[,;:]?\\s+(?:"|\`)?${word}`);

/** Two words next to each other, one of which may be a value. */
export const isPhrase = (text: string): boolean => twoWords.test(text) && /[a-z]{2}/.test(text);

const sql = [
  /^[\s(]*(select|insert into|update \w+( \w+)? set|delete from|with \w+( \w+)?( \(.*?\))? as|alter table|drop|lock table|create \w+|truncate)\b/,
  /^\s*(case\s+when|from \w+|where|and \w+\.|or \w+\.|order by|group by|left join|join|exists \(|set local|begin isolation)\b/,
  /::\w+|\b\w+\.\w+ (<=?|>=?|=|is|in) |\bis (not )?null\b|\bnot null\b|\w\(.*\) over\b|\w+ = \?|\binterval '/,
];
const program = [
  /^\s*(import|const|let|var|function|return|export|trap|def|curl) .*[({=;]/m,
  /[{};]\s*\n.*[{};]\s*\n/,
  /;\s*(done|fi|esac)\b|\becho "/,
  /^[\w.-]+(:|\/)\S+$/,
];

/** Whether a string is part of a query, of a style sheet or of a program. */
export const isCode = (text: string): boolean => [...sql, ...program].some((pattern) => pattern.test(text));

export const isHtml = (text: string): boolean =>
  /<\/?(a|code|h\d|html|label|li|p|span|strong|t[dh]|title)[ >]/.test(text);

const spoken = /\b(?:aria-label|placeholder|title|alt)="([^"]*)"/g;
const inline = /^<\/?(a|abbr|b|em|i|span|strong|time|code|kbd)\b/;

/** What a browser shows of HTML, at the same places: tags are blank, and a block ends its paragraph. What `<code>` holds is no prose. */
export const htmlToText = (html: string): string =>
  html
    .replaceAll(/(?<=<(code|pre|script|style)\b[^>]*>)[^]*?(?=<\/\1>)/g, (code) => placeholder.repeat(code.length))
    .replaceAll(/<!--[^]*?-->/g, (comment) => ' '.repeat(comment.length))
    .replaceAll(/<\/?[a-z][^>]*>/g, (tag) => {
      if (inline.test(tag)) return ' '.repeat(tag.length);
      const blank = Array.from(`\n\n${' '.repeat(tag.length - 2)}`);
      for (const found of tag.matchAll(spoken)) {
        const value = found[1] ?? '';
        blank.splice(found.index + found[0].length - 1 - value.length, value.length + 1, ...Array.from(value), '\n');
      }
      return blank.join('');
    });
