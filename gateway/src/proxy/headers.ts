import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeader } from 'node:http';
import { audiencesHeader } from '@clinic/service-kit/session-bundle';
import { askElsewhereHeader } from '../server/answers.ts';
import { commonHeaders } from '../server/common-headers.ts';
import type { GatewayRequest } from '../server/gateway-request.ts';
import { cookiesFor } from './session-cookie.ts';

/**
 * Hop-by-hop fields (RFC 9110, section 7.6.1), fields that only a proxy in front of us may set, and those that belong
 * to the body as it arrived: it is forwarded whole, with its length.
 */
const notForwarded = new Set([
  'content-length',
  'transfer-encoding',
  'expect',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'proxy-authenticate',
  'te',
  'trailer',
  'upgrade',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  audiencesHeader,
  askElsewhereHeader,
]);

const notReturned = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'server',
  'x-powered-by',
  'x-request-id',
  'strict-transport-security',
]);

/**
 * Headers of a request to a service.
 *
 * @param bodyBytes - length of the body, which was read before; `undefined` if there is none
 * @param service - its name: it gets no other service's session token
 * @param audiences - names of all services, separated by commas; svc-identity makes a token for each
 */
export function serviceRequestHeaders(
  req: GatewayRequest,
  bodyBytes: number | undefined,
  service: string,
  audiences: string | undefined,
): IncomingHttpHeaders {
  const { connection } = req.headers;
  // Fields named in Connection are hop-by-hop too.
  const named =
    connection === undefined || connection === 'keep-alive'
      ? ''
      : `,${connection.toLowerCase().replaceAll(/\s/g, '')},`;
  const cookies = req.headers.cookie === undefined ? undefined : cookiesFor(service, req.headers.cookie);
  const headers: IncomingHttpHeaders = {};
  // A copy: a live line makes one for each service.
  for (const name in req.headers) {
    if (notForwarded.has(name) || (named.includes(`,${name},`) && name !== 'host')) continue;
    if (name !== 'cookie') headers[name] = req.headers[name];
    else if (cookies !== undefined) headers.cookie = cookies;
  }
  if (audiences !== undefined) headers[audiencesHeader] = audiences;
  if (bodyBytes !== undefined) headers['content-length'] = String(bodyBytes);
  headers['x-forwarded-for'] = req.origin.address;
  headers['x-forwarded-proto'] = req.origin.protocol;
  headers['x-forwarded-host'] = headers.host ?? '';
  headers['x-request-id'] = req.requestId;
  return headers;
}

/**
 * Headers of a response for the client: hop-by-hop fields belong to the upstream's connection.
 *
 * @returns names and values in turn, which Node sends as they are: an object would cost 6 % of the processor time
 */
export function responseHeaders(
  { headers: given }: Pick<IncomingMessage, 'headers'>,
  { requestId, origin: { strictTransport } }: GatewayRequest,
): OutgoingHttpHeader[] {
  const headers: OutgoingHttpHeader[] = ['x-request-id', requestId];
  for (const name in given) {
    const value = given[name];
    if (value !== undefined && !notReturned.has(name)) headers.push(name, value);
  }
  for (const [name, value] of commonHeaders) if (given[name] === undefined) headers.push(name, value);
  if (strictTransport !== undefined) headers.push('strict-transport-security', strictTransport);
  return headers;
}
