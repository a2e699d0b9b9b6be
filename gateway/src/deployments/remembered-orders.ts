import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gatewayOrders, type GatewayOrders } from '@clinic/service-kit/deployments/gateway-report';
import type { Logger } from 'pino';

/** Beside the services' publications, whose names have no capital letter. */
const fileIn = (folder: string): string => path.join(folder, 'Releases.json');

/** What svc-identity said last, for a gateway that starts while it is unavailable. */
export function recallOrders(folder: string | undefined, log: Logger): GatewayOrders | undefined {
  if (folder === undefined) return undefined;
  try {
    return gatewayOrders.parse(JSON.parse(readFileSync(fileIn(folder), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log.warn({ err: error }, 'the remembered decisions about releases were ignored');
    return undefined;
  }
}

/** Remembers it. A failure is logged: the gateway works without it. */
export async function rememberOrders(folder: string | undefined, orders: GatewayOrders, log: Logger): Promise<void> {
  if (folder === undefined) return;
  try {
    // Rename, because another gateway may be reading.
    const fresh = `${fileIn(folder)}~${process.pid}`;
    await writeFile(fresh, JSON.stringify(orders));
    await rename(fresh, fileIn(folder));
  } catch (error) {
    log.warn({ err: error }, 'the decisions about releases could not be remembered');
  }
}
