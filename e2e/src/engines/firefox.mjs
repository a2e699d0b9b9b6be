#!/usr/bin/env node
// Playwright runs this in place of Firefox. Firefox 153 ESR lacks a WebDriver BiDi command that Playwright 1.65 sends
// to every page, so this passes messages between them and answers that one. Once Firefox knows the command, Playwright
// can start Firefox itself.
import { spawn } from 'node:child_process';
import { WebSocket, WebSocketServer } from 'ws';

/** Emulated colour schemes and the like: tests set them by other means (support/appearance.ts, the preferences in the configuration). */
const unknownToFirefox = 'emulation.setMediaFeaturesOverride';
const announcement = /WebDriver BiDi listening on (ws:\/\/\S+)/;

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
const firefox = spawn(process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr', process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
});
let address = '';

server.on('connection', (playwright, { url }) => {
  const browser = new WebSocket(address + (url ?? ''), { perMessageDeflate: false });
  /** Messages that arrive before the connection to the browser is open. */
  const early = [];
  playwright.on('message', (/** @type {Buffer} */ data) => {
    const text = data.toString();
    const { id, method } = JSON.parse(text);
    if (method === unknownToFirefox) playwright.send(JSON.stringify({ type: 'success', id, result: {} }));
    else if (browser.readyState === WebSocket.OPEN) browser.send(text);
    else early.push(text);
  });
  browser.on('open', () => {
    for (const text of early.splice(0)) browser.send(text);
  });
  browser.on('message', (/** @type {Buffer} */ data) => playwright.send(data.toString()));
  browser.on('close', () => playwright.close());
  playwright.on('close', () => browser.close());
});

let rest = '';
firefox.stderr.on('data', (chunk) => {
  const lines = (rest + chunk.toString()).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    const found = announcement.exec(line)?.[1];
    if (found) address = found;
    // Playwright waits for the address on this stream.
    const own = found ? line.replace(found, `ws://127.0.0.1:${server.address().port}`) : line;
    process.stderr.write(`${own}\n`);
  }
});
firefox.on('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => firefox.kill(signal));
