/** What `ui.toml` says. */
export interface Settings {
  /** Keys by action, in place of its own. */
  keys: Readonly<Record<string, readonly string[]>>;
  /** Signs that every terminal has. Default: where the locale is not UTF-8. */
  isAscii: boolean;
  /** Default: true where the colours of the client are. */
  hasColours: boolean;
  /** Changing cannot be turned on in these profiles. Default: none; undefined: ui.toml cannot be used, and nobody knows which. */
  readOnlyProfiles: readonly string[] | undefined;
}
