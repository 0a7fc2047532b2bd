/** Timeout for the rest of a cut sequence: a key press nearly always arrives in one piece. */
const restMs = 25;
/** Timeout for the end of a pasted text. */
const pasteRestMs = 1_000;
const maxPasteCharacters = 1024 * 1024;
/** The rest of a cut paste is discarded until its end, or until there was no input for this long. */
const lostRestMs = 10_000;

const pasteBegin = '\u001b[200~';
const pasteEnd = '\u001b[201~';
/** A key of several characters, such as an arrow. */
const sequence = /^\u001b(?:\[\[[A-E]|\[[0-?]*[ -/]*[@-~]|O[ -~])/;
/** A mouse event (SGR), which is passed on like a key. */
const mouse = /^\u001b\[<\d+;\d+;\d+[Mm]/;
/** Terminal responses to queries of other programs: not keys. */
const answer = /^\u001b(?:\[[<=>?][0-?]*[ -/]*[@-~]|[\]P_^X][^\u0007\u001b]*(?:\u0007|\u001b\\))/;
/** The start of one of these. */
const beginning = /^\u001b(?:\[\[?|\[[0-?]*[ -/]*|O|[\]P_^X][^\u0007\u001b]*\u001b?)?$/;

/**
 * Splits terminal input into keys. Each is passed on separately, however many arrive at once, so that none is lost on a
 * slow connection. A pasted text is one piece without control characters: it can be put into a field, and presses no
 * key.
 */
export function keySplitter(take: (keys: readonly string[]) => void) {
  let rest = '';
  let timer: NodeJS.Timeout | undefined;
  /** A paste was cut, and its rest is expected: it is not keys. */
  let isDropping = false;

  function split(text: string, isLast: boolean): string[] {
    const keys: string[] = [];
    let left = text;
    while (left !== '') {
      if (isDropping || left.startsWith(pasteBegin)) {
        const end = left.indexOf(pasteEnd);
        if (end === -1 && !isDropping && !isLast && left.length < maxPasteCharacters) break;
        const begun = end === -1 ? begunEnd(left) : '';
        if (!isDropping)
          keys.push(...pasted(left.slice(pasteBegin.length, end === -1 ? left.length - begun.length : end)));
        isDropping = end === -1;
        left = end === -1 ? begun : left.slice(end + pasteEnd.length);
        if (isDropping) break;
        continue;
      }
      if (!isLast && beginning.test(left)) break;
      const [clicked] = mouse.exec(left) ?? [];
      const [strange] = clicked === undefined ? (answer.exec(left) ?? []) : [];
      const [key] = clicked === undefined ? (sequence.exec(left) ?? Array.from(left)) : [clicked];
      if (strange === undefined && key !== undefined) keys.push(key);
      left = left.slice((strange ?? key ?? left).length);
    }
    rest = left;
    return keys;
  }

  function feed(text: string, isLast: boolean): void {
    clearTimeout(timer);
    const keys = split(rest + text, isLast);
    if (isDropping) timer = setTimeout(reset, lostRestMs);
    else if (rest !== '') timer = setTimeout(() => feed('', true), rest.startsWith(pasteBegin) ? pasteRestMs : restMs);
    if (keys.length > 0) take(keys);
  }

  function reset(): void {
    clearTimeout(timer);
    rest = '';
    isDropping = false;
  }

  return {
    feed: (text: string) => feed(text, false),
    /** Discards incomplete input. */
    reset,
  };
}

/** The longest start of the paste end with which this text ends. */
function begunEnd(text: string): string {
  const lengths = Array.from(pasteEnd, (_, index) => pasteEnd.length - index);
  return pasteEnd.slice(0, lengths.find((length) => text.endsWith(pasteEnd.slice(0, length))) ?? 0);
}

function pasted(text: string): string[] {
  const harmless = text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
  return harmless.trim() === '' ? [] : [harmless];
}
