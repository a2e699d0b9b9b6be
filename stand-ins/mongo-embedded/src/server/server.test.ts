import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { BSON } from 'mongodb';
import { decode } from '../bson/decode.ts';
import { Random } from '../testing/random.ts';
import { startTestServer } from '../testing/harness.ts';
import { connectRaw, int32, message, opMsg } from '../testing/raw-client.ts';
import { MAX_MESSAGE_BYTES } from './wire.ts';

const server = await startTestServer();
await server.client.connect();

/** Asserts that these bytes close their connection, and no other. */
async function closes(bytes: Uint8Array, what: string): Promise<void> {
  const raw = await connectRaw(server.server.uri);
  const closed = once(raw.socket, 'close');
  raw.socket.write(bytes);
  await closed;
  assert.equal((await server.db.command({ ping: 1 }))['ok'], 1, what);
}

const body = BSON.serialize({ insert: 'victims', documents: [{ _id: 1 }], $db: 'clinic' });

/** A document sequence in the driver's format, with arbitrary bytes as documents. */
function sequence(documents: Uint8Array): Buffer {
  const content = Buffer.concat([Buffer.from('documents\0'), documents]);
  const command = BSON.serialize({ insert: 'victims', $db: 'clinic' });
  return Buffer.concat([int32(0), Buffer.from([0]), command, Buffer.from([1]), int32(content.length + 4), content]);
}

test('closes only the connection of a malformed message, which has no effect', async () => {
  await closes(Buffer.alloc(64, 0xff), 'a negative length');
  await closes(Buffer.concat([int32(MAX_MESSAGE_BYTES + 1), Buffer.alloc(12)]), 'a length beyond the limit');
  await closes(message(2012, Buffer.alloc(30)), 'a compressed message');
  await closes(message(2013, Buffer.concat([int32(4), Buffer.from([0]), body])), 'an unknown required flag');
  await closes(message(2013, int32(0)), 'no body');
  await closes(message(2013, Buffer.concat([int32(0), Buffer.from([0]), body.subarray(0, -3)])), 'a body cut off');
  await closes(message(2013, Buffer.concat([int32(0), Buffer.from([0]), body, Buffer.from([0]), body])), 'two bodies');
  await closes(message(2013, Buffer.concat([int32(0), Buffer.from([7]), body])), 'an unknown section');
  await closes(
    message(2013, sequence(Buffer.from([9, 0, 0, 0, 0x10, 97, 0, 1, 0]))),
    'a document whose value runs past its end',
  );
  await closes(
    message(2013, sequence(Buffer.concat([BSON.serialize({ _id: 2 }), int32(400)]))),
    'a sequence that ends inside a document',
  );
  assert.equal(await server.db.collection('victims').countDocuments(), 0);
});

test('survives randomly corrupted messages', async () => {
  const good = opMsg({ insert: 'victims', documents: [{ _id: 1, a: 'text', l: [1, { b: 2 }] }], $db: 'clinic' });
  const random = new Random(9);
  for (let round = 0; round < 150; round += 1) {
    const bad = Buffer.from(good);
    // Keep the length: the server would wait for a longer message.
    for (let count = 0; count < 3; count += 1) bad[4 + random.below(bad.length - 4)] = random.below(256);
    const raw = await connectRaw(server.server.uri);
    raw.socket.end(bad);
    raw.socket.resume();
    await once(raw.socket, 'close');
  }
  assert.equal((await server.db.command({ ping: 1 }))['ok'], 1);
});

test('accepts fragmented messages, several at once, and with a checksum', async () => {
  const raw = await connectRaw(server.server.uri);
  const ping = opMsg({ ping: 1, $db: 'admin' });
  for (const byte of ping) raw.socket.write(Buffer.from([byte]));
  assert.equal((await raw.command({ ping: 1, $db: 'admin' }))['ok'], 1);
  const withChecksum = message(
    2013,
    Buffer.concat([int32(1), Buffer.from([0]), BSON.serialize({ ping: 1, $db: 'admin' }), Buffer.alloc(4)]),
  );
  raw.socket.write(Buffer.concat([withChecksum, ping]));
  assert.equal((await raw.command({ ping: 1, $db: 'admin' }))['ok'], 1);
  await raw.close();
});

test('responds to the first message in the older format that drivers use for it', async () => {
  const raw = await connectRaw(server.server.uri);
  const query = Buffer.concat([
    int32(0),
    Buffer.from('admin.$cmd\0'),
    int32(0),
    int32(-1),
    BSON.serialize({ ismaster: 1, helloOk: true }),
  ]);
  raw.socket.write(message(2004, query));
  const [answer] = (await once(raw.socket, 'data')) as [Buffer];
  assert.equal(answer.readInt32LE(12), 1);
  const hello = decode(answer, 36);
  assert.deepEqual([hello.get('helloOk'), hello.get('isWritablePrimary')], [true, true]);
  await raw.close();
});

test('runs a write with concern 0 and sends no reply', async () => {
  const raw = await connectRaw(server.server.uri);
  raw.socket.write(opMsg({ insert: 'unanswered', documents: [{ _id: 1 }], writeConcern: { w: 0 }, $db: 'clinic' }, 2));
  assert.deepEqual((await raw.command({ count: 'unanswered', $db: 'clinic' }))['n'], 1);
  await raw.close();
  await server.db.collection('unanswered').insertOne({}, { writeConcern: { w: 0 } });
});

test('rejects values of types outside the profile', async () => {
  const { BSONSymbol, Code } = BSON;
  for (const value of [new Code('x'), new BSONSymbol('x')]) {
    await assert.rejects(server.db.collection('types').insertOne({ value }), { code: 115 });
    await assert.rejects(server.db.collection('types').findOne({ value }), { code: 115 });
  }
});

test('handles large documents and long results', async () => {
  const collection = server.db.collection<{ _id: number; text: string }>('large');
  const text = 'x'.repeat(3_000_000);
  for (let _id = 0; _id < 6; _id += 1) await collection.insertOne({ _id, text });
  const found = await collection.find({}).sort({ _id: 1 }).toArray();
  assert.deepEqual(
    found.map((doc) => [doc._id, doc.text.length]),
    [0, 1, 2, 3, 4, 5].map((_id) => [_id, 3_000_000]),
  );
  await assert.rejects(collection.updateOne({ _id: 0 }, { $set: { more: 'y'.repeat(14_000_000) } as object }), {
    code: 17419,
  });
});

test('commits the writes of one turn of the event loop together, each with its own reply', async () => {
  const collection = server.db.collection<{ _id: number }>('grouped');
  await collection.insertOne({ _id: 5 });
  const results = await Promise.allSettled(Array.from({ length: 12 }, (_, _id) => collection.insertOne({ _id })));
  assert.deepEqual(
    results.map(({ status }) => status === 'fulfilled'),
    results.map((_, _id) => _id !== 5),
  );
  assert.equal(await collection.countDocuments(), 12);
});

test('keeps serving others when a client disconnects before its reply', async () => {
  const raw = await connectRaw(server.server.uri);
  raw.socket.write(opMsg({ find: 'large', $db: 'clinic' }));
  raw.socket.destroy();
  assert.equal((await server.db.command({ ping: 1 }))['ok'], 1);
});
