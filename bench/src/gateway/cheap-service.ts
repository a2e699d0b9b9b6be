import { createServer } from 'node:http';
import { publicationOf, publicationPath } from '@clinic/contracts/publication';
import { clinicCalls } from '@clinic/svc-clinic/contract';

// A service that costs almost nothing, so that the benchmark measures the proxy in front of it.
const row = {
  _id: '68a0000000000000000000aa',
  name: 'Dr. Amina Akter',
  specialty: 'Cardiology',
  phone: '+880 1555 010000',
  available: true,
};
const body = Buffer.from(JSON.stringify(Array.from({ length: 16 }, () => row)));
const headers = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': body.length,
  'Cache-Control': 'no-store',
};
const publication = JSON.stringify(publicationOf('clinic', '1.0.0', Object.entries(clinicCalls)));

createServer({ keepAliveTimeout: 65_000 }, (req, res) => {
  if (req.url === publicationPath) res.writeHead(200, { 'Content-Type': 'application/json' }).end(publication);
  else res.writeHead(200, headers).end(body);
}).listen(Number(process.env['PORT']), '127.0.0.1');
process.once('disconnect', () => process.exit());
