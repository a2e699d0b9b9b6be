import { randomBytes } from 'node:crypto';
import { startServer } from '@clinic/mongo-embedded';
import { MongoClient } from 'mongodb';

/** A database server for a test. Closed by `await using`. */
export interface TestDatabase extends AsyncDisposable {
  readonly uri: string;
  /** A database that no other test uses; it is dropped on close. @param prefix - e.g. `clinic` */
  newName(prefix?: string): string;
  close(): Promise<void>;
}

/**
 * The server that TEST_MONGODB_URI names (a replica set, shared by all tests), or an embedded engine. Tests that stop,
 * pause or damage the server start an engine themselves.
 */
export async function startTestDatabase(): Promise<TestDatabase> {
  const shared = process.env['TEST_MONGODB_URI'];
  const engine = shared ? undefined : await startServer({ port: 0 });
  const uri = shared ?? engine?.uri ?? '';
  const names: string[] = [];
  let closed: Promise<void> | undefined;
  const closeNow = async (): Promise<void> => {
    if (engine) return engine.close();
    const client = await MongoClient.connect(uri);
    for (const name of names) await client.db(name).dropDatabase();
    await client.close();
  };
  const close = (): Promise<void> => (closed ??= closeNow());
  return {
    uri,
    newName(prefix = 'test') {
      const name = newDatabaseName(prefix);
      names.push(name);
      return name;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A name that no other test uses. */
export const newDatabaseName = (prefix = 'test'): string => `${prefix}-${randomBytes(6).toString('hex')}`;

/** An address with one more option. */
export function withUriOption(uri: string, name: string, value: string): string {
  return `${uri}${uri.includes('?') ? '&' : '?'}${name}=${value}`;
}
