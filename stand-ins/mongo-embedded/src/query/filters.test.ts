import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BSON } from 'mongodb';
import type { Collection, Document } from 'mongodb';
import { profileRow } from '../profile.ts';
import { serverError, startTestServer } from '../testing/harness.ts';

/** Results of a real MongoDB. */
interface Answers {
  documents: Document[];
  cases: { filter: Document; ids?: string[]; errorCode?: number }[];
}

const answers = JSON.parse(readFileSync(new URL('../../fixtures/filters.json', import.meta.url), 'utf8')) as Answers;
const EJSON_WRAPPERS = /"\$(?:number\w+|oid|date|binary|timestamp|regularExpression|minKey|maxKey)"/g;

const server = await startTestServer();
const [plain, indexed] = [server.fresh(), server.fresh()];
const documents = answers.documents.map(typed);
await plain.insertMany(documents);
await indexed.insertMany(documents);
await indexed.createIndexes([{ key: { a: 1 } }, { key: { 'o.v': -1 } }, { key: { 'l.v': 1 } }]);

function typed(value: Document): Document {
  return BSON.EJSON.deserialize(value, { relaxed: false });
}

/** The operators of a filter, without the wrappers of extended JSON. */
function operators(filter: Document): string[] {
  const text = JSON.stringify(filter).replace(EJSON_WRAPPERS, '""');
  return [...text.matchAll(/"(\$\w+)":/g)].map(([, name]) => name ?? '');
}

async function found(collection: Collection<Document>, filter: Document): Promise<string[]> {
  const documents = await collection.find(typed(filter), { projection: { _id: 1 } }).toArray();
  return documents.map(({ _id }) => String(_id)).toSorted();
}

for (const [name, collection] of [
  ['without an index', plain],
  ['with indexes', indexed],
] as const) {
  test(`gives the same result as MongoDB for every filter, or rejects it, ${name}`, async () => {
    const counts = { answered: 0, refused: 0, own: 0, ownRefused: 0 };
    for (const { filter, ids, errorCode } of answers.cases) {
      const text = JSON.stringify(filter);
      const own = operators(filter).every(
        (operator) => profileRow('query operator', operator) || operator === '$options',
      );
      counts.own += own ? 1 : 0;
      const answer = await found(collection, filter).catch((error: unknown) => error);
      if (Array.isArray(answer)) {
        assert.deepEqual(answer, ids?.toSorted(), text);
        counts.answered += 1;
        continue;
      }
      const { code, message } = await serverError(Promise.reject(answer as Error));
      if (code === 115) {
        assert.match(message, /is outside the profile of the embedded database; use a real MongoDB/, text);
        counts.refused += 1;
        counts.ownRefused += own ? 1 : 0;
      } else {
        assert.equal(code, errorCode, text);
        counts.answered += 1;
      }
    }
    assert.equal(counts.answered + counts.refused, answers.cases.length);
    assert.ok(counts.own >= 590, `${counts.own} cases are about operators of the profile`);
    assert.equal(counts.ownRefused, 0);
  });
}
