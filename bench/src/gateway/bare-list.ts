import { createServer } from 'node:http';

// The ceiling for a list from memory: node:http alone, with the bytes that the gateway sends. No log, metrics, request
// ids, or checks of requests.
const headers = JSON.parse(process.env['HEADERS'] ?? '[]') as string[];
const etag = process.env['ETAG'];
const body = Buffer.from(process.env['BODY'] ?? '', 'base64').toString('latin1');

createServer({ keepAliveTimeout: 65_000 }, (req, res) => {
  if (req.headers['if-none-match'] === etag) res.writeHead(304, headers).end();
  else res.writeHead(200, headers).end(body, 'latin1');
}).listen(Number(process.env['PORT']), '127.0.0.1');
process.once('disconnect', () => process.exit());
