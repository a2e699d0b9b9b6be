import type { ServerResponse } from 'node:http';
import type { GatewayRequest } from './gateway-request.ts';
import { frequentHeaders, withRequestId } from './headers.ts';

/**
 * Node's internal field for the head that it has built, which many libraries read. Without it, each head is built
 * again.
 */
interface WithHead {
  _header?: string | null;
}

/**
 * The head of a response that is sent often. Node builds and checks it for the first request; the next ones
 * get the same text with their own request id, which costs a third. Its `Date` stays the same: use one head for a
 * second or so.
 */
export class PreparedHead {
  readonly #status: number;
  readonly #headers: readonly string[];
  /** What Node built, before and after the request id. */
  #built: readonly [string, string] | undefined;
  /** Its value of Strict-Transport-Security. */
  #strictTransport: string | undefined;

  /** @param own - alternating names and values; none may be a common one */
  constructor(status: number, own: readonly string[]) {
    this.#status = status;
    this.#headers = frequentHeaders(own);
  }

  /** Sets the head of the response to a GET request, which must be ended next. */
  write(req: GatewayRequest, res: ServerResponse): void {
    const { requestId, origin } = req;
    // Only keep-alive responses have the same connection fields.
    const usual = res.shouldKeepAlive && !req.expectsContinue && req.httpVersion === '1.1';
    if (usual && this.#built && origin.strictTransport === this.#strictTransport) {
      res.statusCode = this.#status;
      (res as WithHead)._header = this.#built[0] + requestId + this.#built[1];
      return;
    }
    res.writeHead(this.#status, withRequestId(req, this.#headers));
    const [before, after, more] = (res as WithHead)._header?.split(requestId) ?? [];
    if (!usual || before === undefined || after === undefined || more !== undefined) return;
    this.#built = [before, after];
    this.#strictTransport = origin.strictTransport;
  }
}
