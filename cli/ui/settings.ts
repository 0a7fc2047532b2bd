import type { UiPreferences } from '../files/ui-settings.ts';

/** Settings from `ui.toml`. */
export interface Settings {
  /** Keys by action id; they replace the action's own keys. */
  keys: Readonly<Record<string, readonly string[]>>;
  /** ASCII characters only. Default: true if the locale is not UTF-8. */
  isAscii: boolean;
  /** Default: the client's own colour setting. */
  hasColours: boolean;
  /**
   * Changes cannot be allowed in these profiles. Default: none; undefined: ui.toml is invalid, so the profiles are
   * unknown.
   */
  readOnlyProfiles: readonly string[] | undefined;
  /** What the interface itself changes in ui.toml, as it was at the start. Default: nothing. */
  preferences?: UiPreferences;
}
