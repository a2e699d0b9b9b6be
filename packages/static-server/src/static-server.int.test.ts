import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { startStaticServer, type StaticServer } from './index.ts';

const script = 'main.0123456789abcdef0123.js';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A plain client: `fetch` would decompress bodies and resolve dot segments. */
function get(url: string, urlPath: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    request({ hostname, port, path: urlPath, method, headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }));
    })
      .on('error', reject)
      .end();
  });
}

describe('static server', () => {
  let root: string;
  let directory: string;
  let server: StaticServer;
  let builds = 0;
  let onBuild: (() => void) | undefined;

  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'static-server-'));
    directory = path.join(root, 'dist');
    await mkdir(path.join(directory, 'assets'), { recursive: true });
    await writeFile(path.join(root, 'secret.txt'), 'secret');
    await writeFile(path.join(directory, script), 'console.log(1)');
    await writeFile(path.join(directory, `${script}.br`), brotliCompressSync('console.log(1)'));
    await writeFile(path.join(directory, `${script}.gz`), gzipSync('console.log(1)'));
    await writeFile(path.join(directory, 'remote.json'), '{"v":1}');
    server = await startStaticServer({
      directory,
      port: 0,
      pollMs: 10,
      onRead: () => {
        builds += 1;
        onBuild?.();
      },
    });
  });

  after(async () => {
    await server.close();
    await rm(root, { recursive: true });
  });

  it('uses the best compression the client accepts', async () => {
    const br = await get(server.url, `/${script}`, { 'Accept-Encoding': 'gzip, deflate, br' });
    assert.equal(br.headers['content-encoding'], 'br');
    assert.equal(br.headers.vary, 'Accept-Encoding');
    assert.deepEqual(br.body, brotliCompressSync('console.log(1)'));
    const gzip = await get(server.url, `/${script}`, { 'Accept-Encoding': 'gzip, br;q=0' });
    assert.equal(gzip.headers['content-encoding'], 'gzip');
    const plain = await get(server.url, `/${script}`);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.body.toString(), 'console.log(1)');
    assert.notEqual(plain.headers.etag, br.headers.etag);
  });

  it('marks hashed files immutable and requires revalidation of others', async () => {
    assert.equal((await get(server.url, `/${script}`)).headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal((await get(server.url, '/remote.json')).headers['cache-control'], 'no-cache');
  });

  it('responds with 304 to a matching ETag', async () => {
    const { headers } = await get(server.url, '/remote.json');
    const again = await get(server.url, '/remote.json', { 'If-None-Match': `"other", W/${headers.etag}` });
    assert.equal(again.status, 304);
    assert.equal(again.body.length, 0);
    assert.equal(again.headers.etag, headers.etag);
  });

  it('responds to HEAD with the headers of GET and no body', async () => {
    const head = await get(server.url, '/remote.json', {}, 'HEAD');
    assert.equal(head.status, 200);
    assert.equal(head.headers['content-length'], '7');
    assert.equal(head.body.length, 0);
  });

  it('serves source maps to developers only', async () => {
    const maps = path.join(root, 'maps');
    await mkdir(maps, { recursive: true });
    await writeFile(path.join(maps, `${script}.map`), '{"version":3}');
    assert.equal((await get(server.url, `/${script}.map`)).status, 404);
    assert.equal((await get(server.url, `/${script}`)).headers['sourcemap'], undefined);
    const developers = await startStaticServer({ directory, port: 0, sourceMaps: maps });
    try {
      assert.equal((await get(developers.url, `/${script}`)).headers['sourcemap'], `${script}.map`);
      assert.equal((await get(developers.url, `/${script}.map`)).body.toString(), '{"version":3}');
      for (const other of ['/none.js.map', '/..%2Fmaps%2Fx.js.map', '/../maps/x.js.map'])
        assert.equal((await get(developers.url, other)).status, 404, other);
    } finally {
      await developers.close();
    }
  });

  it('never serves files outside its directory', async () => {
    for (const urlPath of [
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/assets/../../secret.txt',
      '//secret.txt',
    ]) {
      assert.equal((await get(server.url, urlPath)).status, 404, urlPath);
    }
    assert.equal((await get(server.url, '/%')).status, 400);
    assert.equal((await get(server.url, '/remote.json', {}, 'POST')).status, 405);
  });

  it('loads a new build and still serves the hashed files of the previous one', async () => {
    const read = new Promise<void>((resolve) => {
      const seen = builds;
      onBuild = () => builds > seen && resolve();
    });
    await rm(path.join(directory, script));
    await rm(path.join(directory, `${script}.br`));
    await rm(path.join(directory, `${script}.gz`));
    await writeFile(path.join(directory, 'remote.json'), '{"v":2,"new":true}');
    await read;
    assert.equal((await get(server.url, '/remote.json')).body.toString(), '{"v":2,"new":true}');
    assert.equal((await get(server.url, `/${script}`)).body.toString(), 'console.log(1)');
  });

  it('reports whether it is ready', async () => {
    assert.equal((await get(server.url, '/health/live')).status, 200);
    assert.equal((await get(server.url, '/health/ready')).status, 200);
    const waiting = await startStaticServer({ directory: path.join(root, 'later'), port: 0 });
    assert.equal((await get(waiting.url, '/health/ready')).status, 503);
    await waiting.close();
  });
});
