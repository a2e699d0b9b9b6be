import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startStaticServer, type StaticServer } from './index.ts';

/** Renders what it is asked, and how often this instance has been asked. */
const bundle = `
let renderings = 0;
exports.render = async ({ page, config, answers }) => {
  if (page === '/broken') throw new Error('needs a browser');
  renderings += 1;
  return { html: [page, config, JSON.stringify(answers), renderings].join(' ') };
};`;

describe('pages that a server renders', () => {
  let directory: string;
  let server: StaticServer;
  const errors: unknown[] = [];

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'html-pages-'));
    await writeFile(path.join(directory, 'remote.json'), '{"version":"1.0.0+a"}');
    await writeFile(path.join(directory, 'html.cjs'), bundle);
    server = await startStaticServer({ directory, port: 0, onHtmlError: (error) => errors.push(error) });
  });
  beforeEach(() => void errors.splice(0));
  after(async () => {
    await server.close();
    await rm(directory, { recursive: true });
  });

  const ask = async (visit: unknown, headers: Record<string, string> = { 'clinic-releases': 'read' }) => {
    const body = typeof visit === 'string' ? visit : JSON.stringify(visit);
    const response = await fetch(`${server.url}/html`, { method: 'POST', headers, body });
    return { status: response.status, text: await response.text() };
  };
  const visit = { version: '1.0.0+a', page: '/', config: '{}', answers: {} };

  it('come from the bundle of the asked release, which knows one configuration', async () => {
    assert.equal((await ask(visit)).text, '{"html":"/ {} {} 1"}');
    assert.equal((await ask({ ...visit, page: '/about' })).text, '{"html":"/about {} {} 2"}');
    assert.equal((await ask({ ...visit, config: '1' })).text, '{"html":"/ 1 {} 1"}');
    assert.equal((await ask({ ...visit, version: '1.0.0+b' })).status, 404);
  });

  it('are for gateways: nobody else can ask, or read the bundle', async () => {
    assert.equal((await ask(visit, {})).status, 405);
    assert.equal((await fetch(`${server.url}/html`)).status, 404);
    assert.equal((await fetch(`${server.url}/html.cjs`)).status, 404);
  });

  it('fail alone', async () => {
    assert.equal((await ask({ ...visit, page: '/broken' })).status, 500);
    assert.match(String(errors[0]), /needs a browser/);
    assert.equal((await ask('{')).status, 500);
    assert.equal((await ask('7')).status, 400);
    assert.equal((await ask('x'.repeat(3_000_000))).status, 413);
    assert.equal((await ask(visit)).status, 200);
  });
});
