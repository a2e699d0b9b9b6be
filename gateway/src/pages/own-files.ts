import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { GatewayRequest } from '../proxy/gateway-request.ts';
import { setCommonHeaders } from '../proxy/headers.ts';

/** Answers with a small generated file, or 304 if the ETag matches. */
export function ownFile(type: string, content: () => string): (req: GatewayRequest, res: ServerResponse) => void {
  return (req, res) => {
    const body = content();
    setCommonHeaders(res, req);
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    const headers = { 'Cache-Control': 'no-cache', ETag: etag };
    if (req.headers['if-none-match']?.includes(etag)) {
      res.writeHead(304, headers).end();
      return;
    }
    res.writeHead(200, {
      ...headers,
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Length': Buffer.byteLength(body),
    });
    res.end(req.method === 'HEAD' ? undefined : body);
  };
}
