// The examples of deploy/tls, run by the real programs with the certificate of a test authority.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { withLibraries } from '../support/debian-program.ts';

/** Where a proxy under test listens and keeps its files, and the clinic behind it. */
interface Place {
  readonly folder: string;
  readonly http: number;
  readonly https: number;
  readonly clinic: string;
}

/** An example of a TLS proxy. */
export interface Example {
  readonly name: string;
  /** Debian's package, and the program in it. */
  readonly packageName: string;
  readonly program: string;
  /** Its file in deploy/tls. */
  readonly file: string;
  /** @returns the configuration to run: the example with the place's ports, certificate and address of the clinic */
  configure(example: string, place: Place): string;
  /** @returns arguments of the program */
  command(config: string, folder: string): readonly string[];
}

function replaceAll(example: string, own: readonly (readonly [string, string])[]): string {
  return own.reduce((text, [from, to]) => {
    assert.ok(text.includes(from), from);
    return text.replace(from, to);
  }, example);
}

const nginx: Example = {
  name: 'nginx',
  file: 'nginx.conf',
  packageName: 'nginx',
  program: 'usr/sbin/nginx',
  configure(example, { folder, http, https, clinic }) {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${join(folder, name)};`,
    );
    const changed = replaceAll(example, [
      ['listen 80;', `listen 127.0.0.1:${http};`],
      ['listen 443 ssl', `listen 127.0.0.1:${https} ssl`],
      ['/etc/ssl/clinic/fullchain.pem', join(folder, 'own.pem')],
      ['/etc/ssl/clinic/privkey.pem', join(folder, 'own.key')],
      ['server 127.0.0.1:8080;', `server ${new URL(clinic).host};`],
    ]);
    return `daemon off; pid ${join(folder, 'pid')}; error_log stderr; worker_processes 1;
events {}
http { access_log off; ${temporary.join(' ')}
${changed} }`;
  },
  command: (config, folder) => ['-p', folder, '-c', config],
};

const caddy: Example = {
  name: 'Caddy',
  file: 'Caddyfile',
  packageName: 'caddy',
  program: 'usr/bin/caddy',
  configure(example, { folder, http, https, clinic }) {
    const changed = replaceAll(example, [
      ['clinic.example {', `clinic.example {\n\ttls ${join(folder, 'own.pem')} ${join(folder, 'own.key')}`],
      ['127.0.0.1:8080', new URL(clinic).host],
    ]);
    return `{
	admin off
	storage file_system ${folder}
	default_bind 127.0.0.1
	http_port ${http}
	https_port ${https}
	servers {
		protocols h1 h2
	}
	log {
		level ERROR
	}
}
${changed}`;
  },
  command: (config) => ['run', '--adapter', 'caddyfile', '--config', config],
};

export const examples: readonly Example[] = [nginx, caddy];

/** A test authority, and its certificate for clinic.example. */
function makeCertificates(folder: string): void {
  const make = (name: string, subject: string, ...rest: string[]): unknown =>
    execFileSync(
      'openssl',
      // Same words for both.
      `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=${subject} -keyout ${name}.key -out ${name}.pem`
        .split(' ')
        .concat(rest),
      { cwd: folder, stdio: 'pipe' },
    );
  make('ca', 'Test');
  make('own', 'clinic.example', '-addext', 'subjectAltName=DNS:clinic.example', '-CA', 'ca.pem', '-CAkey', 'ca.key');
}

/** A proxy that runs, and a visitor's connection to it. */
export interface Proxy {
  readonly session: ClientHttp2Session;
  readonly httpPort: number;
  close(): Promise<void>;
}

/** @param clinic - URL of what is behind the proxy */
export async function startProxy(example: Example, path: string, clinic: string): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-tls-'));
  makeCertificates(folder);
  const place = { folder, http: await holdPort(), https: await holdPort(), clinic };
  const text = readFileSync(join(import.meta.dirname, '../../../deploy/tls', example.file), 'utf8');
  const config = join(folder, example.file);
  writeFileSync(config, example.configure(text, place));
  const program = spawn(path, example.command(config, folder), {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...withLibraries(path), HOME: folder },
  });
  const exited = once(program, 'exit');
  await Promise.race([
    isListening(place.https),
    exited.then(([code]) => assert.fail(`${example.name} exited with ${code}`)),
  ]);
  const session = connectHttp2(`https://clinic.example:${place.https}`, {
    ca: readFileSync(join(folder, 'ca.pem')),
    lookup: (_name, options, done) =>
      options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4),
  });
  await new Promise<void>((resolve, reject) => session.once('connect', () => resolve()).once('error', reject));
  return {
    session,
    httpPort: place.http,
    async close() {
      session.destroy();
      program.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

async function isListening(port: number): Promise<void> {
  await waitUntil(async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
  });
}

/** A request over HTTP/2; `text` is what arrived until the end, or until `until` matches. */
export function ask(
  { session }: Proxy,
  headers: Record<string, string>,
  { until, body }: { readonly until?: RegExp; readonly body?: unknown } = {},
): Promise<{ readonly headers: IncomingHttpHeaders; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const stream = session.request(headers, { endStream: body === undefined });
    if (body !== undefined) stream.end(JSON.stringify(body));
    let given: IncomingHttpHeaders = {};
    let text = '';
    const done = (): void => resolve({ headers: given, text });
    stream.on('response', (answer) => (given = answer));
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      text += chunk;
      if (until?.test(text) !== true) return;
      done();
      stream.close();
    });
    stream.on('end', done);
    stream.on('error', reject);
  });
}
