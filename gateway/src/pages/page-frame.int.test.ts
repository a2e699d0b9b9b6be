import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RemoteDescriptor, Registry } from '@clinic/contracts/remotes';
import { about, laterOf, openSite, shell, withHtml } from '../testing/html-site.ts';
import { digest } from '../testing/start-gateway.ts';

describe('pages as HTML', () => {
  it('come in the shell’s frame, and leave scripts to the starter', async () => {
    await using site = await openSite();
    const { text, headers } = await site.open('/about');
    assert.ok(
      text.includes(`<div data-mf="mf-public">${about}</div></main><footer>Foot</footer></div>\n    <div id="root">`),
    );
    assert.match(text, /<div id="page" data-remote="mf-public" data-version="1\.0\.0"><nav/);
    assert.match(
      text,
      /<li><a href="\/ourDoctors">Doctors<\/a><\/li><li><a aria-current="page" href="\/about">About<\/a>/,
    );
    assert.match(
      text,
      new RegExp(
        `<link rel="stylesheet" href="/mf/mf-public/module.0123.css" data-href="module.0123.css" integrity="${digest}">`,
      ),
    );
    const scripts = [...text.matchAll(/<script (?!type="application)[^>]*>/g)].map(([tag]) => tag);
    assert.deepEqual(scripts, ['<script src="/shell/start.js" integrity="sha384-start">']);
    const later = laterOf(text);
    assert.deepEqual(later.scripts, [{ href: '/shell/main.js', integrity: 'sha384-main' }]);
    assert.deepEqual(
      later.preloads.map(({ href, as }) => [href, as]),
      [
        ['/shell/host.js', 'script'],
        ['/mf/mf-public/entry.0123.js', 'script'],
      ],
    );
    assert.doesNotMatch(text, /rel="preload"|<template|<noscript|__\w+__/);
    assert.equal(headers['vary'], 'Accept-Encoding, Cookie');
    const today = await site.open('/login');
    assert.equal(headers['content-security-policy'], today.headers['content-security-policy']);
    assert.doesNotMatch(today.text, /<template|start\.js/);
  });

  it('name these calls, which the application makes, too', async () => {
    await using site = await openSite({
      clinic: (_req, res) => res.end('[]'),
      render: ({ answers }) => ('/doctors?q=a' in answers ? { html: '', facts: [] } : { needs: ['/doctors?q=a'] }),
    });
    assert.deepEqual(laterOf((await site.open('/ourDoctors?q=a')).text).calls, ['/doctors?q=a']);
    assert.deepEqual(laterOf((await site.open('/about')).text).calls, []);
  });

  it('leave the registry to the shell’s starter', async () => {
    const late = { 'late.0123.js': digest, 'other.0123.js': digest };
    const published: RemoteDescriptor = {
      ...withHtml,
      integrity: { ...withHtml.integrity, ...late },
      htmlPreload: { '/about': ['late.0123.js'] },
      hashes: { file: 'hashes.0123.json', integrity: digest },
    };
    const waiting = shell.replace(
      '</head>',
      '<script id="integrity" data-hashes="hashes.4567.json">{}</script></head>',
    );
    await using site = await openSite({ shell: waiting, published });
    const { text } = await site.open('/about');
    assert.doesNotMatch(text, /id="registry"/);
    const { registry, preloads } = laterOf(text);
    assert.equal(registry, '/registry.json?page=%2Fabout');
    assert.ok(preloads.some(({ href }) => href === '/mf/mf-public/late.0123.js'));
    const { remotes } = JSON.parse((await site.open(registry)).text) as Registry;
    assert.deepEqual(
      remotes.map(({ name, integrity }) => [name, Object.keys(integrity)]),
      [['mf-public', ['module.0123.css', 'entry.0123.js', 'late.0123.js']]],
    );
    assert.ok(remotes.every(({ pages }) => pages.every((page) => !('facts' in page))));
    // Who has a session gets the page that scripts draw.
    assert.match((await site.open('/about', 'clinic_session=x')).text, /id="registry"/);
  });

  it('preload the shell’s libraries that the page needs', async () => {
    const records =
      '    <link rel="preload" href="/shell/records.js" as="script" integrity="sha384-records" data-for="@clinic/app-kit/records">\n';
    await using site = await openSite({
      shell: shell.replace('  </head>', `${records}  </head>`),
      published: { ...withHtml, pageLibraries: { '/about': ['@clinic/app-kit/records'] } },
    });
    const namesIt = (page: string): boolean => page.includes('/shell/records.js');
    assert.deepEqual(
      [namesIt((await site.open('/about')).text), namesIt((await site.open('/ourDoctors')).text)],
      [true, false],
    );
  });
});
