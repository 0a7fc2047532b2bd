/**
 * The service compares names byte by byte, and an accented letter may be one character or two, which the user cannot
 * see. Returns the name as typed, then in either form; only one for plain letters.
 */
export const spellingsOf = (name: string): readonly string[] => [
  ...new Set([name, name.normalize('NFC'), name.normalize('NFD')]),
];

/** Whether two names look the same to people. */
export const isSameName = (one: string, other: string) => one.normalize('NFC') === other.normalize('NFC');
