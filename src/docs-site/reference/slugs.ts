/** Ids of the headings of one text, as code hosts generate them, so that one link works in both places. */
export function headingIds(): (text: string) => string {
  const used = new Map<string, number>(); // the second of a name gets -1
  return (text) => {
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    const before = used.get(slug) ?? 0;
    used.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  };
}
