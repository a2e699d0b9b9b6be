import type { ClientRequest, IncomingHttpHeaders } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

/** Maximum size of a response, in characters. */
const maxLength = 1024 * 1024;

/**
 * Reads the response to one of the gateway's own requests. There are a dozen every second even in an idle clinic; `fetch`, abort
 * signals and async iterators would take twice the processor time.
 *
 * @param withinMs - milliseconds until the whole response must be there
 * @throws Error if it isn't
 */
export function readAnswer(outgoing: ClientRequest, withinMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => outgoing.destroy(new Error(`no response within ${withinMs} ms`)), withinMs);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    outgoing.on('error', fail);
    outgoing.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > maxLength) outgoing.destroy(new Error('the response is too long'));
      });
      response.on('error', fail);
      response.on('end', () => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
      });
    });
  });
}
