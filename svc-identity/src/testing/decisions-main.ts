// Decides about releases for a test environment, as svc-identity does, with a database of its own. Prints both addresses.
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createClient, runTransaction } from '@clinic/service-kit/database';
import { gatewayReport } from '@clinic/service-kit/deployments/gateway-report';
import { startServer } from '@clinic/mongo-embedded';
import express from 'express';
import { takeReport } from '../deployments/take-report.ts';

const folder = await mkdtemp(join(tmpdir(), 'decisions-'));
const database = await startServer({ dataDir: folder, port: 0 });
const client = createClient(database.uri, 'decisions');
const context = {
  db: client.db('identity'),
  inTransaction: <T>(work: Parameters<typeof runTransaction<T>>[1]) => runTransaction(client, work),
  log: { info: () => undefined, error: () => undefined },
};
for (const name of ['deployments', 'events']) await context.db.createCollection(name);
const app = express().use(express.json({ limit: '1mb' }));
app.post('/{*path}', async ({ body }, response) => {
  response.json(await takeReport(context, gatewayReport.parse(body)));
});
const server = app.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, uri: database.uri }));
});
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close(() => {
    void client
      .close()
      .then(() => database.close())
      .then(() => rm(folder, { recursive: true, force: true }))
      .then(() => process.exit(0));
  });
});
