/**
 * What a calendar breaks of the grammar of RFC 5545 (section 3.1) with RFC 6868 and RFC 7986, and of the order of a calendar's
 * parts (section 3.4). It knows nothing of our writer, and is stricter than programs that read calendars.
 *
 * @returns one line for each fault; empty if there are none
 */
export function icalFaults(text: string): string[] {
  const faults: string[] = [];
  if (!text.endsWith('\r\n') && !text.endsWith('END:VCALENDAR')) faults.push('the end isn’t a line');
  if (/[^\r]\n|\r[^\n]/.test(text)) faults.push('a line doesn’t end with CRLF');
  for (const line of text.split('\r\n')) if (Buffer.byteLength(line) > 75) faults.push(`more than 75 octets: ${line}`);
  const lines = text
    .replaceAll(/\r\n[ \t]/g, '')
    .split('\r\n')
    .filter((line) => line !== '');
  const open: string[] = [];
  let components = 0;
  const seen = new Map<string, number>();
  for (const line of lines) {
    const { name, values } = contentLine(line, faults);
    if (name === 'BEGIN') {
      open.push(values);
      if (open.length === 2) components += 1;
      seen.clear();
    } else if (name === 'END') {
      if (open.pop() !== values) faults.push(`${line} ends something else`);
    } else if (open.length === 0) faults.push(`outside of the calendar: ${line}`);
    else if (open.length === 1 && components > 0) faults.push(`a property of the calendar after a component: ${line}`);
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    if (count > 1 && once.has(name) && open.at(-1) === 'VEVENT') faults.push(`${name} twice`);
  }
  if (open.length > 0) faults.push(`never ends: ${open.join()}`);
  return faults;
}

/** Properties that an event has at most once (section 3.6.1). */
const once = new Set([
  'UID',
  'DTSTAMP',
  'DTSTART',
  'DURATION',
  'DTEND',
  'SEQUENCE',
  'SUMMARY',
  'LOCATION',
  'STATUS',
  'ORGANIZER',
]);

/** Properties whose value is a text, in which commas and semicolons are escaped (section 3.3.11). */
const texts = new Set(['SUMMARY', 'LOCATION', 'DESCRIPTION', 'UID', 'TZNAME']);

/** Quoted values have no quotes, others no quotes, semicolons, colons and commas; RFC 6868 knows `^^`, `^n` and `^'`. */
const parameter = /^;([A-Z\d-]+)=((?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)/;

/** CONTROL of the grammar: all but the tab. */
// oxlint-disable-next-line no-control-regex -- these are the ones
const control = /[\0-\x08\x0A-\x1F\x7F]/;

function contentLine(line: string, faults: string[]): { readonly name: string; readonly values: string } {
  const name = /^[A-Z\d-]+/.exec(line)?.[0] ?? '';
  let rest = line.slice(name.length);
  for (let found = parameter.exec(rest); found; found = parameter.exec(rest)) {
    const [whole, , value = ''] = found;
    if (value.replaceAll(/\^[\^n']/g, '').includes('^')) faults.push(`an unknown escape in a parameter: ${line}`);
    rest = rest.slice(whole.length);
  }
  if (name === '' || !rest.startsWith(':')) faults.push(`not a content line: ${line}`);
  const values = rest.slice(1);
  if (control.test(line)) faults.push(`a control character: ${line}`);
  if (texts.has(name) && !/^(?:[^\\;,]|\\[\\;,nN])*$/u.test(values)) faults.push(`an unescaped text: ${line}`);
  return { name, values };
}
