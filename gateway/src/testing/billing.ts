import type { RequestListener } from 'node:http';
import { publicationPath, type PublishedCall, type ServicePublication } from '@clinic/contracts/publication';
import { serveAll, type TestServer } from './servers.ts';

/** A service from a domain that the gateway doesn't know, controlled by a test. */
export interface Billing extends TestServer {
  publication: ServicePublication | string;
  /** Status of `/health/ready`. */
  ready: number;
  /** Requests so far, except the gateway's own. */
  readonly seen: string[];
}

/** What a billing service publishes. */
export function billingPublication(
  changed: Partial<ServicePublication> = {},
  calls: readonly PublishedCall[] = [],
): ServicePublication {
  return {
    name: 'billing',
    version: '1.0.0',
    contractVersion: 1,
    segments: ['invoices'],
    calls: [{ id: 'listInvoices', method: 'GET', path: '/invoices' }, ...calls],
    ...changed,
  };
}

/** Starts a service with a publication. @param host - a different loopback address, to run several on one port */
export async function startBilling(
  answer: RequestListener,
  publication: ServicePublication | string = billingPublication(),
  port = 0,
  host?: string,
): Promise<Billing> {
  const seen: string[] = [];
  const server = await serveAll(
    (req, res) => {
      if (req.url === '/health/ready') {
        res.writeHead(billing.ready).end('{}');
      } else if (req.url === publicationPath) {
        res.end(typeof billing.publication === 'string' ? billing.publication : JSON.stringify(billing.publication));
      } else {
        seen.push(`${req.method} ${req.url}`);
        answer(req, res);
      }
    },
    port,
    host,
  );
  const billing: Billing = { ...server, seen, publication, ready: 200 };
  return billing;
}
