/** The properties that decide a column's place on the line. */
interface Fitting {
  width: number;
  least?: number;
  isFlexible?: boolean;
  rank?: number;
  isWide?: boolean;
}

export interface Placed<C> {
  column: C;
  width: number;
}

/** Cells between two columns. */
export const gap = 2;

/**
 * The columns that fit, with their widths. Columns of the highest rank are dropped first, of equal rank the last, until
 * the others fit at `least`. The rest of the line goes to columns that want more, from the first on, then to flexible
 * ones. If the usual columns leave room, wide ones are added, lowest rank first.
 */
export function layoutColumns<C extends Fitting>(
  columns: readonly C[],
  available: number,
  isWide: boolean,
): Placed<C>[] {
  const shown = isWide ? [...columns] : withRoom(columns, available);
  const leastOf = (column: C) => Math.min(column.width, column.least ?? column.width);
  const needed = () => shown.reduce((sum, column) => sum + leastOf(column) + gap, -gap);
  while (shown.length > 1 && needed() > available) {
    const highest = Math.max(...shown.map(rankOf));
    if (highest === 0) break;
    shown.splice(shown.findLastIndex((column) => rankOf(column) === highest), 1); // prettier-ignore
  }
  // Columns that are never dropped are cut from the right if they do not fit either.
  let left = available;
  const placed = shown.flatMap((column, index): Placed<C>[] => {
    const width = Math.min(leastOf(column), left - (index === 0 ? 0 : gap));
    left -= width + (index === 0 ? 0 : gap);
    return width > 0 ? [{ column, width }] : [];
  });
  for (const place of placed) {
    const more = Math.max(0, Math.min(place.column.width - place.width, left));
    place.width += more;
    left -= more;
  }
  const flexible = placed.filter(({ column }) => column.isFlexible);
  flexible.forEach((place, index) => {
    const share = Math.floor(Math.max(0, left) / (flexible.length - index));
    place.width += share;
    left -= share;
  });
  return placed;
}

/** A text longer than usual is worth more than a wide column that was not requested. */
const flexibleShare = 1.5;

/** The usual columns, and the wide ones that fit as a whole. */
function withRoom<C extends Fitting>(columns: readonly C[], available: number): C[] {
  const wanted = ({ width, isFlexible }: C) => gap + (isFlexible ? Math.ceil(width * flexibleShare) : width);
  const shown = new Set(columns.filter(({ isWide }) => !isWide));
  let left = available + gap - [...shown].reduce((sum, column) => sum + wanted(column), 0);
  for (const column of columns.filter(({ isWide }) => isWide).sort((one, other) => rankOf(one) - rankOf(other))) {
    left -= wanted(column);
    if (left < 0) break;
    shown.add(column);
  }
  return columns.filter((column) => shown.has(column));
}

const rankOf = ({ rank = 1 }: Fitting) => rank;

/**
 * Index of the first row on the screen: it moves no more than the cursor needs, and leaves no room empty that a row
 * could fill.
 */
export function windowTop(count: number, cursor: number, rows: number, top: number): number {
  const kept = Math.max(cursor - rows + 1, Math.min(top, cursor));
  return Math.max(0, Math.min(kept, count - rows));
}
