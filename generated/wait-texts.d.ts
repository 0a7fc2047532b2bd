/* Generated from spec/ by npm run generate; never edited. */
/** What is waited for, for people, by the code of `waiting_on`; a later service may have more. */
export declare const waitTexts: Readonly<Record<string, string>>;
