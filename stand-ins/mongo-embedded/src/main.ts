#!/usr/bin/env node
import { DataDirectoryError, startServer } from './index.ts';

const DEFAULT_PORT = 27018;

/** Prints one line that says why the server can't start, and exits. */
function exitWith(message: string): never {
  process.stderr.write(`mongo-embedded: ${message}\n`);
  process.exit(1);
}

function portSetting(): number {
  const text = process.env['MONGO_EMBEDDED_PORT'] ?? String(DEFAULT_PORT);
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    exitWith(`MONGO_EMBEDDED_PORT must be a port number such as ${DEFAULT_PORT}, not '${text}'`);
  return port;
}

if (process.env['NODE_ENV'] === 'production' && process.env['DEMO_MODE'] !== 'true') {
  exitWith(
    'refused with NODE_ENV=production: it has no authentication and serves one machine; set MONGODB_URI to a real MongoDB instead, or DEMO_MODE=true for a demo',
  );
}
const dataDir = process.env['MONGO_EMBEDDED_DATA_DIR'];
if (!dataDir) exitWith('MONGO_EMBEDDED_DATA_DIR must name the folder for the data, for example .data/mongo');
const host = process.env['MONGO_EMBEDDED_HOST'];
const privateNetwork = process.env['MONGO_EMBEDDED_PRIVATE_NETWORK'] === 'true';
const advertised = process.env['MONGO_EMBEDDED_ADVERTISED'] || undefined;
if (advertised !== undefined && !/^[^\s:/]+:\d+$/.test(advertised))
  exitWith(
    `MONGO_EMBEDDED_ADVERTISED must be host:port as its clients reach it, for example mongo:27017, not '${advertised}'`,
  );

try {
  const server = await startServer({
    dataDir,
    port: portSetting(),
    privateNetwork,
    advertised,
    ...(host ? { host } : {}),
  });
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    server.close().then(
      () => process.exit(0),
      (error: unknown) => exitWith(`stopped with an error: ${String(error)}`),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // Started as a child with an IPC channel, it must not outlive its parent.
  process.on('disconnect', stop);
  process.stdout.write(`${JSON.stringify({ msg: 'listening', uri: server.uri, pid: process.pid })}\n`);
} catch (error) {
  if (error instanceof DataDirectoryError) exitWith(error.message);
  exitWith(error instanceof Error ? error.message : String(error));
}
