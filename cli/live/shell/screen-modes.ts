/** Private modes that programs turn on and a terminal begins without: the alternate screen, the mouse, bracketed paste, cursor keys. */
const offAtFirst = ['1', '47', '1000', '1001', '1002', '1003', '1004', '1005', '1006', '1015', '1016', '1047', '2004'];
const alternateScreen = '1049';
/** Those it begins with: wrapping, the cursor. */
const onAtFirst = ['7', '25'];

const escape = '\u001b';
const sequence = /\u001b(?:\[\?([\d;]+)([hl])|\[>4(;\d*)?m|\[([<>])[\d;]*u|([=>c]))/g;
/** The beginning of one at the end of what came. */
const unfinished = /\u001b(?:\[[?<>]?[\d;]{0,32})?$/;

/**
 * Reads along what a terminal is told, to know what must be undone when nobody is left on the other side to do it: vim would leave its screen, the
 * mouse reports and an invisible cursor behind.
 */
export function screenModes() {
  /** What differs from how a terminal begins: what undoes it, and what does it. */
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
      // Leaving the alternate screen brings the cursor back to where it was; the lines that scroll are set for both screens.
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
    /** Makes the terminal as it was; empty if there is nothing to undo. */
    undo(): string {
      const undone = [...changed.values()].reverse().map(([undo]) => undo);
      return undone.length === 0 ? '' : `${undone.join('')}${escape}[0m`;
    },
    /** Makes it what the other side takes it for. */
    redo: (): string => [...changed.values()].map(([, redo]) => redo).join(''),
  };
}
