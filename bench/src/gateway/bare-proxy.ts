import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';

// The library as in its manual: no log, no metrics, no headers of its own.
const app = express();
app.use(createProxyMiddleware({ target: process.env['TARGET'] ?? '' }));
app.listen(Number(process.env['PORT']), '127.0.0.1');
process.once('disconnect', () => process.exit());
