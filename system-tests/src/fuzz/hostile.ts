import { gzipSync } from 'node:zlib';
import fc from 'fast-check';

/** Deeper than any parser or recursion should have to go. */
const bombDepth = 40_000;

/** Text that has broken one program or another. */
export const hostileText: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'Am\u0000ina',
  '\u0001\u001b[31m',
  '\ud800',
  'a\udfffb',
  '\ufeff',
  '\u202egnp.exe',
  '\u2028',
  '🧑‍⚕️'.repeat(40),
  'é'.repeat(250),
  'a'.repeat(201),
  'x'.repeat(60_000),
  '$gt',
  '{"$gt":""}',
  '$where',
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  '%2e%2e%2f',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  "' OR '1'='1",
  '=HYPERLINK("http://evil.example")',
  '(a+)+$',
  '[',
  '\\',
  '*',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '1e999',
  '0x10',
  '-0',
  '٣',
  '2026-02-30',
  '9999-99-99',
  '+275760-09-13',
  '24:00',
  '0000000000000000000000000',
  'ffffffffffffffffffffffff',
  'a@b',
  `${'a'.repeat(250)}@b.example`,
  '"quoted \\" local"@clinic.example',
  'a@clinic.example\r\nBcc: b@evil.example',
  '\r\nSet-Cookie: x=1',
];

/** Values of the wrong type: database operators, keys that every object has, boundary numbers. */
const hostileValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  0.1,
  1e-7,
  1.7976931348623157e308,
  9_007_199_254_740_991,
  2_147_483_648,
  -2_147_483_649,
  [],
  {},
  [[]],
  [null],
  [{}],
  { $gt: '' },
  { $ne: null },
  { $in: [] },
  { $where: 'while(true){}' },
  { $regex: '(a+)+$' },
  { $expr: { $function: {} } },
  { $set: { role: 'admin' } },
  { $oid: 'ffffffffffffffffffffffff' },
  { $numberInt: '1' },
  { $numberInt: '' },
  { $numberDouble: 'NaN' },
  { $numberDecimal: '1e6144' },
  { $numberLong: '99999999999999999999' },
  { $date: { $numberLong: '1' } },
  { length: 1e9 },
  { toString: 1, valueOf: 1 },
  { toJSON: 'x' },
  { constructor: { prototype: { role: 'admin' } } },
  { _bsontype: 'ObjectId', id: 'x' },
  { 'a.b': 1 },
  { '': 1 },
  { '\u0000': 1 },
  Array.from({ length: 400 }, () => 'a@clinic.example'),
];

export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...hostileText) },
  { weight: 5, arbitrary: fc.constantFrom(...hostileValues) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  { weight: 1, arbitrary: fc.jsonValue() },
);

/** Paths into a value, each as a list of keys. */
function placesOf(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...at, key]))];
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value))
    return value.map((inner: unknown, index) => (String(index) === key ? replaced(inner, rest, by) : inner));
  return { ...(value as object), [key]: replaced((value as Record<string, unknown>)[key], rest, by) };
}

/** Valid input with hostile values in one or two places. */
export function mutated(good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(good, fc.array(fc.tuple(fc.nat(), hostile), { minLength: 1, maxLength: 2 })).map(([value, changes]) =>
    changes.reduce((current, [place, by]) => {
      const places = placesOf(current);
      return replaced(current, places[place % places.length] ?? [], by);
    }, value),
  );
}

/** Keys inserted after an opening brace: ones that a careless merge takes for the prototype, and duplicate keys. */
const smuggled: readonly string[] = [
  '"__proto__":{"role":"admin"},',
  '"__proto__":null,',
  '"constructor":{"prototype":{"role":"admin"}},',
  '"prototype":{},',
  '"role":"admin","role":"patient",',
  '"_id":"ffffffffffffffffffffffff",',
  '"email":{"$gt":""},',
  '"email":"admin@clinic.example",',
  '"status":"Confirmed",',
  '"$where":"1",',
  '"hasOwnProperty":1,',
  '"\\u0000":1,',
  '"\\u005f_proto__":{"role":"admin"},',
];

