/**
 * The service compares names byte by byte, and an accented letter may be one character or two, which the user cannot
 * see. Returns the name as typed, then in either form; only one for plain letters.
 */
export const spellingsOf = (name: string): readonly string[] => [
  ...new Set([name, name.normalize('NFC'), name.normalize('NFD')]),
];

/** Whether two names are the same to people, and to the service: by letters, in either case. */
export const isSameName = (one: string, other: string) => foldedName(one) === foldedName(other);

export const foldedName = (name: string) => name.normalize('NFC').toLowerCase();
