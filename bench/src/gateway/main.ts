import path from 'node:path';
import getPort from 'get-port';
import { load } from './load.ts';
import { startProgram, type Program } from './program.ts';

/** Simultaneous connections, as in the figures that the targets come from. */
const connections = 32;

/** A path of a service that is answered anew each time. */
const requestPath = '/doctors/68a0000000000000000000aa';

interface Sample {
  readonly perSecond: number;
  /** Microseconds of the proxy's processor for a request: does not depend on what else the machine does. */
  readonly cpu: number;
}

async function measure(program: Program, seconds: number): Promise<Sample> {
  const before = program.cpuSeconds();
  const started = performance.now();
  const answers = await load(program.url, requestPath, connections, seconds);
  return { perSecond: (answers / (performance.now() - started)) * 1000, cpu: ((program.cpuSeconds() - before) / answers) * 1e6 };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** `node src/gateway/main.ts [rounds] [seconds]`: what the gateway costs beside the bare proxy library, in alternating rounds. */
async function main(rounds = 20, seconds = 1): Promise<void> {
  const here = import.meta.dirname;
  const programs: Program[] = [];
  const start = async (file: string, env?: Record<string, string>): Promise<Program> => {
    const program = await startProgram(path.join(here, file), await getPort(), env);
    programs.unshift(program);
    return program;
  };
  const ofBare: Sample[] = [];
  const ofGateway: Sample[] = [];
  try {
    const { url } = await start('cheap-service.ts');
    const bare = await start('bare-proxy.ts', { TARGET: url });
    const gateway = await start('../../../gateway/src/main.ts', {
      IDENTITY_URL: url, CLINIC_URL: url, PHARMACY_URL: url, SHELL_URL: url, REMOTES: `mf-public=${url}`, METRICS_PORT: String(await getPort()),
      NODE_ENV: 'production', LOG_LEVEL: 'info', FIREBASE_API_KEY: 'none', FIREBASE_AUTH_DOMAIN: 'none.example', FIREBASE_PROJECT_ID: 'none',
    });
    for (const program of [bare, gateway]) await load(program.url, requestPath, connections, 2 * seconds);
    for (let round = 0; round < rounds; round += 1) {
      ofBare.push(await measure(bare, seconds));
      ofGateway.push(await measure(gateway, seconds));
    }
  } finally {
    for (const program of programs) await program.stop();
  }
  console.log(`${rounds} alternated rounds of ${seconds} s, ${connections} connections, 2 KB of JSON`);
  console.table({ 'bare proxy on Express': summary(ofBare, ofBare), 'the gateway': summary(ofGateway, ofBare) });
}

/** Medians, and the round with the least processor time, which is what it costs when nothing else disturbs. */
function summary(samples: readonly Sample[], bare: readonly Sample[]): Record<string, number> {
  const least = (of: readonly Sample[]): number => Math.min(...of.map(({ cpu }) => cpu));
  const round = (value: number): number => Math.round(value * 100) / 100;
  return {
    'requests/s': Math.round(median(samples.map(({ perSecond }) => perSecond))),
    // Of each round and the one beside it: what else runs on the machine disturbs both.
    'throughput left': round(median(samples.map(({ perSecond }, index) => perSecond / (bare[index]?.perSecond ?? NaN)))),
    'CPU µs/request': round(median(samples.map(({ cpu }) => cpu))),
    'least CPU µs/request': round(least(samples)),
    'CPU left at least': round(least(bare) / least(samples)),
  };
}

await main(...process.argv.slice(2).map(Number));
