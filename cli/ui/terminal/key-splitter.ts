/** So long a sequence that was cut on its way is waited for: what is pressed by hand comes in one piece nearly always. */
const restMs = 25;
/** The end of a text that was pasted is waited for longer. */
const pasteRestMs = 1_000;
const maxPasteCharacters = 1024 * 1024;
/** The rest of one that was cut is dropped until its end, or until nothing came for so long. */
const lostRestMs = 10_000;

const pasteBegin = '\u001b[200~';
const pasteEnd = '\u001b[201~';
/** A key of several characters: arrows and their like. */
const sequence = /^\u001b(?:\[\[[A-E]|\[[0-?]*[ -/]*[@-~]|O[ -~])/;
/** Answers of terminals to what others asked, and mice: nobody pressed a key. */
const answer = /^\u001b(?:\[[<=>?][0-?]*[ -/]*[@-~]|[\]P_^X][^\u0007\u001b]*(?:\u0007|\u001b\\))/;
/** The beginning of one of these. */
const beginning = /^\u001b(?:\[\[?|\[[0-?]*[ -/]*|O|[\]P_^X][^\u0007\u001b]*\u001b?)?$/;

/**
 * Makes keys of what a terminal sends. Each is given by itself, however many came at once, so that none is lost on a slow line; a text that was pasted is
 * one, without control characters, so that it can be put into a field and can press nothing.
 */
export function keySplitter(take: (keys: readonly string[]) => void) {
  let rest = '';
  let timer: NodeJS.Timeout | undefined;
  /** A paste was cut, and its rest is to come: it is no keys. */
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
      const [strange] = answer.exec(left) ?? [];
      const [key] = sequence.exec(left) ?? Array.from(left);
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
    /** What was begun is forgotten. */
    reset,
  };
}

/** As much of the end of a paste as this text ends with. */
function begunEnd(text: string): string {
  const lengths = Array.from(pasteEnd, (_, index) => pasteEnd.length - index);
  return pasteEnd.slice(0, lengths.find((length) => text.endsWith(pasteEnd.slice(0, length))) ?? 0);
}

function pasted(text: string): string[] {
  const harmless = text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
  return harmless.trim() === '' ? [] : [harmless];
}
