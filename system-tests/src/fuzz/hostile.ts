import fc from 'fast-check';

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
