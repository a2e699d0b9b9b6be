import { request, type Agent, type IncomingHttpHeaders } from 'node:http';
import { request as secureRequest } from 'node:https';

/** One of the gateway's own requests. */
export interface Question {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes it a POST. */
  readonly body?: string | undefined;
  /** Milliseconds until the whole response must be there. */
  readonly withinMs: number;
}

export interface GetAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

/** Maximum size of a response, in characters. */
const maxLength = 1024 * 1024;

/**
 * Sends a request to a server. There are a dozen every second even in an idle clinic; `fetch`, abort signals and async
 * iterators would take twice the processor time.
 *
 * @throws Error if no whole response comes in time
 */
export function httpGet(
  server: URL,
  agent: Agent,
  { path, headers = {}, body, withinMs }: Question,
): Promise<GetAnswer> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const get = (server.protocol === 'https:' ? secureRequest : request)(new URL(path, server), {
      agent,
      headers,
      method,
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
