import { join } from 'node:path';
import { after } from 'node:test';
import { startServiceProcess, type Backends, type ServiceProcess } from '@clinic/service-kit/testing/service-process';
import { clinicRequests, startTestClinic } from './test-clinic.ts';

/** Starts the service as one of several replicas. @param env - additional settings */
export const startProcess = (backends: Backends, env: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> =>
  startServiceProcess(join(import.meta.dirname, '..', 'main.ts'), backends, {
    CLINIC_TZ: 'Asia/Dhaka',
    QUIET_HOURS: 'none',
    ...env,
  });

/**
 * A clinic for all tests of a file, and a way to start more replicas of it, in processes of their own. All end after the
 * last test.
 */
export async function replicatedClinic(env: Readonly<Record<string, string>> = {}) {
  const clinic = await startTestClinic(env);
  const { issuer, db, context } = clinic;
  const replicas: ServiceProcess[] = [];
  after(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await clinic.close();
  });
  return {
    clinic,
    startReplica: async () => {
      const { MONGODB_URI: mongoUri } = context.settings;
      const replica = await startProcess({ issuer, mongoUri, database: db.databaseName }, env);
      replicas.push(replica);
      return { ...replica, ...clinicRequests((who) => replica.as(who), clinic.soon) };
    },
  };
}
