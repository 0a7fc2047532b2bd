import type { ReactElement } from 'react';
import type { Resource } from '../data/data.ts';
import type { AnyTable } from '../table/definition.ts';
import type { Ui } from '../ui.ts';
import type { Place, ScreenId, View } from '../views.ts';

/** What a screen draws itself into. */
export interface ScreenProps {
  ui: Ui;
  view: View;
  /** The cells that are its own; it draws no more. */
  columns: number;
  rows: number;
}

export interface Screen {
  id: ScreenId;
  title: string;
  /** The key of a screen that one goes to directly. */
  digit?: string;
  /** What the header says of the place, beside the title. */
  subtitle?: (ui: Ui, place: Place) => string;
  /** What is kept up to date while it is shown. */
  wants: (ui: Ui, view: View) => readonly Pick<Resource<unknown>, 'want'>[];
  /** The list it is, or its selected tab is; undefined: none, and the keys of lists do nothing. */
  table?: (ui: Ui, view: View) => AnyTable | undefined;
  tabs?: readonly string[];
  draw: (props: ScreenProps) => ReactElement;
}
