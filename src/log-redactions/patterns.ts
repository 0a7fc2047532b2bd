import { RE2JS, RE2JSException, RE2Set } from 're2js';
import { slowFault, type PatternRule } from './model.ts';

/** Instructions of a compiled pattern: its time for each character grows with them. */
const maxProgramSize = 1_000;
/** Time to search a text that looks most like the pattern. Ordinary patterns take a hundredth. */
const maxProbeMs = 500;
/** Replacements may be longer than what they replace. Of a message, less than this is stored. */
const maxTextLength = 65_536;

/** The function that applies rules one after the other. @throws Error if a pattern does not compile */
export function compileRules(rules: readonly PatternRule[]): (text: string) => string {
  const compiled = rules.map(({ pattern, replacement }) => ({ pattern: RE2JS.compile(pattern), replacement }));
  // One search for all patterns decides for most texts that none matches.
  const all = new RE2Set();
  for (const { pattern } of rules) all.add(pattern);
  all.compile();
  return (text) => {
    if (all.match(text).length === 0) return text;
    return compiled.reduce((soFar, rule) => replaceAll(soFar, rule).slice(0, maxTextLength), text);
  };
}

/** `patternFault` accepts no pattern that matches an empty text, with few exceptions: such matches are skipped. */
function replaceAll(text: string, { pattern, replacement }: { pattern: RE2JS; replacement: string }): string {
  const matcher = pattern.matcher(text);
  let kept = '';
  let end = 0;
  while (matcher.find()) {
    if (matcher.end() === matcher.start()) continue;
    kept += text.slice(end, matcher.start()) + replacement;
    end = matcher.end();
  }
  return kept + text.slice(end);
}

/** Why a pattern is not accepted; undefined if it is. */
export function patternFault(pattern: string): string | undefined {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return `is not a regular expression in RE2 syntax: ${error.message.replace(/^error parsing regexp: /, '')}`;
  }
  if (compiled.programSize() > maxProgramSize)
    return `is too large: it needs ${compiled.programSize()} steps for a character, and ${maxProgramSize} are allowed; repeat less, such as {1,20} for {1,500}`;
  if (emptyProbes.some((text) => matchesEmpty(compiled, text)))
    return 'matches the empty text, so it would match everywhere; use + for *, or add a character that must be there';
  return isSlow(compiled, pattern) ? slowFault : undefined;
}

const emptyProbes = ['', 'a', 'a b', 'ab1', '-', ' ', '\n'];

function matchesEmpty(pattern: RE2JS, text: string): boolean {
  for (const [match] of pattern.matchAll(text)) if (match === '') return true;
  return false;
}

/** Texts made of the characters of the pattern reach the most of its states. */
function isSlow(pattern: RE2JS, source: string): boolean {
  const characters = [...new Set(source.match(/[\p{L}\p{N} ]/gu))].join('');
  return ['a', 'ab', 'a1 -', characters || 'x', source].some((alphabet) => {
    const text = `${source}\n${mixed(alphabet)}`;
    // Twice, if need be: the first time includes what is compiled only once, and the machine may be busy.
    return [1, 2].every(() => searchMs(pattern, text) >= maxProbeMs);
  });
}

function searchMs(pattern: RE2JS, text: string): number {
  const startMs = performance.now();
  pattern.test(text);
  if (performance.now() - startMs < maxProbeMs) replaceAll(text, { pattern, replacement: '' });
  return performance.now() - startMs;
}

/** 16 Ki characters in an order that repeats late. */
function mixed(alphabet: string): string {
  const characters = Array.from(alphabet);
  let text = '';
  for (let step = 1; text.length < 16_384; step = (Math.imul(step, 1_103_515_245) + 12_345) & 0x7fffffff)
    text += characters[(step >> 16) % characters.length] ?? '';
  return text;
}
