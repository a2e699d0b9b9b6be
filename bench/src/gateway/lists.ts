import path from 'node:path';
import { MongoClient } from 'mongodb';
import { startTestIssuer } from '@clinic/service-kit/testing/issuer';
import { doctor } from '../scale/records.ts';
import type { AreaContext } from '../support/area.ts';
import { startDatabase } from '../support/database.ts';
import { internalSecret, startService, type Program } from '../support/program.ts';
import type { Row } from '../support/results.ts';
import { alternate, type RoundOptions } from '../support/rounds.ts';
import { compared, cpuTimes, type Starter } from './starter.ts';

const doctors = '/doctors?limit=50';
const appointments = '/appoinments?limit=50';

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

/** Lists from services. */
export async function listRows(
  context: AreaContext,
  starter: Starter,
  remote: string,
  options: RoundOptions,
): Promise<Row[]> {
  const { service, clinic, token } = await startServices(context, starter);
  const ours = await starter.gateway(service.url, remote);
  const nginx = await starter.proxy('service', { upstream: service.url });
  const asAdmin = { path: appointments, headers: { Cookie: `clinic_session=${token}; signed_in=1` } };
  const forAll = { path: doctors };
  const before = await starter.gateway(clinic.url, remote);
  const found = await alternate(
    {
      ours: { program: ours, question: asAdmin },
      nginx: nginx && { program: nginx, question: asAdmin },
      list: { program: before, question: forAll },
      direct: { program: clinic, question: forAll },
    },
    options,
  );
  const rows: Row[] = [];
  if (found.nginx)
    rows.push(
      compared('list of 50 from a real service, compared with nginx in front of it', found.ours, found.nginx, 0.65, {
        chart: 'gateway + service / nginx + service',
      }),
    );
  rows.push(
    compared(
      'public list of 50 from svc-clinic with its database, compared with asking it directly',
      found.list,
      found.direct,
      undefined,
      {
        note: cpuTimes(found.list, found.direct),
      },
    ),
  );
  return rows;
}

async function fillDoctors(uri: string): Promise<void> {
  const client = await new MongoClient(uri).connect();
  await client
    .db('clinic')
    .collection('doctors')
    .insertMany(Array.from({ length: 50 }, (_, index) => doctor(index)));
  await client.close();
}