/** The text of a JSON body with keys injected into one of its objects. */
export function smuggling(body: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  return fc.tuple(body, fc.nat(), fc.constantFrom(...smuggled)).map(([value, place, keys]) => {
    const text = JSON.stringify(value ?? {}) ?? '{}';
    const braces = [...text.matchAll(/\{/g)].map(({ index }) => index + 1);
    const at = braces[place % Math.max(1, braces.length)] ?? 0;
    const whole = text.slice(0, at) + keys + text.slice(at);
    // A comma before the end of an object would only be a syntax error.
    return Buffer.from(whole.replaceAll(',}', '}'));
  });
}

/** Bodies that aren't JSON, or are larger than anybody sends. */
export const brokenBodies: readonly Buffer[] = [
  Buffer.from(''),
  Buffer.from('null'),
  Buffer.from('[]'),
  Buffer.from('"text"'),
  Buffer.from('1'),
  Buffer.from('{'),
  Buffer.from('{"a":'),
  Buffer.from('{"a":1}}'),
  Buffer.from("{'a':1}"),
  Buffer.from('{"a":NaN}'),
  Buffer.from('{"a":1e999}'),
  Buffer.from('\u0000'),
  Buffer.from('{"email":"\u0000"}'),
  Buffer.from('{"email":"\\ud800"}'),
  Buffer.from('\ufeff{"a":1}'),
  Buffer.from([0xff, 0xfe, 0x7b, 0x00]),
  Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.concat([Buffer.from('{"firstName":"'), Buffer.from([0xed, 0xa0, 0x80, 0xff]), Buffer.from('"}')]),
  Buffer.from('['.repeat(bombDepth) + ']'.repeat(bombDepth)),
  Buffer.from('{"a":'.repeat(bombDepth / 4) + '1' + '}'.repeat(bombDepth / 4)),
  Buffer.from('['.repeat(90_000)),
  Buffer.from(`{"items":${'['.repeat(20_000)}${']'.repeat(20_000)}}`),
  Buffer.from(`{${Array.from({ length: 8_000 }, (_, i) => `"k${i}":1`).join()}}`),
  Buffer.from(`{"firstName":"${'a'.repeat(101 * 1024)}"}`),
  Buffer.from(`{"age":1${'0'.repeat(90_000)}}`),
  Buffer.from('email=a%40clinic.example&newRole=admin'),
  Buffer.from('<user><role>admin</role></user>'),
];

/** Content types that a client may claim; the first is the right one. */
export const contentHeaders: readonly Readonly<Record<string, string>>[] = [
  { 'content-type': 'application/json' },
  { 'content-type': 'application/json; charset=utf-8' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/json; charset=nonsense' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': 'application/xml' },
  { 'content-type': '' },
  {},
  { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  { 'content-type': 'application/json', 'content-encoding': 'br' },
  { 'content-type': 'application/json', 'content-encoding': 'zstd' },
  { 'content-type': 'application/json, text/plain' },
];

/** A few KB that unpack to 20 MB. */
export const zipBomb = gzipSync(Buffer.from(`{"firstName":"${'a'.repeat(20 * 1024 * 1024)}"}`));

/** Path or query parts, as they are on the wire. */
export const hostileParts: readonly string[] = [
  '',
  '.',
  '..',
  '...',
  '%2e%2e',
  '..%2f..%2fusers',
  '%2f',
  '%5c',
  '\\',
  '%00',
  '%',
  '%zz',
  '%c0%ae%c0%ae',
  '%ff',
  '%ed%a0%80',
  ';',
  ';x=1',
  '//',
  '/',
  '?',
  '%3f',
  '%23',
  '*',
  '$',
  '%24gt',
  '__proto__',
  'constructor',
  'ffffffffffffffffffffffff',
  '{id}',
  '[object%20Object]',
  'a'.repeat(3_000),
  '%F0%9F%A7%91',
  '<script>',
  '%3Cscript%3E',
  '%0d%0aSet-Cookie:%20x=1',
  'null',
  '-1',
  '1e999',
  'admin@clinic.example',
  'ADMIN@CLINIC.EXAMPLE',
  '%20',
  '+',
  '%25%32%65',
];

/** Whole query strings, including ones in another server's syntax. */
export const hostileQueries: readonly string[] = [
  '',
  '?',
  'email[$gt]=',
  'email[$ne]=x',
  'email=a%40b.example&email=c%40d.example',
  'email[]=a',
  '__proto__[role]=admin',
  'constructor.prototype.role=admin',
  'limit=0',
  'limit=-1',
  'limit=1e9',
  'limit=1.5',
  'limit=NaN',
  'limit=',
  'limit=1&limit=2',
  'limit=2&cursor=x',
  'limit=2&cursor=%7B%7D',
  `limit=2&cursor=${Buffer.from('{"$gt":""}').toString('base64url')}`,
  `limit=2&cursor=${Buffer.from('[[{"$gt":""}],null]').toString('base64url')}`,
  `limit=2&cursor=${Buffer.from('["a",{"$oid":"x"}]').toString('base64url')}`,
  'limit=2&sort=%24where',
  'limit=2&sort=__proto__',
  'limit=2&sort=constructor',
  'limit=2&sort=-name',
  'limit=2&sort=toString',
  'limit=2&q=%28a%2B%29%2B%24',
  'limit=2&q=%00',
  'limit=2&q=%ff',
  'limit=2&q=%5B',
  'limit=2&q=%ed%a0%80',
  `q=${'a'.repeat(5_000)}`,
  'status=__proto__',
  'status[$ne]=Pending',
  '_id=x',
  '_id[$gt]=',
  '_id=ffffffffffffffffffffffff',
  '&&&&',
  '=&=',
  '%',
  '%zz=%zz',
  'a=b=c',
  Array.from({ length: 2_000 }, (_, i) => `a${i}=1`).join('&'),
  'from=2026-13-99',
  'from=+275760-09-13',
  'from=0000-01-01&until=9999-12-31',
  'date=2026-02-30',
  'medicineIds=,,,',
  `medicineIds=${'a,'.repeat(2_000)}`,
  'specialty=%24gt',
  'person[$gt]=',
  'record=%00',
  'action=%24where',
  'from=2026-12-01T09:30:00Z&until=2026-01-01T00:00:00%2B99:99',
  'limit=2&cursor=__proto__',
];

/** Request headers that servers read. */
export const hostileHeaders: readonly Readonly<Record<string, string>>[] = [
  {},
  {},
  {},
  { 'idempotency-key': 'a'.repeat(300) },
  { 'idempotency-key': '' },
  { 'idempotency-key': '{"$gt":""}' },
  { 'idempotency-key': 'k' },
  { 'if-match': '*' },
  { 'if-match': 'W/"x"' },
  { 'if-match': '"' },
  { 'if-none-match': '*' },
  { 'if-modified-since': 'x' },
  { range: 'bytes=0-' },
  { accept: 'x' },
  { accept: 'text/html' },
  { 'accept-encoding': 'identity;q=0, *;q=0' },
  { cookie: 'clinic_session=x; clinic_session=y' },
  { cookie: '__proto__=1; clinic_refresh=%E0%A4%A' },
  { authorization: 'Bearer x' },
  { authorization: 'Bearer' },
  {
    authorization: `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"email":"admin@clinic.example","sub":"x"}').toString('base64url')}.`,
  },
  { 'x-request-id': '../../x' },
  { 'x-request-id': 'a'.repeat(2_000) },
  { 'x-forwarded-host': 'evil.example' },
  { 'x-forwarded-proto': 'javascript' },
  { 'x-http-method-override': 'DELETE' },
  { 'x-original-url': '/users' },
  { forwarded: 'for=1;host=evil.example' },
  { host: 'evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'last-event-id': '{"$gt":""}' },
  { expect: 'x' },
  { te: 'trailers' },
  { connection: 'cookie, host' },
  { traceparent: '00-zzzz-xx-1' },
  { traceparent: `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01` },
  { tracestate: 'a='.repeat(200) },
];
