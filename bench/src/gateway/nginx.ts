import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const usual = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx', '/opt/homebrew/bin/nginx'];

/**
 * The path of an nginx to compare with. Installs Debian's smallest package if there is none and this user may.
 *
 * @returns the path, or the reason why there is none
 */
export function findNginx(say: (text: string) => void): { readonly path?: string; readonly reason?: string } {
  const found = usual.find((file) => existsSync(file));
  if (found) return { path: found };
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    return { reason: 'nginx is not installed, and this user can not install it (Debian: apt-get install nginx-light)' };
  say('No nginx found: installing the Debian package nginx-light …');
  // In run level 1 the package doesn't start its own server.
  const options = {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    timeout: 120_000,
  } as const;
  try {
    execFileSync('apt-get', ['update', '-qq'], options);
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'nginx-light'], options);
  } catch (error) {
    return {
      reason: `nginx is not installed, and apt-get could not install it (${(error as Error).message.split('\n')[0]})`,
    };
  }
  const installed = usual.find((file) => existsSync(file));
  return installed ? { path: installed } : { reason: 'nginx is not installed' };
}

/** What the benchmark's nginx does. */
export interface NginxPlan {
  /** Proxies everything over keep-alive connections, as in its manual; spreads requests if there are several. */
  readonly upstream?: string | readonly string[];
  /** Serves the files in a folder, with their precompressed copies. */
  readonly folder?: string;
}

/**
 * Writes a configuration: one worker, and an access log as by default.
 *
 * @param folder for its own files
 * @returns the command that runs it
 */
export function nginxCommand(
  nginx: string,
  folder: string,
  port: number,
  { upstream, folder: files }: NginxPlan,
): readonly [string, ...string[]] {
  mkdirSync(folder, { recursive: true });
  const conf = path.join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${folder}/${name};`,
  );
  const servers = [upstream ?? []].flat().map((url) => `server ${new URL(url).host};`);
  const location = upstream
    ? `proxy_pass http://upstream; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;`
    : `root ${files}; gzip_static on; etag on;`;
  writeFileSync(
    conf,
    [
      ...(process.getuid?.() === 0 ? ['user root;'] : []),
      'worker_processes 1;',
      `pid ${folder}/pid;`,
      `error_log ${folder}/error.log;`,
      'events { worker_connections 1024; }',
      'http {',
      ...temporary,
      `  access_log ${folder}/access.log;`,
      '  keepalive_requests 100000000;',
      '  types { text/javascript js; }',
      ...(upstream ? [`  upstream upstream { ${servers.join(' ')} keepalive 64; keepalive_requests 100000000; }`] : []),
      `  server { listen 127.0.0.1:${port}; location / { ${location} } }`,
      '}',
      '',
    ].join('\n'),
  );
  return [nginx, '-p', folder, '-c', conf, '-e', `${folder}/error.log`, '-g', 'daemon off;'];
}
