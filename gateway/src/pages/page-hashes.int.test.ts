import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RemoteDescriptor, Registry } from '@clinic/contracts/remotes';
import { clinicRemote, digest, publicRemote, shellHtml, startGateway } from '../testing/start-gateway.ts';
import { serve } from '../testing/servers.ts';

const hashes = { file: 'hashes.0123.json', integrity: digest };
const more = { 'page.0123.js': digest, 'other.0123.js': digest };

/** A build whose loaders wait for the file with its hashes. */
const waiting = (remote: RemoteDescriptor): RemoteDescriptor => ({
  ...remote,
  pagePreload: { '/about': ['page.0123.js'] },
  integrity: { ...remote.integrity, ...more },
  hashes,
});

const waitingShell = shellHtml.replace(
  '</head>',
  `<script type="application/json" id="integrity" data-hashes="hashes.4567.json" data-integrity="${digest}">{}</script></head>`,
);

/** The hashes by remote in the HTML of `/about`, and in the registry that pages ask for. */
async function hashesOf(shell: string, remotes: readonly RemoteDescriptor[]) {
  await using stack = new AsyncDisposableStack();
  const urls: string[] = [];
  for (const remote of remotes) {
    const server = stack.use(await serve((_req, res) => res.end(JSON.stringify(remote))));
    urls.push(`${remote.name}=${server.url}`);
  }
  const front = stack.use(await serve((_req, res) => res.end(shell)));
  const gateway = stack.use(await startGateway({ SHELL_URL: front.url, REMOTES: urls.join() }));
  const named = ({ remotes: listed }: Registry) =>
    Object.fromEntries(listed.map(({ name, integrity }) => [name, Object.keys(integrity).toSorted()]));
  const { text } = await gateway.ask('/about', { headers: { Accept: 'text/html' } });
  const block = /id="registry">(.*?)<\/script>/s.exec(text)?.[1] ?? '';
  return {
    inPage: named(JSON.parse(block) as Registry),
    asked: named(JSON.parse((await gateway.ask('/registry.json')).text) as Registry),
  };
}

const first = ['entry.0123.js', 'module.0123.css'];
const all = [...first, ...Object.keys(more)].toSorted();

describe('hashes in the HTML', () => {
  it('are those of the opened page', async () => {
    const { inPage, asked } = await hashesOf(waitingShell, [waiting(publicRemote), waiting(clinicRemote())]);
    assert.deepEqual(inPage, { 'mf-public': [...first, 'page.0123.js'], 'mf-clinic': [] });
    assert.deepEqual(asked, { 'mf-public': all, 'mf-clinic': all });
  });

  it('are all of a build that names no file with them', async () => {
    const { inPage } = await hashesOf(waitingShell, [waiting(publicRemote), clinicRemote()]);
    assert.deepEqual(inPage, { 'mf-public': [...first, 'page.0123.js'], 'mf-clinic': first });
  });

  it('are all of them for a shell that doesn’t ask for files', async () => {
    const { inPage } = await hashesOf(shellHtml, [waiting(publicRemote), waiting(clinicRemote())]);
    assert.deepEqual(inPage, { 'mf-public': all, 'mf-clinic': all });
  });
});
