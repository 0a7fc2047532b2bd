import type { ReactElement } from 'react';
import type { Resource } from '../data/data.ts';
import type { AnyTable } from '../table/definition.ts';
import type { Ui } from '../ui.ts';
import type { Place, ScreenId, View } from '../views.ts';

/** What a screen needs to draw itself. */
export interface ScreenProps {
  ui: Ui;
  view: View;
  /** The cells that it may draw on. */
  columns: number;
  rows: number;
}

export interface Screen {
  id: ScreenId;
  title: string;
  /** Its tab at the top: the key that opens it, and its name there, with a shorter one for narrow terminals. */
  tab?: { digit: string; name: string; short: string };
  /** Of a screen without a tab: the one whose tab is marked instead. */
  under?: ScreenId;
  /** Text of the header beside the title. */
  subtitle?: (ui: Ui, place: Place) => string;
  /** Resources to keep up to date while it is shown. */
  wants: (ui: Ui, view: View) => readonly Pick<Resource<unknown>, 'want'>[];
  /** Its list, or that of the selected tab; undefined: none, and list keys do nothing. */
  table?: (ui: Ui, view: View) => AnyTable | undefined;
  tabs?: readonly string[];
  draw: (props: ScreenProps) => ReactElement;
}
