import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gracefully, Watchers } from '@clinic/graceful-server';
import { openLiveBuild, type LiveBuildOptions } from './live-build.ts';
import { staticHandler } from './static-handler.ts';

export { runReleaseCommand } from './release-command.ts';
export { ReleaseError } from './releases.ts';

export interface StaticServerOptions extends LiveBuildOptions {
  /** Directory of the build. */
  readonly directory: string;
  /** 0: any free port. */
  readonly port: number;
  readonly host?: string;
  /** Folder of the scripts' source maps, for developers only: they hold the source. */
  readonly sourceMaps?: string | undefined;
  /** Called with what a page throws that is rendered as HTML. */
  readonly onHtmlError?: (error: unknown) => void;
}

export interface StaticServer {
  /** Without a trailing slash. */
  readonly url: string;
  /** Reports not ready, lets responses in flight finish, then closes. */
  close(): Promise<void>;
}

/** Serves one precompressed build from memory. */
export async function startStaticServer({
  directory,
  port,
  host = '127.0.0.1',
  sourceMaps,
  onHtmlError,
  ...options
}: StaticServerOptions): Promise<StaticServer> {
  const build = await openLiveBuild(directory, options);
  const watchers = new Watchers();
  let stopping = false;
  const answer = staticHandler(build, sourceMaps, onHtmlError);
  const server = createServer({ keepAliveTimeout: 65_000 }, (req, res) => {
    // While stopping, every response closes its connection.
    if (stopping) res.shouldKeepAlive = false;
    if (req.url !== '/health/ready') return answer(req, res);
    res.once('finish', () => watchers.checked(req, stopping));
    if (stopping)
      res
        .writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
        .end('stopping\n');
    else answer(req, res);
  });
  const close = gracefully(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    async close() {
      stopping = true;
      await watchers.allNotified();
      await close();
      build.close();
    },
  };
}
