import { CommandError, outsideProfile } from '../errors.ts';

/**
 * Translates MongoDB's PCRE: keeps the part with the same meaning in JavaScript, rewrites the rest where possible (`.`,
 * `$`, `\s`), and rejects what would silently match something else.
 */
class Translator {
  readonly pattern: string;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly extended: boolean;
  at = 0;
  output = '';

  /** @param flags out of m, s and x */
  constructor(pattern: string, flags: string) {
    this.pattern = pattern;
    this.multiline = flags.includes('m');
    this.dotAll = flags.includes('s');
    this.extended = flags.includes('x');
  }

  translate(): string {
    while (this.at < this.pattern.length) this.next();
    return this.output;
  }

  next(): void {
    const rest = this.pattern.slice(this.at);
    const ignored = this.extended ? /^(?:[ \t\n\v\f\r]+|#[^\n]*)/.exec(rest)?.[0] : undefined;
    if (ignored !== undefined) {
      this.at += ignored.length;
      return;
    }
    const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})/.exec(rest)?.[0];
    if (quantifier !== undefined) return this.quantifier(quantifier);
    const char = String.fromCodePoint(rest.codePointAt(0) ?? 0);
    if (char === '\\') return this.escape();
    if (char === '[') return this.characterClass();
    if (char === '(') return this.group(rest);
    this.at += char.length;
    if (char === '.') this.output += this.dotAll ? '[\\s\\S]' : '[^\\n]';
    else if (char === '^') this.output += this.multiline ? '(?<![^\\n])' : '(?<![\\s\\S])';
    else if (char === '$') this.output += this.multiline ? '(?![^\\n])' : '(?=\\n?(?![\\s\\S]))';
    else this.output += /[{}\]/]/.test(char) ? `\\${char}` : char;
  }

  quantifier(text: string): void {
    this.at += text.length;
    const following = this.pattern[this.at];
    if (following === '+') throw outsideProfile('A possessive quantifier in a regular expression');
    this.output += text;
    if (following === '?') {
      this.output += '?';
      this.at += 1;
    }
  }

  group(rest: string): void {
    const head = /^\((?:\?(?::|=|!|<=|<!))?(?![?*])/.exec(rest)?.[0];
    if (head === undefined) throw outsideProfile(`The group ${rest.slice(0, 4)} in a regular expression`);
    this.at += head.length;
    this.output += head;
  }

  escape(): void {
    const char = this.pattern[this.at + 1];
    if (char === undefined) throw new CommandError(51091, 'Regular expression is invalid: \\ at end of pattern');
    this.at += 2;
    this.output += translateEscape(char, false);
  }

  characterClass(): void {
    let at = this.at + 1;
    let output = '[';
    if (this.pattern[at] === '^') {
      output += '^';
      at += 1;
    }
    let first = true;
    for (; ; first = false) {
      const code = this.pattern.codePointAt(at);
      if (code === undefined)
        throw new CommandError(51091, 'Regular expression is invalid: missing terminating ] for character class');
      const char = String.fromCodePoint(code);
      at += char.length;
      if (char === ']' && !first) break;
      if (char === '[' && /[:.=]/.test(this.pattern[at] ?? ''))
        throw outsideProfile('A POSIX class in a regular expression');
      if (char === '\\') {
        output += translateEscape(this.pattern[at] ?? '', true);
        at += 1;
      } else output += /[\][/(){}|^]/.test(char) ? `\\${char}` : char;
    }
    this.at = at;
    this.output += `${output}]`;
  }
}

const SPACE = ' \\t\\n\\v\\f\\r';

function translateEscape(char: string, inClass: boolean): string {
  if (char === 's') return inClass ? SPACE : `[${SPACE}]`;
  if (char === 'S' && !inClass) return `[^${SPACE}]`;
  if ('dDwW'.includes(char) && char !== '') return `\\${char}`;
  if ('bB'.includes(char) && char !== '' && !inClass) return `\\${char}`;
  if ('tnrf'.includes(char) && char !== '') return `\\${char}`;
  if (char === '-') return inClass ? '\\-' : '-';
  if (/[\^$\\.*+?()[\]{}|/]/.test(char)) return `\\${char}`;
  if (char !== '' && !/[0-9A-Za-z]/.test(char)) return char;
  throw outsideProfile(`The escape \\${char} in a regular expression`);
}

/** A regular expression ready to test strings. */
export interface CompiledRegex {
  test(text: string): boolean;
  /** Known prefix of every matching string, from which the planner derives bounds. */
  prefix?: string;
  /** Whether every string with that prefix matches. */
  isPrefix?: boolean;
  /** If it is plain text: a string matches if it contains this. */
  literal?: string;
}

/**
 * Compiles a JavaScript regular expression that matches the same strings as MongoDB's.
 * @param pattern as the client gave it
 * @param options MongoDB's flags out of i, m, s, x, u
 * @throws CommandError 115 for constructs outside the profile, 51108 for an unknown flag, 51091 for a broken pattern
 */
export function compileRegex(pattern: string, options: string): CompiledRegex {
  const inline = /^\(\?([imsx]+)\)/.exec(pattern);
  const flags = options + (inline?.[1] ?? '');
  const body = inline ? pattern.slice(inline[0].length) : pattern;
  if (/[^imsux]/.test(flags)) throw new CommandError(51108, `invalid flag in regex options: ${flags}`);
  if (pattern.includes('\0')) throw new CommandError(2, 'Regular expression cannot contain an embedded null byte');
  const insensitive = flags.includes('i');
  const source = new Translator(body, flags).translate();
  let regex: RegExp;
  try {
    regex = new RegExp(source, insensitive ? 'iu' : 'u');
  } catch (error) {
    throw new CommandError(51091, `Regular expression is invalid: ${(error as Error).message}`);
  }
  const known = /[imx]/.test(flags) ? undefined : literalPrefix(body);
  const text = /[imx]/.test(flags) || body.startsWith('^') ? undefined : literalPrefix(`^${body}`);
  return {
    test: (value) => regex.test(value),
    ...(known?.prefix ? known : {}),
    ...(text?.prefix && text.isPrefix ? { literal: text.prefix } : {}),
  };
}

function literalPrefix(body: string): Required<Pick<CompiledRegex, 'prefix' | 'isPrefix'>> | undefined {
  if (!body.startsWith('^') || body.includes('|')) return undefined;
  let prefix = '';
  let at = 1;
  for (; at < body.length; at += 1) {
    let char = body.charAt(at);
    if (char === '\\' && /[^0-9A-Za-z]/.test(body[at + 1] ?? 'a')) {
      at += 1;
      char = body.charAt(at);
    } else if (/[\\^$.*+?()[\]{}|]/.test(char)) break;
    // A quantifier may make the last character optional.
    if (/[*?{]/.test(body[at + 1] ?? '')) break;
    prefix += char;
  }
  if (/[\ud800-\udbff]$/.test(prefix)) return { prefix: prefix.slice(0, -1), isPrefix: false };
  return { prefix, isPrefix: at === body.length };
}
