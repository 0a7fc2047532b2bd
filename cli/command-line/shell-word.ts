const plainWord = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** A text as one word of a POSIX shell. */
export const shellWord = (text: string): string => (plainWord.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
