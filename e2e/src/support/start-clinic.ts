import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { roomyDailyLimits } from '@clinic/service-kit/testing/roomy-limits';

const root = join(import.meta.dirname, '..', '..', '..');

/** High limits: the tests book and order more per person in a few minutes than allowed, and register many people from one address. */
const roomy = {
  // But for those who come from elsewhere (identity/registrations.e2e.ts).
  REGISTRATIONS_UNLIMITED_FROM: '127.0.0.0/8,::1/128',
  REGISTRATIONS_PER_HOUR_AND_NETWORK: '1',
  TRUST_PROXY: 'true',
  CLINIC_MAX_OPEN_APPOINTMENTS: '200',
  CLINIC_MAX_OPEN_APPOINTMENTS_UNCONFIRMED: '200',
  WAITLIST_MAX_ENTRIES: '1000',
  CLINIC_MAX_CHANGES_PER_DAY: '2000',
  DAILY_LIMITS: roomyDailyLimits,
  CLINIC_BOOKING_HORIZON_DAYS: '1000',
  PHARMACY_MAX_OPEN_ORDERS: '200',
  PHARMACY_MAX_OPEN_ORDERS_UNCONFIRMED: '200',
  PHARMACY_MAX_OPEN_MEDICINES: '200',
  PHARMACY_UNITS_PER_CUSTOMER: 'box=200,bottle=200,strip=200',
};

/** An application with its own data. */
export interface OpenClinic {
  readonly url: string;
  readonly dataDir: string;
  close(): Promise<void>;
}

/**
 * Starts the application as the README says, `npm start`, on a free port with its own empty data.
 * Set `CLINIC_URL` to use a running one instead.
 */
export default async function startClinic(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['CLINIC_URL']) return undefined;
  const clinic = await open('npm', ['start']);
  process.env['CLINIC_URL'] = clinic.url;
  process.env['CLINIC_DATA_DIR'] = clinic.dataDir;
  return () => clinic.close();
}

/** Where and how a separate application is started. */
interface OwnClinic {
  /** The repository, or a copy of it. */
  readonly folder?: string;
  readonly args?: readonly string[];
  /** What it writes once it can be used. */
  readonly ready?: string;
}

/**
 * A separate application for a test that would leave data in the way of others. The front-ends must have been built.
 *
 * @param env - settings that differ from the shared one
 */
export function openOwnClinic(
  env: Readonly<Record<string, string>> = {},
  { args = [], ...where }: OwnClinic = {},
): Promise<OpenClinic> {
  return open(process.execPath, ['scripts/stack/main.ts', ...args], { env, ...where });
}

async function open(
  command: string,
  args: readonly string[],
  {
    env = {},
    folder = root,
    ready: sign = 'The clinic is open',
  }: Omit<OwnClinic, 'args'> & { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<OpenClinic> {
  const port = await holdPort();
  const dataDir = await mkdtemp(join(tmpdir(), 'clinic-e2e-'));
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, STARTED_AT: String(Date.now()), ...roomy, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const ready = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes(sign)) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`)));
  });
  await using begun = new AsyncDisposableStack();
  begun.defer(() => rm(dataDir, { recursive: true, force: true }));
  begun.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const exited = once(child, 'exit');
    process.kill(-child.pid, 'SIGINT');
    await exited;
  });
  await ready;
  const running = begun.move();
  return { url: `http://localhost:${port}`, dataDir, close: () => running.disposeAsync() };
}
