import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { cookieNames } from '@clinic/service-kit';
import {
  startTestDatabase,
  startTestIssuer,
  testFetch,
  type TestFetch,
  type TokenPerson,
} from '@clinic/service-kit/testing';
import { MongoClient } from 'mongodb';
import { collectionsOf } from '../collections.ts';

/** The service in its own process. */
export interface ServiceProcess {
  readonly url: string;
  /** Kills it at once, like a crash or a power cut. */
  readonly kill: () => Promise<void>;
}

/**
 * Starts the service as in production and waits until it listens.
 *
 * @param env - its settings
 */
async function startServiceProcess(env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'main.ts')], {
    env: { ...process.env, PORT: '0', NODE_ENV: 'test', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const listening = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { msg, url } = JSON.parse(line) as { msg?: string; url?: string };
      if (msg === 'listening' && url !== undefined) resolve(url);
    });
  });
  const url = await Promise.race([listening, exited.then(() => undefined)]);
  assert.ok(url, 'the service starts');
  return {
    url,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

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
      const service = await startServiceProcess({
        MONGODB_URI: database.uri,
        MONGODB_DATABASE: db.databaseName,
        IDENTITY_URL: issuer.url,
        ...env,
      });
      services.push(service);
      return service;
    },
    /** Requests of a person to one of the services. */
    as: async (
      { url }: ServiceProcess,
      person: TokenPerson,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<TestFetch> =>
      testFetch(url, { Cookie: `${cookieNames.access}=${await issuer.token(person)}`, ...headers }),
  };
}
