import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root as repository } from '../stack/settings.ts';
import { writeFiles } from './write-files.ts';

const models = [
  'svc-pharmacy/Dockerfile',
  'deploy/kubernetes/base/svc-pharmacy.yaml',
  'deploy/kubernetes/base/mf-pharmacy.yaml',
];

describe('the files of a new domain', () => {
  let root: string;
  let files: readonly string[];
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'domain-files-'));
    for (const file of models) {
      mkdirSync(join(root, file, '..'), { recursive: true });
      cpSync(join(repository, file), join(root, file));
    }
    symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
    files = writeFiles({ name: 'lab-results', title: 'Lab results', roles: ['doctor'] }, root, '1.2.3');
  });
  after(() => rmSync(root, { recursive: true }));

  it('are complete, and none mentions the domain they were modelled on', () => {
    for (const file of files) {
      assert.doesNotMatch(read(file), /\{\{\w/, file);
      if (!file.startsWith('docker-compose.')) assert.doesNotMatch(read(file), /pharmacy/, file);
    }
    for (const file of [
      'svc-lab-results/Dockerfile',
      'docker-compose.lab-results.yml',
      'svc-lab-results/deploy/mongo-lab-results',
      'deploy/kubernetes/domains/lab-results/kustomization.yaml',
      'deploy/kubernetes/domains/lab-results/svc-lab-results.yaml',
      'deploy/kubernetes/domains/lab-results/svc-lab-results.env',
      'deploy/kubernetes/domains/lab-results/mf-lab-results.yaml',
    ]) {
      assert.ok(files.includes(file) && existsSync(join(root, file)), file);
    }
    // Programs recognise and reject it by these words outside demo mode.
    assert.match(read('svc-lab-results/deploy/mongo-lab-results'), /^demo-only/);
  });
});
