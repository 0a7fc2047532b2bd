const shape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Matches the form of an id; any other text is a name. */
export const isId = (text: string) => shape.test(text);

/** The short form of an id: its last digits. The first ones are a time, which objects created together share. */
export const shortId = (id: string) => id.slice(-8);

/** The last digits of an id, in lower case; undefined for a text that cannot be the end of one. */
export const idEndIn = (text: string): string | undefined => /^[0-9a-f]{4,12}$/i.exec(text)?.[0].toLowerCase();

/** Stands for the newest release or deployment. */
export const latestWord = 'latest';
