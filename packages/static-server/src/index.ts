import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openLiveBuild, type LiveBuildOptions } from './live-build.ts';
import { staticHandler } from './static-handler.ts';

export { isReleaseCommand, runReleaseCommand, type ReleaseCommand } from './release-command.ts';
export { ReleaseError } from './releases.ts';

export interface StaticServerOptions extends LiveBuildOptions {
  /** Directory of the build. */
  readonly directory: string;
  /** 0: any free port. */
  readonly port: number;
  readonly host?: string;
}

export interface StaticServer {
  /** Without a slash at the end. */
  readonly url: string;
  /** Ends idle connections at once and waits for running answers. */
  close(): Promise<void>;
}

/** Serves one precompressed build from memory. */
export async function startStaticServer({ directory, port, host = '127.0.0.1', ...options }: StaticServerOptions): Promise<StaticServer> {
  const build = await openLiveBuild(directory, options);
  const server = createServer({ keepAliveTimeout: 65_000 }, staticHandler(build));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close() {
      build.close();
      return new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
    },
  };
}
