import assert from 'node:assert/strict';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { describe, it } from 'node:test';
import type { Registry } from '@clinic/contracts';
import { serve } from '../testing/servers.ts';
import { clinicRemote, realProject, shellHtml, startGateway } from '../testing/start-gateway.ts';

describe('registry', () => {
  it('updates with what a remote publishes, and keeps the last good response', async () => {
    let published = JSON.stringify(clinicRemote('1.0.0'));
    let status = 200;
    await using remote = await serve((_req, res) => void res.writeHead(status).end(published));
    await using gateway = await startGateway({ REMOTES: `mf-clinic=${remote.url}` });
    const version = async (): Promise<string | undefined> =>
      (await gateway.ask('/registry.json')).json<Registry>().remotes[0]?.version;
    const pageBefore = await gateway.ask('/dash/patient');
    assert.equal(await version(), '1.0.0');

    published = JSON.stringify(clinicRemote('1.1.0'));
    await gateway.gateway.poll();
    assert.equal(await version(), '1.1.0');
    const pageAfter = await gateway.ask('/dash/patient');
    assert.match(pageAfter.text, /"version":"1\.1\.0"/);
    assert.notEqual(pageAfter.headers.etag, pageBefore.headers.etag);

    for (const bad of [
      'not json',
      JSON.stringify({ ...clinicRemote('2.0.0'), preload: ['../../etc'] }),
      JSON.stringify({ ...clinicRemote('2.0.0'), name: 'mf-admin' }),
    ]) {
      published = bad;
      await gateway.gateway.poll();
      assert.equal(await version(), '1.1.0');
    }
    status = 500;
    await gateway.gateway.poll();
    assert.equal(await version(), '1.1.0');

    status = 200;
    published = JSON.stringify(clinicRemote('1.0.0'));
    await gateway.gateway.poll();
    assert.equal(await version(), '1.0.0');
  });

  it('lists a remote that has never responded as unavailable, and registers it when it does', async () => {
    const port = await holdPort();
    await using gateway = await startGateway({ REMOTES: `mf-clinic=http://127.0.0.1:${port}` });
    assert.deepEqual((await gateway.ask('/registry.json')).json<Registry>(), { remotes: [], away: ['mf-clinic'] });
    assert.equal((await gateway.ask('/dash/patient')).status, 503);
    await using _remote = await serve((_req, res) => void res.end(JSON.stringify(clinicRemote())), port);
    await gateway.gateway.poll();
    assert.equal((await gateway.ask('/dash/patient')).status, 200);
    const files = await gateway.ask('/mf/mf-clinic/remote.json?x=1');
    assert.equal(files.status, 200);
  });

  it('has the version of the shell, and answers 304 if nothing has changed', async () => {
    let build = 'main.aaaa.js';
    await using shell = await serve((_req, res) =>
      res.end(shellHtml.replace('</head>', `<script defer src="/shell/${build}" integrity=""></script></head>`)),
    );
    await using gateway = await startGateway({ SHELL_URL: shell.url });
    const before = await gateway.ask('/registry.json');
    assert.equal(before.json<Registry>().shell, 'main.aaaa.js');
    const again = await gateway.ask('/registry.json', {
      headers: { 'if-none-match': String(before.headers.etag) },
    });
    assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', before.headers.etag]);

    build = 'main.bbbb.js';
    await gateway.gateway.poll();
    const after = await gateway.ask('/registry.json', {
      headers: { 'if-none-match': String(before.headers.etag) },
    });
    assert.deepEqual([after.status, after.json<Registry>().shell], [200, 'main.bbbb.js']);
  });

  it('polls another address of a remote if one is unavailable', async () => {
    await using remote = await serve((_req, res) => void res.end(JSON.stringify(clinicRemote())));
    await using gateway = await startGateway({ REMOTES: `mf-clinic=http://127.0.0.1:9|${remote.url}` });
    assert.deepEqual((await gateway.ask('/registry.json')).json<Registry>().away, []);
    for (let i = 0; i < 4; i += 1) assert.equal((await gateway.ask('/mf/mf-clinic/remote.json')).status, 200);
  });

  it('has the pages of a demo in a demo only; elsewhere their addresses are unknown, and free for others', async () => {
    const page = { path: '/mailbox', layout: 'public', access: 'everyone', title: 'Demo mailbox', demo: true } as const;
    await using remote = await serve((_req, res) => void res.end(JSON.stringify({ ...clinicRemote(), pages: [page] })));
    const REMOTES = `mf-clinic=${remote.url}`;
    await using demo = await startGateway({ REMOTES });
    assert.equal((await demo.ask('/mailbox')).status, 200);
    await using real = await startGateway({ ...realProject, REMOTES });
    const answer = await real.ask('/mailbox', { headers: { Accept: 'text/html' } });
    assert.equal(answer.status, 404);
    assert.match(answer.text, /<title>Page not found · /);
    assert.deepEqual((await real.ask('/registry.json')).json<Registry>().remotes[0]?.pages, []);
    assert.equal((await demo.ask('/demo-mailbox')).status, 404);
  });

  it('leaves out a page whose address belongs to a service', async () => {
    const greedy = {
      ...clinicRemote(),
      pages: [...clinicRemote().pages, { path: '/users/all', layout: 'public', access: 'everyone', title: 'Mine' }],
    };
    await using remote = await serve((_req, res) => void res.end(JSON.stringify(greedy)));
    await using gateway = await startGateway({ REMOTES: `mf-clinic=${remote.url}` });
    const [registered] = (await gateway.ask('/registry.json')).json<Registry>().remotes;
    assert.deepEqual(registered?.pages, clinicRemote().pages);
  });
});
