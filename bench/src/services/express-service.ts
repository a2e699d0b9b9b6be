import express from 'express';
import { onTheWire, stored } from './rows.ts';

// Express as in its manual: one route, no log, no session, no validation.
const app = express();
app.get('/appoinments', (_req, res) => void res.json(stored.map(onTheWire)));
app.listen(Number(process.env['PORT']), '127.0.0.1');
process.once('disconnect', () => process.exit());
