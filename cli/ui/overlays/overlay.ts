/** A value that the service shows once. */
export interface Secret {
  title: string;
  value: string;
  note: string;
}

/** A change as it will be: shown before it is made, and made as shown. */
export interface Plan {
  title: string;
  /** What it is about, a line each: target with counts, what runs there now, when. */
  facts: readonly { label: string; text: string }[];
  warnings: readonly string[];
  /** The same as a line of `cli`, by its words. */
  line: readonly string[];
  /** Enter alone, for one robot or nothing of a robot; else this text typed, and 3 s to think. */
  confirm: { kind: 'enter' } | { kind: 'type'; text: string };
  /** Made again after a lost answer, it is made once: each order has its key. Default: it may be made twice. */
  isRepeatable?: true;
  /** Makes the change, and may tell how far it is; gives what to say of it, and the secret that came of it. Rejects with a Failure. */
  run: (tell: (progress: string) => void) => Promise<string | { message: string; secret: Secret }>;
}

export interface FormField {
  name: string;
  label: string;
  kind: 'text' | 'secret' | 'choice';
  /** What is in it at the start. */
  initial?: string;
  hint?: string;
  /** Those that a choice has, by what is kept and what is shown. */
  choices?: readonly { value: string; text: string }[];
  /** Why a value is not taken; undefined: it is. */
  check?: (value: string) => string | undefined;
}

interface Form {
  title: string;
  fields: readonly FormField[];
  /** What enter does in the last field. Default: goes on to the plan. */
  end?: string;
  /** What comes of it: a plan, or undefined where it did all there is to do. Rejects with a Failure, which the form shows. */
  submit: (values: Readonly<Record<string, string>>) => Promise<Plan | undefined>;
}

export type Overlay =
  | { kind: 'filter' }
  | { kind: 'palette' }
  | { kind: 'help' }
  | { kind: 'form'; form: Form }
  /** `from`: where esc leads back to, as the form that it was made with. */
  | { kind: 'plan'; plan: Plan; from?: Overlay }
  /** `over` is called when it is closed. */
  | ({ kind: 'secret'; over: () => void } & Secret)
  /** A text to look at, as JSON of a config entry. */
  | { kind: 'text'; title: string; text: string }
  /** `under`: what was open when signing in became necessary, and comes back. */
  | { kind: 'signIn'; reason: string; under?: Overlay | undefined };
