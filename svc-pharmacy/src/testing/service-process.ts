import { join } from 'node:path';
import { after } from 'node:test';
import { startTestDatabase, startTestIssuer } from '@clinic/service-kit/testing';
import { startServiceProcess, type ServiceProcess } from '@clinic/service-kit/testing/service-process';
import { MongoClient } from 'mongodb';
import { collectionsOf } from '../collections.ts';

const main = join(import.meta.dirname, '..', 'main.ts');

/**
 * An empty database and sign-in for services in processes of their own, for all tests of a file. All of them end after the
 * last test.
 */
export async function sharedBackends() {
  const database = await startTestDatabase();
  const issuer = await startTestIssuer();
  const client = await new MongoClient(database.uri).connect();
  const db = client.db(database.newName('pharmacy'));
  const services: ServiceProcess[] = [];
  after(async () => {
    await Promise.all(services.map((service) => service.kill()));
    await client.close();
    await issuer.close();
    await database.close();
  });
  return {
    client,
    db,
    collections: collectionsOf(db),
    /** @param env - more settings */
    startService: async (env: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> => {
      const backends = { issuer, mongoUri: database.uri, database: db.databaseName };
      const service = await startServiceProcess(main, backends, env);
      services.push(service);
      return service;
    },
  };
}
