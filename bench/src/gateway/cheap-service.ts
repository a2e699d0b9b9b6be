import { createServer } from 'node:http';

// A service that costs next to nothing, so that the proxy before it is what is measured.
const row = { _id: '68a0000000000000000000aa', name: 'Dr. Amina Akter', specialty: 'Cardiology', phone: '+880 1555 010000', available: true };
const body = Buffer.from(JSON.stringify(Array.from({ length: 16 }, () => row)));
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length, 'Cache-Control': 'no-store' };

createServer({ keepAliveTimeout: 65_000 }, (_req, res) => res.writeHead(200, headers).end(body)).listen(Number(process.env['PORT']), '127.0.0.1');
process.once('disconnect', () => process.exit());
