/** What the mouse did, with the cell from 0. */
export interface MouseEvent {
  kind: 'click' | 'wheelUp' | 'wheelDown';
  column: number;
  row: number;
}
