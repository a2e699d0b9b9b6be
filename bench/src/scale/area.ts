import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import getPort from 'get-port';
import { MongoClient, ObjectId } from 'mongodb';
import { loadSigningKey, type SigningKey } from '../../../svc-identity/src/sessions/signing-key.ts';
import { makeAccessToken } from '../../../svc-identity/src/sessions/access-token.ts';
import type { Area, AreaContext } from '../support/area.ts';
import { startDatabase } from '../support/database.ts';
import { serviceOptions, startProgram, type Program } from '../support/program.ts';
import { atMost, limited, type Row } from '../support/results.ts';
import { median } from '../support/rounds.ts';
import { user } from './records.ts';
import { domains, type Asked, type Domain } from './domains.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');

/** Latency with the most records, relative to that with the fewest. */
const flat = 1.2;

/** Memory in MB of a service that sends the whole list. */
const memoryLimit = 200;

/** Records written per batch. */
const batch = 5_000;

/** One service with one number of records. */
interface Sized {
  readonly size: number;
  readonly program: Program;
}

export const scale: Area = {
  name: 'scale',
  title: 'Ever more records',
  // A server takes minutes to write a million records of each kind.
  within: process.env['MONGODB_URI'] ? 1800 : 420,
  async run(context) {
    const { effort, after, say } = context;
    const folder = mkdtempSync(path.join(tmpdir(), 'clinic-bench-scale-'));
    after(() => rmSync(folder, { recursive: true, force: true }));
    const real = process.env['MONGODB_URI'];
    const sizes = effort < 1 ? [1_000, 10_000] : [1_000, 10_000, 100_000, ...(real ? [1_000_000] : [])];
    const uri = real ?? (await embedded(folder, after));
    const client = await new MongoClient(uri).connect();
    const databases: string[] = [];
    after(async () => {
      for (const name of real ? databases : []) await client.db(name).dropDatabase();
      await client.close();
    });
    const keyFile = path.join(folder, 'key.pem');
    const key = await loadSigningKey(keyFile, true);
    const rows: Row[] = [];
    let identityUrl = 'http://127.0.0.1:1';
    // The others follow its feed of changed rights.
    for (const domain of [...domains].sort(
      (one, other) => Number(other.service === 'identity') - Number(one.service === 'identity'),
    )) {
      const sized: Sized[] = [];
      for (const size of sizes) {
        const database = `bench_${domain.service}_${size}`;
        databases.push(database);
        // Left on the server by an interrupted run.
        if (real) await client.db(database).dropDatabase();
        const env = {
          MONGODB_URI: uri,
          MONGODB_DATABASE: database,
          IDENTITY_URL: identityUrl,
          INTERNAL_SECRET: 'secret-of-the-internal-calls-in-benches',
          SESSION_KEY_FILE: keyFile,
          FIREBASE_PROJECT_ID: 'bench-clinic',
          LOG_LEVEL: 'info',
          NODE_ENV: 'production',
          COOKIE_SECURE: 'false',
        };
        const program = await startProgram(
          path.join(root, `svc-${domain.service}`, 'src', 'main.ts'),
          await getPort({ host: '127.0.0.1' }),
          { env, nodeOptions: serviceOptions, readyPath: '/health/ready' },
        );
        after(() => program.stop());
        if (domain.service === 'identity' && sized.length === 0) identityUrl = program.url;
        say(`${domain.service}: ${size.toLocaleString('en')} records …`);
        await fill(client, database, domain, size);
        sized.push({ size, program });
      }
      const cookie = `clinic_session=${await adminToken(key)}`;
      for (const asked of domain.questions) rows.push(await latencyRow(sized, asked, cookie, effort));
      const most = sized.at(-1);
      if (most) rows.push(...(await wholeList(most, domain.whole, cookie)));
      // Their memory is no longer needed; the first identity service keeps answering the others.
      for (const { program } of sized) if (program.url !== identityUrl) await program.stop();
    }
    const most = sizes.at(-1) ?? 0;
    return {
      how: `The real services with ${sizes.map((size) => size.toLocaleString('en')).join(', ')} records each, on ${real ? 'a MongoDB server' : 'the embedded engine'}; one client asks all sizes in turn, medians.`,
      peerName: 'with 1,000',
      rows,
      remarks: [
        `"ours" is with ${most.toLocaleString('en')} records. A count stops at 5,000 rows (X-Total-Count-Relation: gte), which a list of 1,000 has not: where a filter finds thousands, that count is what a ratio above 1 consists of.`,
        ...(real
          ? []
          : [
              '1,000,000 records are measured where MONGODB_URI names a MongoDB server; the embedded engine is for one machine’s demo and tests.',
            ]),
      ],
    };
  },
};

async function embedded(folder: string, after: AreaContext['after']): Promise<string> {
  const server = await startDatabase(path.join(folder, 'mongo'));
  after(() => server.stop());
  return server.uri;
}

async function fill(client: MongoClient, database: string, { collections }: Domain, size: number): Promise<void> {
  for (const [name, { make, atMost = size }] of Object.entries(collections)) {
    const collection = client.db(database).collection(name);
    for (let from = 0; from < Math.min(size, atMost); from += batch) {
      await collection.insertMany(
        Array.from({ length: Math.min(batch, Math.min(size, atMost) - from) }, (_, at) => make(from + at)),
        { ordered: false },
      );
    }
  }
}

async function adminToken(key: SigningKey): Promise<string> {
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
  return token;
}

async function latencyRow(
  sized: readonly Sized[],
  { what, path: asked, grows }: Asked,
  cookie: string,
  effort: number,
): Promise<Row> {
  const times = new Map<number, number[]>(sized.map(({ size }) => [size, []]));
  const rounds = Math.max(5, Math.round(60 * effort));
  for (let round = -3; round < rounds; round += 1) {
    for (const { size, program } of sized) {
      const began = performance.now();
      const answer = await fetch(program.url + asked, { headers: { Cookie: cookie } });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${asked} was answered with ${answer.status}`);
      if (round >= 0) times.get(size)?.push(performance.now() - began);
    }
  }
  const at = (size: number | undefined): number => median(times.get(size ?? 0) ?? []);
  const [fewest, ...more] = sized.map(({ size }) => size);
  const [most, least] = [at(more.at(-1)), at(fewest)];
  const between = more
    .slice(0, -1)
    .map((size) => `${at(size).toFixed(1)} ms with ${size.toLocaleString('en')}`)
    .join(', ');
  const ratio = most / least;
  const note = grows ?? (ratio > flat && between !== '' ? between : undefined);
  return {
    what,
    ours: { value: most, unit: 'ms' },
    peer: { value: least, unit: 'ms' },
    ...(!grows && { judged: atMost(ratio, flat) }),
    note,
  };
}

/** The whole list at once, as old clients request it. */
async function wholeList({ size, program }: Sized, list: string, cookie: string): Promise<Row[]> {
  const began = performance.now();
  const answer = await fetch(program.url + list, { headers: { Cookie: cookie } });
  if (answer.status !== 200 || !answer.body) throw new Error(`${list} was answered with ${answer.status}`);
  let bytes = 0;
  for await (const chunk of answer.body) bytes += chunk.length;
  const seconds = (performance.now() - began) / 1000;
  const what = `${list} whole, ${size.toLocaleString('en')} records in ${(bytes / 1e6).toFixed(0)} MB: most memory of the service`;
  return [
    {
      ...limited(what, program.peakMemory() / 1024 ** 2, 'MB', memoryLimit, 'less', `${seconds.toFixed(1)} s`),
      chart: `memory, ${list} whole`,
    },
  ];
}
