import express from 'express';
import { onTheWire, stored } from './rows.ts';

// Express as its manual shows it: one route, no log, no session, nothing checked.
const app = express();
app.get('/appoinments', (_req, res) => void res.json(stored.map(onTheWire)));
app.listen(Number(process.env['PORT']), '127.0.0.1');
process.once('disconnect', () => process.exit());
