const shape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Matches the form of an id; any other text is a name. */
export const isId = (text: string) => shape.test(text);
