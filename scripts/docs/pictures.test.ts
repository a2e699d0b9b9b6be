import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../stack/settings.ts';
import { draw, pictures, svgOf } from './pictures.ts';

test('each picture is up to date: npm run pictures', async () => {
  assert.ok(pictures().length >= 3);
  for (const source of pictures())
    assert.equal(readFileSync(svgOf(source), 'utf8'), await draw(readFileSync(join(root, source), 'utf8')), source);
});
