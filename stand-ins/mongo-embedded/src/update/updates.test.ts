import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BSON } from 'mongodb';
import type { Document } from 'mongodb';
import { profileRow } from '../profile.ts';
import { startTestServer } from '../testing/harness.ts';

/** Result of a real MongoDB. */
interface Case {
  filter?: Document;
  update: Document | Document[];
  arrayFilters?: Document[];
  upsert?: boolean;
  matched?: number;
  modified?: number;
  after?: Document;
  errorCode?: number;
}

const answers = JSON.parse(readFileSync(new URL('../../fixtures/updates.json', import.meta.url), 'utf8')) as {
  document: Document;
  cases: Case[];
};

const server = await startTestServer();

function typed(value: unknown): unknown {
  return (BSON.EJSON.deserialize({ value } as Document, { relaxed: false }) as { value: unknown }).value;
}

/** Numbers as plain JSON, dates as `{$d: ms}`, keys sorted: the form of the expected documents. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return { $d: value.getTime() };
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof BSON.Decimal128) return { $numberDecimal: value.toString() };
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, plain(inner)]),
  );
}

async function outcomeOf({
  filter,
  update,
  arrayFilters,
  upsert,
}: Case): Promise<{ code: number; message: string } | { matched: number; modified: number; after: unknown }> {
  const collection = server.fresh();
  await collection.insertOne((upsert ? { _id: 1 } : typed(answers.document)) as Document);
  const { n, nModified, writeErrors } = (await server.db
    .command({
      update: collection.collectionName,
      updates: [
        {
          q: filter === undefined ? { _id: 1 } : typed(filter),
          u: typed(update),
          ...(upsert ? { upsert } : {}),
          ...(arrayFilters ? { arrayFilters: typed(arrayFilters) } : {}),
        },
      ],
    })
    .catch((error: unknown) => ({ n: 0, nModified: 0, writeErrors: [error] }))) as {
    n: number;
    nModified: number;
    writeErrors?: Document[];
  };
  const [error] = writeErrors ?? [];
  if (error) return { code: error['code'] as number, message: (error['errmsg'] ?? error['message']) as string };
  const after = await collection.findOne({ _id: upsert ? 9 : 1 } as Document);
  return { matched: n, modified: nModified, after: plain(after) };
}

test('updates every document like MongoDB, or rejects the update', async () => {
  const counts = { own: 0, ownRefused: 0, refused: 0 };
  for (const each of answers.cases) {
    const text = JSON.stringify([each.filter, each.update, each.arrayFilters]);
    const own =
      !Array.isArray(each.update) &&
      Object.keys(each.update).every((name) => !name.startsWith('$') || profileRow('update operator', name));
    counts.own += own ? 1 : 0;
    const outcome = await outcomeOf(each);
    if ('code' in outcome && outcome.code === 115) {
      assert.match(outcome.message, /is outside the profile of the embedded database; use a real MongoDB/, text);
      counts.refused += 1;
      counts.ownRefused += own ? 1 : 0;
    } else if ('code' in outcome) {
      assert.equal(outcome.code, each.errorCode, `${text}: ${outcome.message}`);
    } else {
      assert.deepEqual(outcome, { matched: each.matched, modified: each.modified, after: plain(each.after) }, text);
    }
  }
  assert.ok(counts.own >= 80, `${counts.own} cases are about operators of the profile`);
  assert.equal(counts.ownRefused, 0);
  assert.equal(counts.refused, answers.cases.length - counts.own);
});
