import path from 'node:path';
import { MongoClient, ObjectId } from 'mongodb';
import { loadSigningKey, type SigningKey } from '../../../svc-identity/src/sessions/signing-key.ts';
import { makeAccessToken } from '../../../svc-identity/src/sessions/access-token.ts';
import { temporaryFolder, type AreaContext } from '../support/area.ts';
import { startDatabase } from '../support/database.ts';
import { startService, type Program } from '../support/program.ts';
import { domains, type Domain } from './domains.ts';
import { user } from './records.ts';

/** Records written per batch. */
const batch = 5_000;

/** One service with one number of records. */
export interface Sized {
  readonly size: number;
  readonly program: Program;
  readonly database: string;
}

/** All domains; identity first, because the others follow its feed of changed rights. */
export const inOrder: readonly Domain[] = [...domains].sort(
  (one, other) => Number(other.service === 'identity') - Number(one.service === 'identity'),
);

/** A database, an admin's session, and services on them. */
export class ScaleStack {
  readonly client: MongoClient;
  readonly folder: string;
  readonly #key: SigningKey;
  readonly uri: string;
  readonly #context: AreaContext;
  readonly #isServer: boolean;
  /** Of the service whose feed of changed rights the others follow. */
  identityUrl = 'http://127.0.0.1:1';

  private constructor(
    context: AreaContext,
    parts: { uri: string; isServer: boolean; client: MongoClient; folder: string; key: SigningKey },
  ) {
    this.#context = context;
    this.uri = parts.uri;
    this.#isServer = parts.isServer;
    this.client = parts.client;
    this.folder = parts.folder;
    this.#key = parts.key;
  }

  /** @param server - URI of a MongoDB to use; default: the embedded engine */
  static async start(context: AreaContext, server: string | undefined): Promise<ScaleStack> {
    const folder = temporaryFolder(context, 'scale');
    const uri = server ?? (await embedded(folder, context.after));
    // The embedded engine responds to nothing else while it builds a large index.
    const client = await new MongoClient(uri, { connectTimeoutMS: 600_000, socketTimeoutMS: 0 }).connect();
    context.after(() => client.close());
    const key = await loadSigningKey(path.join(folder, 'key.pem'), true);
    return new ScaleStack(context, { uri, isServer: server !== undefined, client, folder, key });
  }

  /** Settings of svc-identity, so that it accepts {@link cookie}. */
  get keySettings(): Readonly<Record<string, string>> {
    return { SESSION_KEY_FILE: path.join(this.folder, 'key.pem'), FIREBASE_PROJECT_ID: 'bench-clinic' };
  }

  /** The cookie of an admin's session, for ten minutes. */
  cookie(): Promise<string> {
    return adminCookie(this.#key);
  }

  /** Starts a service on an empty database of its own. */
  async empty(domain: Domain, size: number): Promise<Sized> {
    const database = `bench_${domain.service}_${size}`;
    const drop = (): Promise<unknown> => this.client.db(database).dropDatabase();
    if (this.#isServer) {
      // Remains of an interrupted run.
      await drop();
      this.#context.after(drop);
    }
    return this.start(domain, size, database);
  }

  async start({ service }: Domain, size: number, database: string): Promise<Sized> {
    const program = await startService(
      this.#context,
      `svc-${service}/src/main.ts`,
      { uri: this.uri, database, identityUrl: this.identityUrl },
      this.keySettings,
    );
    if (service === 'identity') this.identityUrl = program.url;
    return { size, program, database };
  }

  /** Stops services that are measured; the last identity service keeps answering the others. */
  async stop(sized: readonly Sized[]): Promise<void> {
    for (const { program } of sized) if (program.url !== this.identityUrl) await program.stop();
  }

  /** Writes records. */
  async fill({ database, size }: Sized, { collections }: Domain): Promise<void> {
    for (const [name, { make, atMost: most = size }] of Object.entries(collections)) {
      const count = Math.min(size, most);
      const collection = this.client.db(database).collection(name);
      for (let from = 0; from < count; from += batch) {
        await collection.insertMany(
          Array.from({ length: Math.min(batch, count - from) }, (_, at) => make(from + at)),
          { ordered: false },
        );
      }
    }
  }
}

async function embedded(folder: string, after: AreaContext['after']): Promise<string> {
  const server = await startDatabase(path.join(folder, 'mongo'));
  after(() => server.stop());
  return server.uri;
}

async function adminCookie(key: SigningKey): Promise<string> {
  const { token } = await makeAccessToken(
    key,
    {
      user: { ...user(0), _id: new ObjectId(), email: 'admin@clinic.example' },
      role: 'admin',
      sessionId: 'bench',
      provenAt: new Date(),
    },
    590,
  );
  return `clinic_session=${token}`;
}
