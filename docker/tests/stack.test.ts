// The real Dockerfiles and the real docker-compose.yml, run by a real engine. The embedded database replaces MongoDB,
// using docker-compose.embedded.yml, for machines without its image. `npm run test:compose` runs all of it on one set of
// containers; each file of the folder `stack` also runs alone.
import './stack/limits.test.ts';
import './stack/services.test.ts';
import './stack/remotes.test.ts';
import './stack/whole.test.ts';
import './stack/backups.test.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { project } from './stack/project.ts';

test('every Docker command on the pages was run here, with a few exceptions', () => {
  assert.deepEqual(project.untried(), [
    // Needs a registry with the other repository's images: they are built here.
    'docker compose pull mf-dental',
    // Needs a mail server.
    'docker compose run --rm backup backup /backups --keep 14 || mail -s "clinic: no backup" ops@clinic.example < /dev/null',
  ]);
});
