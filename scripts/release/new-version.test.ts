import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isLater, sectionOf, withSection, writeVersion } from './new-version.ts';

const changelog = `# Changelog

Words.

## [Unreleased]

### Added

- A thing.

## [0.1.0] – 2026-11-21

The first version.
`;

test('versions are compared by their numbers', () => {
  assert.equal(isLater('0.10.0', '0.9.9'), true);
  assert.equal(isLater('1.0.0', '0.9.9'), true);
  assert.equal(isLater('0.2.0', '0.2.0'), false);
  assert.equal(isLater('0.2.0', '1.0.0'), false);
  assert.throws(() => isLater('0.2', '0.1.0'), /'0\.2' is not a version/);
});

test('unreleased entries get the version, and an empty section follows', () => {
  const written = withSection(changelog, '0.2.0', '2026-12-01');
  assert.match(
    written,
    /## \[Unreleased\]\n\n## \[0\.2\.0\] – 2026-12-01\n\n### Added\n\n- A thing\.\n\n## \[0\.1\.0\]/,
  );
  assert.equal(sectionOf(written, '0.2.0'), '### Added\n\n- A thing.');
  assert.equal(sectionOf(written, '0.1.0'), 'The first version.');
  assert.equal(sectionOf(written, '0.3.0'), undefined);
  assert.throws(() => withSection(written, '0.3.0', '2026-12-02'), /nothing to release/);
  assert.throws(() => withSection(changelog, '0.1.0', '2026-12-02'), /has a section 0\.1\.0 already/);
});

describe('in a repository', () => {
  const lock = {
    name: 'clinic',
    version: '0.1.0',
    packages: { '': { version: '0.1.0' }, 'svc-a': { version: '1.0.0' } },
  };
  const repository = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'clinic-version-'));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'clinic', version: '0.1.0' }));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
    writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
    return folder;
  };
  const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');

  test('the version is written to all places, and the parts keep theirs', (t) => {
    const folder = repository();
    t.after(() => rmSync(folder, { recursive: true }));
    writeVersion(folder, '0.2.0', '2026-12-01');
    assert.deepEqual(JSON.parse(read(folder, 'package.json')), { name: 'clinic', version: '0.2.0' });
    assert.deepEqual(JSON.parse(read(folder, 'package-lock.json')), {
      ...lock,
      version: '0.2.0',
      packages: { ...lock.packages, '': { version: '0.2.0' } },
    });
    assert.equal(read(folder, 'CHANGELOG.md'), withSection(changelog, '0.2.0', '2026-12-01'));
  });

  test('a version that is not later changes nothing', (t) => {
    const folder = repository();
    t.after(() => rmSync(folder, { recursive: true }));
    assert.throws(() => writeVersion(folder, '0.1.0', '2026-12-01'), /0\.1\.0 does not come after 0\.1\.0/);
    assert.deepEqual(JSON.parse(read(folder, 'package-lock.json')), lock);
    assert.equal(read(folder, 'CHANGELOG.md'), changelog);
  });
});
