// The gateway as a program for tests that deploy front-ends: it looks for deployments, and reports, eight times as often.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@clinic/service-kit/log';
import { pino } from 'pino';
import { createGateway } from '../gateway.ts';
import { readGatewaySettings } from '../settings.ts';

const settings = readGatewaySettings(process.env);
const output = pino.destination({ dest: 1, sync: true });
const log = createLogger('gateway', settings.LOG_LEVEL, output, settings.COMMIT);
const gateway = createGateway({ settings, log, pollEveryMs: 250 });
process.once('SIGTERM', async () => {
  await gateway.close();
  process.exit(0);
});
await gateway.poll();
gateway.server.listen(settings.PORT, settings.HOST);
await once(gateway.server, 'listening');
const { port } = gateway.server.address() as AddressInfo;
log.info({ url: `http://${settings.HOST}:${port}` }, 'listening');
