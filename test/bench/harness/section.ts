/** Replaces what is between the markers `<!-- name -->` and `<!-- end of name -->` of a page. @throws Error without them */
export function replaceSection(page: string, name: string, replace: (section: string) => string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no "${start}" before "${end}"`);
  const section = replace(page.slice(from + start.length, to)).trim();
  return `${page.slice(0, from + start.length)}\n\n${section}\n\n${page.slice(to)}`;
}
