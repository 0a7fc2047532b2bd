/** What is counted, as columns. Lines of level info are the rest of the lines. */
export const figures = ['lines', 'bytes', 'debug', 'warn', 'error', 'fatal'] as const;
export type Figure = (typeof figures)[number];

/**
 * A row of an hour has columns for each of its six slots of ten minutes; one of a day has only those of slot 0. Null is
 * zero, and takes no room.
 */
export const slots = [0, 1, 2, 3, 4, 5] as const;
export const spanMinutes = { hour: 60, day: 1_440 } as const;

export const columnOf = (figure: Figure, slot: number): string => `${figure}_${slot}`;
/** All of them. */
export const columns: readonly string[] = slots.flatMap((slot) => figures.map((figure) => columnOf(figure, slot)));
