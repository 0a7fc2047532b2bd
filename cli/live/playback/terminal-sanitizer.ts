const escape = '\u001b';
const clear = `${escape}[H${escape}[2J`;
/** Starts of strings that end with ST: OSC (the clipboard, titles), DCS, SOS, PM, APC. */
const strings = ']PX^_';
const stringEnds = '\u0007\u0018\u001a';
/** No well-behaved program sends a longer one. */
const maxSequence = 256;

/** Screen switches: the recording already plays on another screen. */
const ofScreens = /^\u001b\[\?[\d;]*(?:47|1047|1048|1049)[\d;]*[hl]$/;
/**
 * Queries that the terminal answers as input, printing, and changes to the viewer's window and keyboard. Of private
 * sequences only modes and erasures pass, of those with intermediate characters only the soft reset.
 */
const ofOthers = /^\u001b\[(?:.*[cinqtx]|[<=>].*|\?.*[^hlJK]|(?!!p$).*[ -/].*)$/;

/**
 * Filters a recording for the terminal, piece by piece: colours and positions pass. Everything that acts beyond the
 * picture is removed: strings such as OSC 52, which sets the clipboard, and queries, whose reply the viewer's shell
 * would read as input. A line feed moves only down, as on the terminal of a program that draws.
 */
export function terminalSanitizer(): (piece: string) => string {
  let state: 'text' | 'escape' | 'sequence' | 'string' = 'text';
  let sequence = '';

  function afterEscape(character: string): string {
    if (character === escape) return '';
    if (character < ' ') return inText(character); // takes effect at once
    state = 'text';
    if (character === '[') state = 'sequence';
    else if (strings.includes(character)) state = 'string';
    else if (character === 'c')
      return clear; // a reset would leave the screen
    else if (character > '~') return character;
    else if (character !== 'Z' && character !== '\\') return escape + character;
    sequence = `${escape}[`;
    return '';
  }

  function inSequence(character: string): string {
    if (character === escape) {
      state = 'escape';
      return '';
    }
    if (character < ' ') return inText(character);
    sequence += character;
    if (character < '@' && sequence.length < maxSequence) return '';
    state = 'text';
    if (ofScreens.test(sequence)) return clear;
    // Some terminals ignore the eighth bit of the last character.
    return character < '@' || character > '~' || ofOthers.test(sequence) ? '' : sequence;
  }

  function inText(character: string): string {
    if (character === '\n') return `${escape}D`;
    return character === '\u0005' ? '' : character; // a query too
  }

  function next(character: string): string {
    if (character === '\u007f') return ''; // has no effect, also in a sequence
    // A C1 control is an escape and a letter.
    if (character >= '\u0080' && character <= '\u009f')
      return next(escape) + next(String.fromCharCode(character.charCodeAt(0) - 0x40));
    switch (state) {
      case 'text':
        if (character !== escape) return inText(character);
        state = 'escape';
        return '';
      case 'escape':
        return afterEscape(character);
      case 'sequence':
        return inSequence(character);
      case 'string':
        if (character === escape) state = 'escape';
        else if (stringEnds.includes(character)) state = 'text';
        return '';
    }
  }

  return (piece) => {
    let told = '';
    for (const character of piece) told += next(character);
    return told;
  };
}
