import type { Collection, Document } from 'mongodb';
import type { TestServer } from './harness.ts';

/** A test for each command, by its name. */
export type CommandTests = Record<string, (server: TestServer) => Promise<void>>;

/** The tests on a server, for `testRows`. */
export const onServer = (server: TestServer, tests: CommandTests): Record<string, () => Promise<void>> =>
  Object.fromEntries(Object.entries(tests).map(([name, run]) => [name, () => run(server)]));

/** A reply without the cluster time. */
export const bodyOf = (reply: Document): Document =>
  Object.fromEntries(Object.entries(reply).filter(([name]) => !['$clusterTime', 'operationTime'].includes(name)));

/** A collection of `{_id: 0…count-1, n: _id % 3}`. */
export async function numbers(server: TestServer, count = 6): Promise<Collection<Document>> {
  const collection = server.fresh();
  await collection.insertMany(Array.from({ length: count }, (_, n) => ({ _id: n, n: n % 3 }) as unknown as Document));
  return collection;
}

export const ids = (documents: Document[]): unknown[] => documents.map(({ _id }) => _id as unknown);
