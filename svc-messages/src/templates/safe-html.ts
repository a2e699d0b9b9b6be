/** HTML that needs no escaping. Only {@link html} creates it. */
class SafeHtml {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign);

type Part = string | SafeHtml | undefined | readonly (SafeHtml | undefined)[];

const partText = (part: Part): string => {
  if (part === undefined) return '';
  if (typeof part === 'string') return escaped(part);
  return part instanceof SafeHtml ? part.text : part.map((one) => one?.text ?? '').join('');
};

/** A template tag: escapes texts, inserts {@link SafeHtml} and lists of it as they are, and omits `undefined`. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): SafeHtml {
  return new SafeHtml(strings.map((string, index) => string + partText(parts[index])).join(''));
}

export type { SafeHtml };
