/**
 * The service compares names byte by byte, and a letter with an accent may be one character or two: who types a name cannot know which. As it is typed, then in
 * either form; one of them for a name of plain letters.
 */
export const spellingsOf = (name: string): readonly string[] => [
  ...new Set([name, name.normalize('NFC'), name.normalize('NFD')]),
];

/** Whether people would see two names as one. */
export const isSameName = (one: string, other: string) => one.normalize('NFC') === other.normalize('NFC');
