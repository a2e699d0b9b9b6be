import path from 'node:path';
import { startTestIssuer } from '@clinic/service-kit/testing/issuer';
import type { AreaContext } from '../support/area.ts';
import { startDatabase } from '../support/database.ts';
import { internalSecret, startService } from '../support/program.ts';
import type { Row } from '../support/results.ts';
import { alternate, type RoundOptions } from '../support/rounds.ts';
import { compared, type Starter } from './starter.ts';

/** A list from a service with service-kit, which has it in memory. */
export async function listRows(
  context: AreaContext,
  starter: Starter,
  remote: string,
  options: RoundOptions,
): Promise<Row[]> {
  const database = await startDatabase(path.join(starter.folder, 'mongo'));
  context.after(() => database.stop());
  const issuer = await startTestIssuer(internalSecret, ['identity', 'clinic', 'pharmacy']);
  context.after(() => issuer.close());
  const service = await startService(context, 'bench/src/services/kit-service.ts', {
    uri: database.uri,
    database: 'bench',
    identityUrl: issuer.url,
  });
  const nginx = await starter.proxy('service', { upstream: service.url });
  if (!nginx) return [];
  const token = await issuer.token({ email: 'admin@clinic.example', role: 'admin' }, { endsIn: 590 });
  const question = { path: '/appoinments?limit=50', headers: { Cookie: `clinic_session=${token}; signed_in=1` } };
  const gateway = await starter.gateway(service.url, remote);
  const found = await alternate({ ours: { program: gateway, question }, nginx: { program: nginx, question } }, options);
  return [
    compared('list of 50 from a real service, compared with nginx in front of it', found.ours, found.nginx, 0.65, {
      chart: 'gateway + service / nginx + service',
    }),
  ];
}
