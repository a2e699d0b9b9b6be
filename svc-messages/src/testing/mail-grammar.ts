/** A mail as this parser reads it. */
export interface ReadMail {
  /** What the mail breaks of RFC 5322, 2045, 2046 and 2047; empty if nothing. */
  readonly faults: readonly string[];
  /** By name in lower case, unfolded, encoded words decoded. */
  readonly fields: ReadonlyMap<string, string>;
  /** The parts that aren't made of parts, decoded. */
  readonly parts: readonly { readonly type: string; readonly content: string }[];
}

interface Part {
  readonly fields: Map<string, string>;
  readonly body: string;
}

/**
 * Reads a mail by the grammar. It is stricter than programs that read mails, and knows nothing of our writer: a name that
 * becomes a line, a field or a recipient of its own is a fault.
 *
 * @param raw - as a mail server receives it, in binary
 * @param expected - the names that its fields may have, in lower case
 */
export function readMail(raw: string, expected: readonly string[]): ReadMail {
  const faults: string[] = [];
  if (/[^\r]\n|\r[^\n]/.test(raw)) faults.push('a line doesn’t end with CRLF');
  for (const line of raw.split('\r\n')) if (line.length > 998) faults.push('a line has more than 998 octets');
  const mail = partOf(raw, faults);
  for (const name of mail.fields.keys()) if (!expected.includes(name)) faults.push(`unexpected field ${name}`);
  for (const name of ['from', 'to', 'subject', 'date', 'message-id', 'mime-version', 'content-type'])
    if (!mail.fields.has(name)) faults.push(`no ${name}`);
  const parts: { type: string; content: string }[] = [];
  collect(mail, parts, faults);
  return { faults, fields: mail.fields, parts };
}

function partOf(text: string, faults: string[]): Part {
  const end = text.indexOf('\r\n\r\n');
  const head = end === -1 ? text : text.slice(0, end);
  if (/[^\t\r\n\x20-\x7E]/.test(head)) faults.push('a header isn’t in ASCII');
  const fields = new Map<string, string>();
  for (const line of head.replaceAll(/\r\n(?=[ \t])/g, '').split('\r\n')) {
    const { name, value } = /^(?<name>[\x21-\x39\x3B-\x7E]+): ?(?<value>.*)$/.exec(line)?.groups ?? {};
    if (name === undefined || value === undefined) {
      faults.push(`no field: ${line}`);
      continue;
    }
    const key = name.toLowerCase();
    if (fields.has(key)) faults.push(`${key} twice`);
    fields.set(key, decodeWords(value, faults));
  }
  return { fields, body: end === -1 ? '' : text.slice(end + 4) };
}

/** RFC 2047: blanks between encoded words aren't part of the text. */
function decodeWords(value: string, faults: string[]): string {
  const word = /=\?(?<charset>[\w-]+)\?(?<how>[QBqb])\?(?<text>[\x21-\x3E\x40-\x7E]*)\?=/g;
  return value
    .replaceAll(/(?<=\?=)[ \t]+(?==\?)/g, '')
    .replaceAll(word, (whole, charset: string, how: string, text: string) => {
      if (whole.length > 75) faults.push('an encoded word is longer than 75');
      if (charset.toLowerCase() !== 'utf-8') faults.push(`charset ${charset}`);
      return how.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString()
        : unquoted(text.replaceAll('_', '=20'), faults);
    });
}

function unquoted(text: string, faults: string[]): string {
  if (/=(?![\dA-F]{2})/.test(text)) faults.push('a wrong = in quoted text');
  const octets = text.replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return Buffer.from(octets, 'binary').toString();
}

function collect({ fields, body }: Part, parts: { type: string; content: string }[], faults: string[]): void {
  const [type = '', ...parameters] = (fields.get('content-type') ?? '').split(';').map((one) => one.trim());
  const boundary = parameters
    .find((one) => one.toLowerCase().startsWith('boundary='))
    ?.slice('boundary='.length)
    .replaceAll('"', '');
  if (type.startsWith('multipart/')) {
    if (boundary === undefined) return void faults.push(`no boundary of ${type}`);
    const [before = '', ...rest] = `\r\n${body}`.split(`\r\n--${boundary}`);
    const after = rest.pop() ?? '';
    if (before.trim() !== '' || !after.startsWith('--') || after.slice(2).trim() !== '')
      faults.push('text around the parts');
    for (const part of rest) collect(partOf(part.replace(/^[ \t]*\r\n/, ''), faults), parts, faults);
    return;
  }
  parts.push({
    type,
    content: decoded(fields.get('content-transfer-encoding')?.toLowerCase() ?? '7bit', body, faults),
  });
}

function decoded(encoding: string, body: string, faults: string[]): string {
  switch (encoding) {
    case 'base64':
      if (!/^[\dA-Za-z+/=\r\n]*$/.test(body)) faults.push('not base64');
      return Buffer.from(body, 'base64').toString();
    case 'quoted-printable':
      if (body.split('\r\n').some((line) => line.length > 76)) faults.push('a quoted line is longer than 76');
      return unquoted(body.replaceAll(/=[ \t]*\r\n/g, ''), faults);
    case '7bit':
      if (/[^\t\r\n\x20-\x7E]/.test(body)) faults.push('7bit has other octets');
      return body;
    default:
      faults.push(`encoding ${encoding}`);
      return body;
  }
}
