/**
 * The commands of a shell script, as the words its reader sees, including those of `$(…)` and `<(…)`. Quotes, escapes,
 * comments, redirections and assignments before a command are removed; `<id>` is a word, because it stands for one.
 */
export function commandsOf(script: string): string[][] {
  const commands: string[][] = [];
  let at = 0;

  /** Reads to the closing parenthesis of the current list, or to the end. */
  function list(): void {
    let words: string[] = [];
    let word: string | undefined;
    let isTarget = false; // of a redirection
    const endWord = () => {
      if (word !== undefined && !isTarget && !(words.length === 0 && /^\w+=/.test(word))) words.push(word);
      if (word !== undefined) isTarget = false;
      word = undefined;
    };
    const endCommand = () => {
      endWord();
      if (words.length > 0) commands.push(words);
      words = [];
    };
    while (at < script.length) {
      const rest = script.slice(at);
      const sign = rest.charAt(0);
      const placeholder = /^<[a-z][\w |-]*>/.exec(rest)?.[0];
      const redirection = /^(?:[<>]&\d|>>|[<>])/.exec(rest)?.[0];
      if (sign === ')') break;
      if (/^[$<]\(/.test(rest)) {
        at += 2;
        list();
        at += 1;
        word = `${word ?? ''}$()`;
      } else if (placeholder !== undefined) {
        word = `${word ?? ''}${placeholder}`;
        at += placeholder.length;
      } else if (redirection !== undefined) {
        if (/^\d$/.test(word ?? '')) word = undefined;
        endWord();
        isTarget = !redirection.includes('&');
        at += redirection.length;
      } else if (sign === "'" || sign === '"') {
        at += 1;
        word = `${word ?? ''}${quoted(sign)}`;
      } else if (rest.startsWith('\\\n')) {
        at += 2;
      } else if (sign === '\\') {
        word = `${word ?? ''}${rest.charAt(1)}`;
        at += 2;
      } else if (sign === '#' && word === undefined) {
        at += /^[^\n]*/.exec(rest)?.[0].length ?? 0;
      } else if (/[\n;|&]/.test(sign)) {
        endCommand();
        at += 1;
      } else if (/\s/.test(sign)) {
        endWord();
        at += 1;
      } else {
        word = `${word ?? ''}${sign}`;
        at += 1;
      }
    }
    endCommand();
  }

  function quoted(quote: string): string {
    let text = '';
    for (; at < script.length && script.charAt(at) !== quote; at += 1) {
      if (quote === '"' && script.startsWith('$(', at)) {
        at += 2;
        list();
        text += '$()';
      } else if (quote === '"' && script.charAt(at) === '\\') {
        at += 1;
        text += script.charAt(at);
      } else {
        text += script.charAt(at);
      }
    }
    at += 1;
    return text;
  }

  // An unmatched parenthesis, as in the patterns of `case`, ends nothing.
  for (; at < script.length; at += 1) list();
  return commands;
}
