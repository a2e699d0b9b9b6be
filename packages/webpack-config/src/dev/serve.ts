import { once } from 'node:events';
import { createServer } from 'node:http';
import webpack, { type Configuration } from 'webpack';
import devMiddleware from 'webpack-dev-middleware';

/** Only pages on this machine, and of clinics that allow it, load these files. */
const headers = {
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/**
 * Serves a build from memory and sends each change to open pages.
 *
 * @param port - on 127.0.0.1
 * @returns a function that stops it
 */
export async function serve(config: Configuration, port: number): Promise<() => Promise<void>> {
  const compiler = webpack(config);
  if (!compiler) throw new Error('webpack created no compiler');
  compiler.hooks.done.tap('serve', (stats) => {
    if (!stats.hasErrors() && !stats.hasWarnings())
      console.log(`${config.name ?? ''} built in ${stats.endTime - stats.startTime} ms`);
  });
  const files = devMiddleware(compiler, {
    publicPath: '/',
    headers,
    // For the terminal and the open pages.
    stats: { preset: 'errors-warnings', colors: process.stdout.isTTY },
    hot: { inject: 'none', cors: true },
  });
  const server = createServer((req, res) => {
    void files(req, res, () => res.writeHead(404, headers).end('not found\n'));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  await new Promise<void>((resolve) => files.waitUntilValid(() => resolve()));
  console.log(JSON.stringify({ msg: 'listening', url: `http://127.0.0.1:${port}` }));
  return async () => {
    server.closeAllConnections();
    server.close();
    await new Promise<void>((resolve) => files.close(() => resolve()));
  };
}
