// docker-compose.yml defaults to a demo: a forgotten line in .env must never expose that demo to real users.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { readGatewaySettings } from '../../gateway/src/settings.ts';
import { SettingsError } from '../../packages/service-kit/src/settings/settings.ts';
import { readServiceSettings } from '../../packages/service-kit/src/start-service.ts';
import { clinicService } from '../../svc-clinic/src/service.ts';
import { identityService } from '../../svc-identity/src/service.ts';
import { messagesService } from '../../svc-messages/src/service.ts';
import { pharmacyService } from '../../svc-pharmacy/src/service.ts';
import { root } from '../stack/settings.ts';
import { interpolate, type Env } from './interpolate.ts';

const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const block = (pattern: RegExp): string =>
  pattern.exec(compose)?.[1] ?? assert.fail(`docker-compose.yml has no ${pattern}`);
const common = block(/&common\n((?: {2}.*\n)+)/);
const service = block(/&service\n((?: {2}.*\n)+)/);
const environmentOf = (name: string): string =>
  /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(block(new RegExp(`^  ${name}:\\n((?:    .*\\n)+)`, 'm')))?.[1] ?? '';

/** The environment of a container of the Compose file. @param env - content of `.env` */
function environment(name: string, env: Env): Record<string, string> {
  const lines = `${common}${name.startsWith('svc-') ? service : ''}${environmentOf(name)}`.split('\n');
  const pairs = lines.flatMap((line) => {
    const [, variable = '', value = ''] = /^ +([A-Z][A-Z_]+): (.*)$/.exec(line) ?? [];
    return variable === '' ? [] : [[variable, interpolate(value.replace(/^'(.*)'$/, '$1'), env)] as const];
  });
  return Object.fromEntries(pairs);
}

/** Uses this machine's secrets and free ports. */
const here = {
  PORT: '0',
  METRICS_PORT: '0',
  AUTH_EMULATOR_PORT: '0',
  AUTH_EMULATOR_DATA_DIR: join(root, '.cache', 'compose-demo-test'),
  MONGODB_PASSWORD_FILE: join(root, 'docker/demo-secrets/mongo-clinic'),
  INTERNAL_SECRET_FILE: join(root, 'docker/demo-secrets/internal-calls'),
  WEBHOOK_KEY_FILE: join(root, 'docker/demo-secrets/webhook-key'),
};
const folders: Readonly<Record<string, string>> = {
  gateway: 'gateway',
  'svc-identity': 'svc-identity',
  'svc-clinic': 'svc-clinic',
  'svc-pharmacy': 'svc-pharmacy',
  'svc-messages': 'svc-messages',
  'auth-emulator': 'stand-ins/auth-emulator',
};

/** Starts a program as its container does. @returns why it failed, or that it is listening */
async function start(name: string, env: Env): Promise<string> {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: join(root, folders[name] ?? ''),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ...environment(name, env),
      ...here,
    },
  });
  const errors = text(child.stderr);
  const listens = new Promise<boolean>((resolve) => {
    createInterface({ input: child.stdout })
      .on('line', (line) => line.includes('"msg":"listening"') && resolve(true))
      .on('close', () => resolve(false));
  });
  if (await listens) {
    child.kill('SIGKILL');
    return 'listens';
  }
  return (await errors).trimEnd().replace(`${name}: `, '');
}

const reads: Readonly<Record<string, (env: Env) => unknown>> = {
  gateway: readGatewaySettings,
  'svc-identity': (env) => readServiceSettings(identityService, env),
  'svc-clinic': (env) => readServiceSettings(clinicService, env),
  'svc-pharmacy': (env) => readServiceSettings(pharmacyService, env),
  'svc-messages': (env) => readServiceSettings(messagesService, env),
};

