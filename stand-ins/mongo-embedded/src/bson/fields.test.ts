import assert from 'node:assert/strict';
import { it } from 'node:test';
import { BSONRegExp, Binary, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { MalformedMessage } from '../errors.ts';
import { parseProjection } from '../query/projection.ts';
import { decode, decodeFields } from './decode.ts';
import { encode } from './encode.ts';
import { FieldNames, copyFields } from './fields.ts';
import type { Value } from './values.ts';

const document = new Map<string, Value>([
  ['_id', new ObjectId()],
  ['text', 'জয়া \0 x'],
  ['', 'no name'],
  ['texts', ['a', new Map([['text', 'inner']])]],
  ['inner', new Map<string, Value>([['texts', null]])],
  ['binary', new Binary(Buffer.from('0\0x'), 4)],
  ['yes', true],
  ['date', new Date(5)],
  ['none', null],
  ['regex', new BSONRegExp('^a', 'i')],
  ['int', new Int32(-1)],
  ['time', new Timestamp({ t: 1, i: 2 })],
  ['long', Long.fromString('9007199254740993')],
  ['double', new Double(0.5)],
  ['decimal', Decimal128.fromString('1.50')],
  ['max', new MaxKey()],
  ['min', new MinKey()],
  ['ünï', 'name'],
]);
const bytes = encode(document);
const names = [...document.keys()];
const choices = [[], names, ['missing'], ...names.map((name) => [name]), ['_id', 'min'], ['texts', 'inner', 'ünï']];

it('reads and copies any fields of a document of every type', () => {
  for (const chosen of choices) {
    const kept = names.filter((name) => chosen.includes(name));
    const fields = new FieldNames(chosen);
    assert.deepEqual([...decodeFields(bytes, fields).keys()], kept);
    for (const name of kept) assert.deepEqual(decodeFields(bytes, fields).get(name), decode(bytes).get(name));
    const pick = (of: readonly string[]) => encode(new Map(of.map((name) => [name, document.get(name)])));
    assert.deepEqual(copyFields(bytes, fields, true), pick(kept), chosen.join());
    assert.deepEqual(copyFields(bytes, fields, false), pick(names.filter((name) => !chosen.includes(name))));
  }
});

it('projects bytes as it projects documents', () => {
  for (const spec of [
    { text: 1 },
    { text: 0 },
    { _id: 0, texts: 1 },
    { _id: 0 },
    { 'texts.text': 0 },
    { 'inner.texts': 1 },
  ]) {
    const projection = parseProjection(new Map(Object.entries(spec).map(([name, on]) => [name, new Int32(on)])));
    assert.ok(projection);
    assert.deepEqual(projection.ofBytes(bytes), encode(projection(document)), JSON.stringify(spec));
  }
});

it('rejects a document that is cut off or has an unknown type', () => {
  const broken = Buffer.from(bytes);
  broken[4] = 0x20;
  for (const damaged of [broken, Buffer.concat([Buffer.from([40, 0, 0, 0]), bytes.subarray(4, 40)])]) {
    assert.throws(() => copyFields(damaged, new FieldNames(['min']), true), MalformedMessage);
    assert.throws(() => decodeFields(damaged, new FieldNames(['min'])), MalformedMessage);
  }
});
