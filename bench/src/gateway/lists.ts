import path from 'node:path';
import { MongoClient } from 'mongodb';
import { startTestIssuer } from '@clinic/service-kit/testing/issuer';
import { doctor } from '../scale/records.ts';
import type { AreaContext } from '../support/area.ts';
import { startDatabase } from '../support/database.ts';
import { internalSecret, startService, type Program } from '../support/program.ts';
import type { Row } from '../support/results.ts';
import { alternate, cpuPerRequest, throughputRatio, type RoundOptions, type Sample } from '../support/rounds.ts';
import { compared, cpuTimes, type Starter } from './starter.ts';

const doctors = '/doctors?limit=50';
const appointments = '/appoinments?limit=50';

/** Headers that node:http sets itself. */
const ofConnection = new Set(['connection', 'keep-alive', 'date']);

interface Services {
  /** A service with its lists in memory. */
  readonly service: Program;
  /** svc-clinic with its database. */
  readonly clinic: Program;
  /** An admin's session token. */
  readonly token: string;
}

async function startServices(context: AreaContext, starter: Starter): Promise<Services> {
  const database = await startDatabase(path.join(starter.folder, 'mongo'));
  context.after(() => database.stop());
  const issuer = await startTestIssuer(internalSecret, ['identity', 'clinic', 'pharmacy']);
  context.after(() => issuer.close());
  const start = (file: string, name: string): Promise<Program> =>
    startService(context, file, { uri: database.uri, database: name, identityUrl: issuer.url });
  const service = await start('bench/src/services/kit-service.ts', 'bench');
  const clinic = await start('svc-clinic/src/main.ts', 'clinic');
  await fillDoctors(database.uri);
  const token = await issuer.token({ email: 'admin@clinic.example', role: 'admin' }, { endsIn: 590 });
  return { service, clinic, token };
}

/** Lists from services and from the gateway's memory. */
export async function listRows(
  context: AreaContext,
  starter: Starter,
  remote: string,
  options: RoundOptions,
): Promise<Row[]> {
  const { service, clinic, token } = await startServices(context, starter);
  const ours = await starter.gateway(service.url, remote);
  const nginx = await starter.proxy('service', { upstream: service.url });
  const nginxCache = await starter.proxy('cache', { upstream: service.url, cache: true });
  const asAdmin = { path: appointments, headers: { Cookie: `clinic_session=${token}; signed_in=1` } };
  const list = await fetch(ours.url + doctors);
  const etag = list.headers.get('etag');
  if (etag === null) throw new Error('The gateway gives public lists no ETag');
  const bare = await starter.node('bench/src/gateway/bare-list.ts', {
    HEADERS: JSON.stringify([...list.headers].filter(([name]) => !ofConnection.has(name)).flat()),
    ETAG: etag,
    BODY: Buffer.from(await list.arrayBuffer()).toString('base64'),
  });
  const unchanged = { path: doctors, headers: { 'If-None-Match': etag }, status: 304 } as const;
  const found = await alternate(
    {
      ours: { program: ours, question: asAdmin },
      cached: { program: ours, question: { path: doctors } },
      unchanged: { program: ours, question: unchanged },
      bare: { program: bare, question: { path: doctors } },
      bareUnchanged: { program: bare, question: unchanged },
      uncached: { program: clinic, question: { path: doctors } },
      nginx: nginx && { program: nginx, question: asAdmin },
      nginxCache: nginxCache && { program: nginxCache, question: { path: doctors } },
    },
    options,
  );
  const { nginx: ofNginx, nginxCache: ofCache } = found;
  const rows: Row[] = [];
  if (ofNginx)
    rows.push(
      compared('list of 50 from a real service, compared with nginx in front of it', found.ours, ofNginx, 0.75, {
        chart: 'gateway + service / nginx + service',
      }),
    );
  rows.push(...rowsFromMemory(found));
  if (ofCache) rows.push(compared('public list from memory, compared with nginx’s cache', found.cached, ofCache, 0.5));
  return rows;
}

interface FromMemory {
  readonly ours: readonly Sample[];
  readonly cached: readonly Sample[];
  readonly unchanged: readonly Sample[];
  readonly bare: readonly Sample[];
  readonly bareUnchanged: readonly Sample[];
  readonly uncached: readonly Sample[];
}

function rowsFromMemory({ ours, cached, unchanged, bare, bareUnchanged, uncached }: FromMemory): Row[] {
  const reaches = (samples: readonly Sample[], target: number): string =>
    `bare node:http would reach ${throughputRatio(samples, ours).toFixed(1)} where the target above is ${target}`;
  return [
    compared('public list of 50 from memory, compared with a list that a service has in memory', cached, ours, 8, {
      chart: 'cached list / uncached',
      note: `gateway processor time per request: ${cpuPerRequest(cached).toFixed(0)} µs from memory, ${cpuPerRequest(ours).toFixed(0)} µs to proxy it`,
    }),
    compared('the same unchanged (304)', unchanged, ours, 11),
    compared(
      'public list from memory, compared with bare node:http that sends the same bytes',
      cached,
      bare,
      undefined,
      {
        note: `${cpuTimes(cached, bare)}; ${reaches(bare, 8)}`,
      },
    ),
    compared('the same unchanged (304)', unchanged, bareUnchanged, undefined, {
      note: `${cpuTimes(unchanged, bareUnchanged)}; ${reaches(bareUnchanged, 11)}`,
    }),
    compared('the same from memory, compared with svc-clinic with its database', cached, uncached),
  ];
}

async function fillDoctors(uri: string): Promise<void> {
  const client = await new MongoClient(uri).connect();
  await client
    .db('clinic')
    .collection('doctors')
    .insertMany(Array.from({ length: 50 }, (_, index) => doctor(index)));
  await client.close();
}
