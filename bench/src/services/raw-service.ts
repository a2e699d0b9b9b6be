import { createServer } from 'node:http';
import { onTheWire, stored } from './rows.ts';

// Node alone: no routing, no log, no session, no validation.
createServer({ keepAliveTimeout: 65_000 }, (_req, res) => {
  const json = JSON.stringify(stored.map(onTheWire));
  res
    .writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(json) })
    .end(json);
}).listen(Number(process.env['PORT']), '127.0.0.1');
process.once('disconnect', () => process.exit());
