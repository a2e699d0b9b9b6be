import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { startServer } from '@clinic/mongo-embedded';
import type { MongoClient } from 'mongodb';
import { pino } from 'pino';
import { createClient } from './database.ts';
import { watchHeartbeats } from './heartbeat-watch.ts';

/** The driver's internals. */
interface Inside {
  readonly topology: {
    readonly s: {
      readonly servers: ReadonlyMap<
        string,
        { readonly monitor: { readonly connection: { readonly socket: Socket } | null; requestCheck(): void } }
      >;
    };
  };
}

const monitorOf = (client: MongoClient) => {
  const [server] = (client as unknown as Inside).topology.s.servers.values();
  assert.ok(server);
  return server.monitor;
};

test('reconnects if the driver waits for a response on a closed connection', { timeout: 60_000 }, async (t) => {
  const server = await startServer({ port: 0 });
  // Allows a heartbeat to be triggered at any time.
  const client = createClient(`${server.uri}&minHeartbeatFrequencyMS=0`, 'test');
  const stop = new AbortController();
  t.after(async () => {
    stop.abort();
    await client.close();
    await server.close();
  });
  const logged: string[] = [];
  const revived = Promise.withResolvers<void>();
  const log = pino(
    {},
    {
      write: (line: string) => {
        logged.push((JSON.parse(line) as { msg: string }).msg);
        if (logged.at(-1) === 'reconnected') revived.resolve();
      },
    },
  );
  watchHeartbeats(client, log, stop.signal, { heartbeatLimitMs: 100, catchUpMs: 100 });
  await client.connect();
  await client.db('x').collection('y').insertOne({ kept: true });

  // As when the database is killed: the connection has closed, the driver hasn't been notified yet, and a heartbeat is
  // requested. If a heartbeat was due anyway, the driver sees the close first and reconnects without help.
  while (logged.length === 0) {
    const looked = once(client, 'serverHeartbeatSucceeded');
    const monitor = monitorOf(client);
    monitor.connection?.socket.destroy();
    monitor.requestCheck();
    await Promise.race([looked, revived.promise]);
  }
  await revived.promise;
  assert.deepEqual(logged, ['the driver stopped monitoring the database, reconnecting', 'reconnected']);
  assert.equal(await client.db('x').collection('y').countDocuments({ kept: true }), 1);

  // The driver monitors the server again, and isn't disturbed while it does.
  const answered = once(client, 'serverHeartbeatSucceeded');
  monitorOf(client).requestCheck();
  await answered;
  assert.equal(logged.length, 2);
});
