import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BSON } from 'mongodb';
import type { Document } from 'mongodb';
import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import type { Encodable } from '../bson/encode.ts';
import { Store } from '../storage/store.ts';
import { Batch } from './batch.ts';
import { createEngine, recover } from './engine.ts';

type Command = { [name: string]: Encodable };

/** An engine with an in-memory store, and commands that arrive in one batch. */
function setUp() {
  const store = new Store(':memory:');
  const engine = createEngine(store, 'rs0');
  const failures: unknown[] = [];
  const batch = new Batch(engine, (error) => {
    failures.push(error);
    recover(engine);
  });
  const run = (...commands: Command[]): Document[] => {
    const answers: Document[] = [];
    for (const command of commands) {
      batch.add({
        body: decode(encode({ ...command, $db: 'clinic' })),
        sequences: new Map(),
        deadline: Infinity,
        awaitUntil: 0,
        isNeeded: () => true,
        answer: (bytes) => answers.push(BSON.deserialize(bytes)),
        reject: (error) => assert.fail(error),
      });
    }
    batch.run();
    return answers;
  };
  return { store, engine, failures, run };
}

const ok = (answer: Document | undefined): unknown => answer?.['ok'];
const insert = (name: string, ...documents: Command[]): Command => ({ insert: name, documents });
const count = (name: string): Command => ({ count: name });

test('reports no success if the storage transaction fails, and reverts what it did', () => {
  const { store, engine, failures, run } = setUp();
  assert.deepEqual(run(insert('kept', { _id: 1 })).map(ok), [1]);
  const commit = store.commit.bind(store);
  store.commit = () => {
    store.commit = commit;
    throw new Error('the disk failed');
  };
  const answers = run(insert('kept', { _id: 2 }), insert('made', { _id: 1 }), {
    createIndexes: 'kept',
    indexes: [{ key: { a: 1 }, name: 'a' }],
  });
  assert.deepEqual(answers.map(ok), [0, 0, 0]);
  assert.match(answers[0]?.['errmsg'] as string, /could not write: the disk failed/);
  assert.equal(failures.length, 1);
  assert.equal(engine.catalogue.get('clinic', 'made'), undefined);
  assert.deepEqual(
    engine.catalogue.get('clinic', 'kept')?.indexes.map(({ name }) => name),
    ['_id_'],
  );
  assert.equal(engine.catalogue.get('clinic', 'kept')?.count, 1);
  assert.deepEqual(
    run(insert('kept', { _id: 2 }), count('kept')).map(({ n }) => n as unknown),
    [1, 2],
  );
});

test('recovers after the disk was full', () => {
  const { store, run } = setUp();
  run(insert('records', { _id: 0 }));
  store.exec(`PRAGMA max_page_count = ${store.number('PRAGMA page_count') + 20}`);
  const text = 'x'.repeat(10_000);
  const answers = Array.from({ length: 20 }, (_, at) => run(insert('records', { _id: at + 1, text }))[0]);
  const written = answers.filter((answer) => ok(answer) === 1).length;
  assert.ok(written > 0 && written < 20, `${written} of 20 were written`);
  assert.match(answers.at(-1)?.['errmsg'] as string, /full/);
  assert.equal(answers.at(-1)?.['code'], 14_031);
  assert.equal(run(count('records'))[0]?.['n'], written + 1);
  store.exec('PRAGMA max_page_count = 1000000');
  assert.deepEqual(
    run(insert('records', { _id: 'again', text }), count('records')).map(({ n }) => n as unknown),
    [1, written + 2],
  );
});

test('undoes only the command that fails halfway', () => {
  const { engine, run } = setUp();
  run(insert('records', { _id: 1, a: 1 }));
  const { writer } = engine;
  const write = writer.write.bind(writer);
  let writes = 0;
  writer.write = (...args) => {
    writes += 1;
    if (writes === 3) throw new Error('a defect');
    write(...args);
  };
  const answers = run(
    insert('records', { _id: 2 }),
    insert('records', { _id: 3 }, { _id: 4 }),
    insert('records', { _id: 5 }),
    count('records'),
  );
  assert.deepEqual(answers.map(ok), [1, 0, 1, 1]);
  assert.equal(answers[1]?.['errmsg'], 'a defect');
  assert.equal(answers[3]?.['n'], 3);
});

test('rejects a document with a duplicate field name', () => {
  const { engine } = setUp();
  const bytes = encode({ a: 1, b: 2 });
  bytes.write('a', bytes.indexOf('b'));
  assert.throws(() => decode(bytes), { code: 115 });
  assert.equal(engine.catalogue.list().length, 0);
});
