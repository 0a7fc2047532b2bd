/* Generated from spec/ by npm run generate; never edited. */
export const release = "0.1.0";
