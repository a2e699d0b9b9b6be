import { roles } from '@clinic/contracts/roles';

// People put anything into a URL: a name in a path, a password or token in a query. So the log allows what is known to
// be harmless, rather than removing what is known to be personal.

/** Replaces a path segment or value that isn't logged. */
const redacted = '[redacted]';

/** Replaces unknown query parameters; their names, too, are the client's own text. */
const unknown = '[unknown]';

/** Ids of records and sessions. */
const id = /^(?:[0-9a-f]{24}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;

const words = (list: readonly string[]): ReadonlySet<string> => new Set(list);
/** Words of domains: others are redacted. */
const statuses = words([
  'Pending',
  'Confirmed',
  'Cancelled',
  'pending',
  'Shipped',
  'Delivered',
  'in stock',
  'low stock',
  'out of stock',
]);
const sorts = words([
  'name',
  '-name',
  'email',
  'newest',
  'oldest',
  'date',
  '-date',
  'customer',
  'experience',
  'rating',
  'stock',
  'expiry',
  'price',
]);
const day = /^\d{4}-\d\d-\d\d(?:T[\d:.]{5,12}(?:Z|[+-]\d\d:\d\d))?$/;

/** Values that the log may keep, by parameter. */
const harmless: Readonly<Record<string, RegExp | ReadonlySet<string>>> = {
  limit: /^\d{1,4}$/,
  _id: id,
  from: day,
  until: day,
  to: day,
  date: day,
  status: statuses,
  role: words(roles),
  sort: sorts,
  expiry: words(['soon', 'expired']),
  changes: words(['true']),
};

/** Known parameters whose values may be about a person. */
const hidden = ['q', 'email', 'cursor', 'specialty', 'person', 'record', 'action', 'medicineIds'];

/** The fixed segments of paths: `users` and `history` of `/users/:email/history`. */
export function segmentsOfPaths(paths: Iterable<string>): string[] {
  return [...paths].flatMap((path) => path.split('/').filter((part) => part !== '' && !/^[:*{]/.test(part)));
}

/**
 * @param isSegment - whether a path segment is one of ours, rather than the client's text
 * @param parameters - names of further query parameters that may be logged; their values are not
 * @returns a function that redacts a request's path and query, as sent, for the log
 */
export function loggedAddresses(
  isSegment: (segment: string) => boolean,
  parameters: readonly string[] = [],
): (address: string) => string {
  const names = new Set([...Object.keys(harmless), ...hidden, ...parameters]);

  function loggedQuery(query: string): string {
    const shown: string[] = [];
    let hasUnknown = false;
    for (const pair of query.split('&', 20)) {
      const equals = pair.indexOf('=');
      const name = equals === -1 ? pair : pair.slice(0, equals);
      if (names.has(name)) shown.push(equals === -1 ? name : `${name}=${loggedValue(name, pair.slice(equals + 1))}`);
      else hasUnknown = true;
    }
    return [...shown, ...(hasUnknown ? [unknown] : [])].join('&');
  }

  return (address) => {
    const mark = address.indexOf('?');
    const path = mark === -1 ? address : address.slice(0, mark);
    const shown = path
      .split('/', 12)
      .map((part) => (part === '' || isSegment(part) || id.test(part) ? part : redacted))
      .join('/');
    return mark === -1 ? shown : `${shown}?${loggedQuery(address.slice(mark + 1))}`;
  };
}

function loggedValue(name: string, value: string): string {
  if (!Object.hasOwn(harmless, name)) return redacted;
  const rule = harmless[name];
  // Form encoding: "in stock" is in%20stock or in+stock.
  const isHarmless = rule instanceof RegExp ? rule.test(value) : rule?.has(value.replaceAll(/%20|\+/g, ' ')) === true;
  return isHarmless ? value : redacted;
}
