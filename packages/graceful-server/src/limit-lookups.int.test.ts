import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { on, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';

/** Where the DNS server listens that never answers: all of 127.0.0.0/8 is this machine. */
const server = '127.0.0.77';
const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

it(
  'a program exits although a DNS server doesn’t answer',
  { skip: !mayMount && 'only root can mount', timeout: 60_000 },
  async (t) => {
    const silent = createSocket('udp4').bind(53, server);
    await once(silent, 'listening');
    const folder = await mkdtemp(join(tmpdir(), 'limit-lookups-'));
    t.after(async () => {
      silent.close();
      await rm(folder, { recursive: true });
    });
    const configuration = join(folder, 'resolv.conf');
    await writeFile(configuration, `nameserver ${server}\n`);
    /** A program that is looking up a name when it is asked to stop. @param options - the resolver's own if given */
    const start = async (name: string, options?: string) => {
      const program = `
    import { lookup } from 'node:dns';
    import { limitLookups } from ${JSON.stringify(join(import.meta.dirname, 'limit-lookups.ts'))};
    // The question tells the test that it may ask this program to stop.
    process.once('SIGTERM', () => process.exit(0));
    limitLookups();
    lookup('${name}', () => {});`;
      // With a file of its own in place of /etc/resolv.conf.
      const mount = 'mount --bind "$1" /etc/resolv.conf && exec "$2" --input-type=module --eval "$3"';
      const { RES_OPTIONS: _given, ...env } = process.env;
      const child = spawn('unshare', ['--mount', 'sh', '-c', mount, 'sh', configuration, process.execPath, program], {
        env: { ...env, ...(options !== undefined && { RES_OPTIONS: options }) },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      t.after(() => child.kill('SIGKILL'));
      const exited = once(child, 'exit');
      for await (const [question] of on(silent, 'message') as AsyncIterable<[Buffer]>)
        if (question.includes(name)) break;
      child.kill();
      return { child, exited };
    };
    // As glibc does without the limit, three times over.
    const patient = await start('svc-far', 'timeout:15 attempts:2');
    const limited = await start('svc-nowhere');
    assert.deepEqual(await limited.exited, [0, null]);
    assert.equal(patient.child.exitCode, null);
  },
);
