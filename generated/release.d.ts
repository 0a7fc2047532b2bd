/* Generated from spec/ by npm run generate; never edited. */
export declare const release: string;
