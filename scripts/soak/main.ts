// Runs the long test programmes, all or the named ones; the exit code of each says whether every guarantee held.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { log } from '../log.ts';
import { buildChanged } from '../stack/build.ts';
import { root } from '../stack/settings.ts';

interface Programme {
  readonly args: readonly string[];
  /** Default settings of the long version. */
  readonly env: Readonly<Record<string, string>>;
}

const programmes: Readonly<Record<string, Programme>> = {
  chaos: { args: ['system-tests/src/soak/chaos.ts'], env: { CHAOS_MINUTES: '10' } },
  replicas: {
    args: ['system-tests/src/soak/chaos.ts'],
    env: { CHAOS_MINUTES: '10', CHAOS_GATEWAYS: '2', CHAOS_REPLICAS: '3' },
  },
  fuzz: { args: ['--test', 'system-tests/src/fuzz/fuzz.int.test.ts'], env: { FUZZ_RUNS: '20000' } },
  'sign-ins': {
    args: ['--test', 'svc-identity/src/sign-in-orders.int.test.ts'],
    env: { SIGN_IN_ORDERS_PERCENT: '100' },
  },
  lives: { args: ['--test', 'system-tests/src/privacy/random-lives.int.test.ts'], env: { LIVES: '40' } },
  lists: { args: ['--test', 'system-tests/src/lists/lists.int.test.ts'], env: { LIST_QUESTIONS: '100' } },
  rolling: {
    args: ['--test', 'system-tests/src/restarts/rolling-restart.int.test.ts'],
    env: { RESTARTS_FOR_SECONDS: '60' },
  },
};

const argv = process.argv.slice(2);
const unknown = argv.find((name) => !Object.hasOwn(programmes, name));
if (unknown === undefined) await run();
else {
  console.error(`There is no programme '${unknown}'; there are ${Object.keys(programmes).join(', ')}.`);
  process.exitCode = 1;
}
if (process.connected) process.disconnect();

async function run(): Promise<void> {
  await buildChanged();
  const results: { readonly name: string; readonly kept: boolean; readonly seconds: number }[] = [];
  for (const [name, { args, env }] of Object.entries(programmes)) {
    if (argv.length > 0 && !argv.includes(name)) continue;
    log(`--- ${name}`);
    const began = performance.now();
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...env, ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env['PATH'] ?? ''}` },
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    results.push({ name, kept: code === 0, seconds: Math.round((performance.now() - began) / 1_000) });
  }
  const failed = results.filter(({ kept }) => !kept);
  console.log(
    `\n${results.map(({ name, kept, seconds }) => `${kept ? 'kept  ' : 'BROKEN'}  ${name.padEnd(8)}  ${String(seconds).padStart(5)} s`).join('\n')}`,
  );
  console.log(failed.length === 0 ? 'Every promise was kept.' : `Failed: ${failed.map(({ name }) => name).join(', ')}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
