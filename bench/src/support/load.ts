import { connect, type Socket } from 'node:net';

/** A request to repeat. */
export interface Question {
  readonly path: string;
  /** Headers in addition to a browser's usual ones, e.g. a session's cookie. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The expected status; default 200. */
  readonly status?: 200 | 304;
}

const browserHeaders = {
  Connection: 'keep-alive',
  Accept: 'application/json',
  'Accept-Encoding': 'gzip, deflate, br, zstd',
  'Accept-Language': 'en-GB,en;q=0.9',
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  'Sec-Fetch-Site': 'same-origin',
  'Sec-Fetch-Mode': 'cors',
  'Sec-Fetch-Dest': 'empty',
  Cookie: 'signed_in=1',
};

/** A request as browsers send it on a keep-alive connection, with the headers that a proxy has to process. */
function requestText({ path, headers }: Question, host: string): string {
  const fields = Object.entries({ Host: host, ...browserHeaders, Referer: `http://${host}/ourDoctors`, ...headers });
  return [`GET ${path} HTTP/1.1`, ...fields.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
}

/**
 * Repeats one request over keep-alive connections. Uses raw sockets: a client that parses each response properly costs
 * as much as the candidate, and takes its processor time.
 *
 * @param seconds how long
 * @returns milliseconds from each request to the end of its response
 * @throws Error when a response has another status or no Content-Length
 */
export async function load(url: string, question: Question, connections: number, seconds: number): Promise<number[]> {
  const { hostname, port, host } = new URL(url);
  const text = requestText(question, host);
  const until = performance.now() + seconds * 1000;
  const ask = (): Promise<number[]> =>
    askOver(connect(Number(port), hostname).setNoDelay(), text, question.status ?? 200, until);
  return (await Promise.all(Array.from({ length: connections }, ask))).flat();
}

function askOver(socket: Socket, text: string, status: number, until: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const times: number[] = [];
    let sentAt = 0;
    let head = '';
    let missing = 0;
    const send = (): void => {
      sentAt = performance.now();
      socket.write(text);
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The connection was closed')));
    socket.on('data', (chunk) => {
      if (missing === 0) {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end === -1) return;
        const length = status === 304 ? '0' : /^content-length: (\d+)\r$/im.exec(head.slice(0, end + 2))?.[1];
        if (!head.startsWith(`HTTP/1.1 ${status}`) || length === undefined) {
          socket.destroy(new Error(`Unexpected response: ${head.slice(0, 200)}`));
          return;
        }
        missing = Number(length) - (head.length - end - 4);
        head = '';
      } else {
        missing -= chunk.length;
      }
      if (missing > 0) return;
      const now = performance.now();
      times.push(now - sentAt);
      if (now < until) return send();
      socket.end();
      resolve(times);
    });
  });
}