/** What a program does first, without starting it. @returns why it would fail */
function refusal(name: string, env: Env): string {
  try {
    reads[name]?.({ ...environment(name, env), ...here });
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return 'accepts its settings';
}

/** Settings of a real installation, as in operations.md. */
const real: Env = {
  DEMO_MODE: 'false',
  SESSION_KEY_FILE: '/run/secrets/session-key',
  PUBLIC_URL: 'https://clinic.example',
  TRUST_PROXY: 'true',
  FIREBASE_PROJECT_ID: 'my-clinic',
  FIREBASE_API_KEY: 'AIza',
  FIREBASE_AUTH_DOMAIN: 'my-clinic.firebaseapp.com',
  AUTH_EMULATOR_URL: '',
  FIREBASE_AUTH_EMULATOR_HOST: '',
};
const without = (name: string): Env => Object.fromEntries(Object.entries(real).filter(([other]) => other !== name));
const services = ['svc-identity', 'svc-clinic', 'svc-pharmacy', 'svc-messages'];

const rejected: readonly {
  readonly when: string;
  readonly env: Env;
  /** Services read these settings with one schema: where it isn't about a secret, one stands for all, another in each row. */
  readonly by: readonly string[];
  readonly why: RegExp;
  /** Starts the programs, one of each kind. Otherwise they only read their settings. */
  readonly starts?: true;
}[] = [
  {
    when: 'a real installation forgets DEMO_MODE',
    env: without('DEMO_MODE'),
    by: ['gateway', 'svc-messages', 'auth-emulator'],
    why: /^(?:DEMO_MODE|FIREBASE_PROJECT_ID) /,
    starts: true,
  },
  {
    when: 'it forgets the project',
    env: without('FIREBASE_PROJECT_ID'),
    by: ['gateway', 'svc-identity'],
    why: /^FIREBASE_PROJECT_ID is wrong: outside of demo mode it must be the id of a real Firebase project/,
  },
  {
    when: 'it forgets to leave the emulator out',
    env: without('AUTH_EMULATOR_URL'),
    by: ['gateway'],
    why: /^AUTH_EMULATOR_URL is only for demos/,
  },
  {
    when: 'only an https address is set',
    env: { PUBLIC_URL: 'https://clinic.example' },
    by: ['gateway', 'svc-clinic'],
    why: /^DEMO_MODE is wrong: it must be false where PUBLIC_URL is an https address, for example DEMO_MODE=false/,
  },
  {
    when: 'only a real project is set',
    env: { FIREBASE_PROJECT_ID: 'my-clinic' },
    by: ['gateway', 'svc-identity'],
    why: /^DEMO_MODE is wrong: it must be false with a real Firebase project, for example DEMO_MODE=false/,
  },
  {
    when: 'a demo is set with a real project and an https address',
    env: { DEMO_MODE: 'true', FIREBASE_PROJECT_ID: 'my-clinic', PUBLIC_URL: 'https://clinic.example' },
    by: ['gateway', 'svc-pharmacy'],
    why: /^DEMO_MODE is wrong: it must be false /,
  },
  {
    when: 'the secret of internal calls is the demo’s',
    env: real,
    by: services,
    why: /^INTERNAL_SECRET is the demo secret, which everyone can read: it must be your own/,
  },
  {
    when: 'only a proxy is set',
    env: { TRUST_PROXY: 'true' },
    by: ['gateway'],
    why: /^DEMO_MODE is not set: it must be set explicitly, because TRUST_PROXY is true and others can reach the clinic, for example DEMO_MODE=false/,
  },
  {
    when: 'only an address for everybody is set',
    env: { BIND_ADDRESS: '0.0.0.0' },
    by: ['gateway'],
    why: /^DEMO_MODE is not set: it must be set explicitly, because BIND_ADDRESS is not a loopback address/,
  },
];

describe('the Compose file', { concurrency: false }, () => {
  for (const { when, env, by, why, starts } of rejected) {
    for (const name of by) {
      test(`${name} refuses to start when ${when}`, async () => {
        const reason = starts ? await start(name, env) : refusal(name, env);
        assert.match(reason, why);
        assert.match(
          reason,
          /^[^\n]*must be [^\n]*, for example [^\n]+$/,
          'one line that states what it must be, with an example',
        );
      });
    }
  }

  test('starts as a local demo, as an explicit public demo, and as a real installation', async () => {
    assert.equal(await start('gateway', {}), 'listens');
    assert.equal(await start('gateway', { DEMO_MODE: 'true', BIND_ADDRESS: '0.0.0.0' }), 'listens');
    assert.equal(await start('gateway', real), 'listens');
  });
});
