import { request, type Agent, type IncomingHttpHeaders } from 'node:http';
import { request as secureRequest } from 'node:https';

export interface GetOptions {
  readonly url: URL;
  /** Default: Node's own, which keeps connections alive for five seconds. */
  readonly agent?: Agent;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds until the whole response must be there. */
  readonly withinMs: number;
  /** Makes it a POST. */
  readonly body?: string | undefined;
}

export interface GetAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

/** Maximum size of a response, in characters. */
const maxLength = 1024 * 1024;

/**
 * Sends one of the gateway's own requests. There are a dozen every second even in an idle clinic; `fetch`, abort
 * signals and async iterators would take twice the processor time.
 *
 * @throws Error if no whole response comes in time
 */
export function httpGet({ url, withinMs, agent, headers, body }: GetOptions): Promise<GetAnswer> {
  return new Promise((resolve, reject) => {
    const get = (url.protocol === 'https:' ? secureRequest : request)(url, {
      ...(agent && { agent }),
      ...(headers && { headers }),
      ...(body !== undefined && { method: 'POST' }),
    });
    const timer = setTimeout(() => get.destroy(new Error(`no response within ${withinMs} ms`)), withinMs);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    get.on('error', fail);
    get.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > maxLength) get.destroy(new Error('the response is too long'));
      });
      response.on('error', fail);
      response.on('end', () => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
      });
    });
    get.end(body);
  });
}
