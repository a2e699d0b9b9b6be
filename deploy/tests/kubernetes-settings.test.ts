import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readGatewaySettings } from '../../gateway/src/settings.ts';
import { baseSettings, readSettings } from '../../packages/service-kit/src/settings/settings.ts';
import { clinicSettings } from '../../svc-clinic/src/settings.ts';
import { settings as identitySettings } from '../../svc-identity/src/settings.ts';
import { messagesSettings } from '../../svc-messages/src/settings.ts';
import { settings as pharmacySettings } from '../../svc-pharmacy/src/settings.ts';
import { root } from '../../scripts/stack/settings.ts';
import { environmentOf } from './rendered.ts';
import {
  folder,
  skip,
  overlays,
  otherSettings,
  otherVolumes,
  objectsOf,
  ofKind,
  namesOf,
  pairs,
  portsOf,
} from './installations.ts';

describe('deploy/kubernetes', { skip }, () => {
  test('gives each program the same settings as the Compose file', () => {
    for (const overlay of overlays) {
      for (const { name, container, compose } of pairs(overlay)) {
        const expected = {
          ...Object.fromEntries(Object.entries(compose.environment ?? {}).map(([key, value]) => [key, String(value)])),
          ...otherSettings[overlay][name],
        };
        assert.deepEqual(environmentOf(container, objectsOf(overlay)), expected, `${overlay} ${name}`);
        assert.deepEqual(container.args, compose.command, `${overlay} ${name}`);
      }
    }
  });

  test('has settings that the programs accept', () => {
    const secrets = join(mkdtempSync(join(tmpdir(), 'clinic-kubernetes-')), 'secrets');
    execFileSync(join(root, 'docker/make-secrets.sh'), [secrets]);
    const services = {
      'svc-identity': { ...baseSettings, ...identitySettings },
      'svc-clinic': { ...baseSettings, ...clinicSettings },
      'svc-pharmacy': { ...baseSettings, ...pharmacySettings },
      'svc-messages': { ...baseSettings, ...messagesSettings },
    };
    for (const overlay of overlays) {
      for (const { name, container } of pairs(overlay)) {
        const env = { ...environmentOf(container, objectsOf(overlay)), PORT: String(portsOf(container)['http']) };
        if (name === 'gateway') assert.equal(readGatewaySettings(env).DEMO_MODE, overlay === 'demo');
        if (!Object.hasOwn(services, name)) continue;
        const here = Object.fromEntries(
          Object.entries(env).map(([key, value]) => [key, value.replace('/run/secrets', secrets)]),
        );
        const settings = readSettings(services[name as keyof typeof services], here);
        assert.equal(settings.DEMO_MODE, overlay === 'demo');
        assert.equal(settings.MONGODB_PASSWORD, readFileSync(here['MONGODB_PASSWORD_FILE'] ?? '', 'utf8').trim());
      }
    }
    rmSync(join(secrets, '..'), { recursive: true });
  });

  test('mounts the same volumes and secrets, and writes nowhere else', () => {
    for (const overlay of overlays) {
      for (const { name, container, pod, compose } of pairs(overlay)) {
        const of = `${overlay} ${name}`;
        const volume = (wanted: string) => pod.spec?.volumes?.find((one) => one.name === wanted) ?? assert.fail(wanted);
        const mounts = container.volumeMounts ?? [];
        const targets = (compose.volumes ?? [])
          .map((one) => (typeof one === 'string' ? (one.split(':')[1] ?? '') : one.target))
          .filter((target) => !otherVolumes[overlay][name]?.includes(target));
        const usual = ['/tmp', '/run/secrets'];
        assert.deepEqual(
          mounts
            .map(({ mountPath }) => mountPath)
            .filter((path) => !usual.includes(path))
            .toSorted(),
          targets.toSorted(),
          of,
        );
        const tmp = mounts.find(({ mountPath }) => mountPath === '/tmp');
        assert.equal(volume(tmp?.name ?? '').emptyDir?.medium, 'Memory', of);
        const secrets = mounts.find(({ mountPath }) => mountPath === '/run/secrets');
        const { secretName, items = [] } = (secrets && volume(secrets.name).secret) ?? {};
        assert.deepEqual(
          items.map(({ key, path }) => [key, path]),
          (compose.secrets ?? []).map((secret) => [secret, secret]),
          of,
        );
        if (secrets) assert.deepEqual([secretName, secrets.readOnly], ['clinic-secrets', true], of);
      }
    }
  });

  test('keeps every secret out of its files', () => {
    const values = globSync('docker/demo-secrets/*', { cwd: root }).map((file) =>
      readFileSync(join(root, file), 'utf8').trim(),
    );
    assert.ok(values.length > 5);
    for (const file of globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile())) {
      const text = readFileSync(join(file.parentPath, file.name), 'utf8');
      for (const value of values) assert.ok(!text.includes(value), `${file.name}: ${value}`);
      assert.doesNotMatch(text, /demo-?only|PRIVATE KEY|AGE-SECRET-KEY-1|mongodb(?:\+srv)?:\/\/[^/\s]*@/i, file.name);
    }
    for (const overlay of overlays) {
      assert.deepEqual(namesOf(ofKind(overlay, 'Secret')), []);
      // No variable refers to a secret either: a process's environment is easier to read than its files.
      for (const { container } of pairs(overlay)) {
        assert.deepEqual(
          container.env?.filter(({ valueFrom }) => valueFrom?.secretKeyRef),
          container.env && [],
        );
        assert.deepEqual(
          container.envFrom?.filter(({ secretRef }) => secretRef),
          container.envFrom && [],
        );
      }
      const identity = pairs(overlay).find(({ name }) => name === 'svc-identity');
      assert.ok(identity);
      assert.equal(
        environmentOf(identity.container, objectsOf(overlay))['SESSION_KEY_FILE'],
        '/run/secrets/session-key',
      );
    }
  });
});
