import type { Place } from '../views.ts';

/** A value that the service shows once. */
export interface Secret {
  title: string;
  value: string;
  note: string;
}

/** A change, shown before it is made, and made as shown. */
export interface Plan {
  title: string;
  /** What it is about, one line each: target with counts, what runs there now, when. */
  facts: readonly { label: string; text: string }[];
  warnings: readonly string[];
  /** The same as a `cli` command, by its words. */
  line: readonly string[];
  /** `enter`: for one robot, or for no robot. `type`: otherwise this text is typed, and there is a delay of 3 s. */
  confirm: { kind: 'enter' } | { kind: 'type'; text: string };
  /**
   * A retry after a lost response makes the change only once: each request has an idempotency key. Default: it may be
   * made twice.
   */
  isRepeatable?: true;
  /**
   * Makes the change, and may report progress. Returns the message, with the secret it created, or with the place to
   * go to if the plan is still open. Rejects with a Failure.
   */
  run: (tell: (progress: string) => void) => Promise<string | { message: string; secret?: Secret; open?: Place }>;
}

export interface FormField {
  name: string;
  label: string;
  kind: 'text' | 'secret' | 'choice';
  /** Its initial content. */
  initial?: string;
  hint?: string;
  /** Options of a choice: stored value and shown text. */
  choices?: readonly { value: string; text: string }[];
  /** Why a value is invalid; undefined: it is valid. */
  check?: (value: string) => string | undefined;
  /** Whether it is asked with these values of the fields before it. Else it has no value. Default: it is. */
  isAsked?: (values: Readonly<Record<string, string>>) => boolean;
}

interface Form {
  title: string;
  fields: readonly FormField[];
  /** What enter does in the last field. Default: opens the plan. */
  end?: string;
  /** Returns a plan, or undefined if nothing is left to do. Rejects with a Failure, which the form shows. */
  submit: (values: Readonly<Record<string, string>>) => Promise<Plan | undefined>;
}

export type Overlay =
  | { kind: 'filter' }
  | { kind: 'palette' }
  | { kind: 'help' }
  /** Chooses the columns of the list. */
  | { kind: 'columns' }
  | { kind: 'form'; form: Form }
  /** `from`: opened by esc, such as the form that made the plan. */
  | { kind: 'plan'; plan: Plan; from?: Overlay }
  /** `over` is called when it is closed. */
  | ({ kind: 'secret'; over: () => void } & Secret)
  /** A text to read, such as the JSON of a config entry. */
  | { kind: 'text'; title: string; text: string }
  /** `under`: the overlay that was open when a sign-in became necessary; it is restored, unless it has ended. */
  | { kind: 'signIn'; reason: string; under?: Overlay | undefined };
