import { programEnv } from '@clinic/service-kit/testing/program-env';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { testFetch, type TestFetch, type TestIssuer, type TokenPerson } from '@clinic/service-kit/testing';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { startTestClinic } from './test-clinic.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

/** The clinic service in its own process. */
export interface ServiceProcess {
  as(person: TokenPerson): TestFetch;
  stop(): Promise<void>;
  /** Kills it at once, like a crash of its machine. */
  kill(): Promise<void>;
}

/**
 * Starts the service as in production, as one of several replicas on one database; for tests.
 *
 * @param mongoUri - the database server
 * @param env - additional settings
 */
export async function startProcess(
  issuer: TestIssuer,
  mongoUri: string,
  database: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [main], {
    env: {
      ...programEnv(),
      PORT: '0',
      NODE_ENV: 'test',
      IDENTITY_URL: issuer.url,
      MONGODB_URI: mongoUri,
      MONGODB_DATABASE: database,
      CLINIC_TZ: 'Asia/Dhaka',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const line = output.split('\n').find((text) => text.includes('"msg":"listening"'));
      if (line?.endsWith('}')) resolve((JSON.parse(line) as { url: string }).url);
    });
    child.once('exit', () => reject(new Error(`the service ended: ${output}`)));
  });
  await waitUntil(async () => (await fetch(`${url}/health/ready`)).ok);
  return {
    as: (person) => async (path, init) =>
      testFetch(url, { Cookie: `clinic_session=${await issuer.token(person)}` })(path, init),
    async kill() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/**
 * A clinic for all tests of a file, and a way to start more replicas of it, in processes of their own. All end after the
 * last test.
 */
export async function replicatedClinic(env: Readonly<Record<string, string>> = {}) {
  const clinic = await startTestClinic(env);
  const replicas: ServiceProcess[] = [];
  after(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await clinic.close();
  });
  return {
    clinic,
    startReplica: async (): Promise<ServiceProcess> => {
      const { MONGODB_URI } = clinic.context.settings;
      const replica = await startProcess(clinic.issuer, MONGODB_URI, clinic.db.databaseName, env);
      replicas.push(replica);
      return replica;
    },
  };
}
