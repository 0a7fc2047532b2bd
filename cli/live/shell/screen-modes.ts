/** Private modes that are off in a fresh terminal: the alternate screen, the mouse, bracketed paste, cursor keys. */
const offAtFirst = ['1', '47', '1000', '1001', '1002', '1003', '1004', '1005', '1006', '1015', '1016', '1047', '2004'];
const alternateScreen = '1049';
/** Modes that are on in a fresh terminal: wrapping, the cursor. */
const onAtFirst = ['7', '25'];

const escape = '\u001b';
const sequence = /\u001b(?:\[\?([\d;]+)([hl])|\[>4(;\d*)?m|\[([<>])[\d;]*u|([=>c]))/g;
/** An incomplete sequence at the end of a piece. */
const unfinished = /\u001b(?:\[[?<>]?[\d;]{0,32})?$/;

/**
 * Tracks a terminal's output, to know what to undo when the other side no longer can: vim would leave its screen, mouse
 * reports and a hidden cursor.
 */
export function screenModes() {
  /** Differences from a fresh terminal: the sequences to undo and to redo each. */
  const changed = new Map<string, [undo: string, redo: string]>();
  let [held, keyboards] = ['', 0];

  function change(name: string, isSet: boolean, undo: string, redo: string): void {
    if (isSet) changed.set(name, [undo, redo]);
    else changed.delete(name);
  }

  function follow(match: RegExpExecArray): void {
    const [text, modes, how, otherKeys, keyboard, single] = match;
    for (const mode of modes?.split(';') ?? []) {
      const [on, off] = [`${escape}[?${mode}h`, `${escape}[?${mode}l`];
      if (onAtFirst.includes(mode)) change(mode, how === 'l', on, off);
      // Leaving the alternate screen restores the cursor; the scroll region applies to both screens.
      else if (mode === alternateScreen) change(mode, how === 'h', `${escape}[r${off}`, on);
      else if (offAtFirst.includes(mode)) change(mode, how === 'h', off, on);
    }
    if (text.startsWith(`${escape}[>4`))
      change('keys', /\d/.test(otherKeys ?? '') && otherKeys !== ';0', `${escape}[>4m`, text);
    if (keyboard !== undefined) {
      keyboards = Math.max(0, keyboards + (keyboard === '>' ? 1 : -1));
      change('keyboard', keyboards > 0, `${escape}[<${keyboards}u`, text);
    }
    if (single === '=' || single === '>') change('keypad', single === '=', `${escape}>`, `${escape}=`);
    if (single === 'c') {
      changed.clear();
      keyboards = 0;
    }
  }

  return {
    follow(bytes: Buffer): void {
      if (held === '' && !bytes.includes(escape)) return;
      const text = held + bytes.toString('latin1');
      for (const match of text.matchAll(sequence)) follow(match);
      held = unfinished.exec(text)?.[0] ?? '';
    },
    get isAlternate(): boolean {
      return changed.has(alternateScreen);
    },
    /** Restores the terminal; empty if there is nothing to undo. */
    undo(): string {
      const undone = [...changed.values()].reverse().map(([undo]) => undo);
      return undone.length === 0 ? '' : `${undone.join('')}${escape}[0m`;
    },
    /** Restores the modes that the other side expects. */
    redo: (): string => [...changed.values()].map(([, redo]) => redo).join(''),
  };
}
