/** Lifetimes in days of credentials that are created in a terminal or a form without another lifetime. */
export const usualLifetimes = { key: 30, token: 90 } as const;
