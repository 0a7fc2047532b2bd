const shape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Ids look like this; whatever does not is a name. */
export const isId = (text: string) => shape.test(text);
