import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

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
