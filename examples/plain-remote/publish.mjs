// Writes remote.json, by which the clinic's gateway knows this remote, from the manifest of the build; and uses.json, by which a
// check before a deployment knows what it needs.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const dist = path.resolve(process.argv[2] ?? 'dist');
const manifest = JSON.parse(readFileSync(path.join(dist, 'mf-manifest.json'), 'utf8'));
const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, 'package.json'), 'utf8'));
const [page] = manifest.exposes;
const digestOf = (file) =>
  `sha384-${createHash('sha384')
    .update(readFileSync(path.join(dist, file)))
    .digest('base64')}`;
const files = readdirSync(dist).filter((file) => /\.(?:js|css)$/.test(file));
const entry = manifest.metaData.remoteEntry.name;
const all = createHash('sha256').update(files.join()).digest('hex').slice(0, 8);

writeFileSync(
  path.join(dist, 'remote.json'),
  JSON.stringify({
    name: 'plain-remote',
    container: manifest.name,
    version: `${version}+${all}`,
    contractVersion: 1,
    title: 'Plain remote',
    pages: [
      {
        path: '/plain',
        layout: 'public',
        access: 'everyone',
        title: 'Plain remote',
        topBar: { label: 'Plain', order: 90 },
        expose: page.path,
      },
    ],
    redirects: [],
    entry,
    preload: [entry],
    pagePreload: { '/plain': page.assets.js.sync },
    styles: page.assets.css.sync,
    integrity: Object.fromEntries(files.map((file) => [file, digestOf(file)])),
  }),
);

writeFileSync(
  path.join(dist, 'uses.json'),
  JSON.stringify({
    contractVersion: 1,
    libraries: Object.fromEntries(
      manifest.shared.map((library) => [library.name, { range: library.requiredVersion, names: [] }]),
    ),
    // It makes no calls.
    calls: [],
  }),
);
