import { isDeepStrictEqual } from 'node:util';
import { isProblem, problemKinds, type Route } from '@clinic/contracts';
import type { Answer } from './client.ts';
import type { FuzzRequest } from './requests.ts';
import { ownCalls } from '../support/every-call.ts';

const apiSegments = new Set(Object.values(ownCalls).map(({ path }) => path.split('/')[1] ?? ''));

/** Signs of leaked internals: stack traces, file names, database messages. */
const inside = /\bat .{1,80}:\d+:\d+|node_modules|\.ts\b:\d|Mongo|BSON|E11000|ECONN|TypeError|RangeError|ZodError/;

/** Describes what is wrong with an answer. @returns `undefined` if nothing is */
export function faultOf(request: FuzzRequest, { status, headers, body }: Answer): string | undefined {
  if (status >= 500) return `answered ${status}`;
  if (status < 200) return `answered ${status}`;
  const type = headers['content-type'] ?? '';
  const text = body.toString();
  if (headers['x-content-type-options'] !== 'nosniff') return 'lacks nosniff';
  if (status >= 400) return faultOfError(request, status, type, text);
  if (status === 302 && request.strayed)
    return headers.location?.startsWith('/') && !headers.location.startsWith('//')
      ? undefined
      : `leads to ${headers.location}`;
  if (request.strayed || request.method === 'HEAD') return undefined;
  return faultOfSuccess(request, status, type, text);
}

function faultOfError(request: FuzzRequest, status: number, type: string, text: string): string | undefined {
  const [, segment = ''] = request.target.split(/[/?#]/, 2);
  // A tampered path may no longer be a call, and then people get a page.
  if (type.startsWith('text/html') && request.strayed && !apiSegments.has(segment)) return undefined;
  if (request.method === 'HEAD') return undefined;
  if (type.split(';')[0] !== 'application/problem+json') return `answered ${status} as ${type || 'nothing'}`;
  const problem: unknown = JSON.parse(text);
  if (!isProblem(problem)) return `answered ${status} without a stable code`;
  if (problem.status !== status || problemKinds[problem.code].status !== status)
    return `says ${problem.code} with status ${status}`;
  return inside.test(text) ? `reveals internals: ${text}` : undefined;
}

function faultOfSuccess({ call }: FuzzRequest, status: number, type: string, text: string): string | undefined {
  const route: Route = ownCalls[call];
  if (status !== route.status) return `answered ${status} instead of ${route.status}`;
  if (route.media !== undefined)
    return type.startsWith(route.media) ? undefined : `answered ${type} instead of ${route.media}`;
  if (status === 204) return text === '' ? undefined : 'answered 204 with a body';
  const wire: unknown = JSON.parse(text);
  const parsed = ownCalls[call].response.safeParse(wire);
  if (!parsed.success) return `answered what the contract doesn't know: ${parsed.error.message}`;
  return isDeepStrictEqual(parsed.data, wire) ? undefined : 'answered more than the contract says';
}
