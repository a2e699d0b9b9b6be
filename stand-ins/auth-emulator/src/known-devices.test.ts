import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KnownDevices } from './known-devices.ts';

// Longer than what random ids and signatures contain by chance.
const ann = 'ann.whoever@mail.example';
const devices = new KnownDevices();
/** The Cookie header a browser sends for these Set-Cookie fields. */
const kept = (...fields: string[]): string => fields.map((field) => field.split(';', 1)[0] ?? '').join('; ');

describe('a device that has signed in', () => {
  it('is known for this account only, however its address is written', () => {
    const [field = ''] = devices.remember(ann, undefined, false);
    const id = devices.find(ann, `other=1; ${kept(field)}`);
    assert.ok(id);
    assert.equal(devices.find(' Ann.Whoever@Mail.Example', kept(field)), id);
    assert.equal(devices.find('bo@mail.example', kept(field)), undefined);
    assert.equal(devices.find(ann, undefined), undefined);
    assert.doesNotMatch(field, /whoever|mail\.example/i);
  });

  it('keeps its id at the next sign-in, so that signing in doesn’t reset its attempts', () => {
    const first = kept(...devices.remember(ann, undefined, false));
    const second = kept(...devices.remember(ann, first, false));
    assert.equal(devices.find(ann, second), devices.find(ann, first));
  });

  it('can’t be forged, altered, moved to another account, or used with another key', () => {
    const cookie = kept(...devices.remember(ann, undefined, false));
    const [name = '', value = ''] = cookie.split('=');
    const [id, since, signature] = value.split('.');
    const other = kept(...devices.remember('eve@mail.example', undefined, false)).split('=')[1];
    for (const forged of [
      `x.${since}.${signature}`,
      `${id}.${Number(since) + 1}.${signature}`,
      `${id}.${since}.`,
      `${id}.${since}`,
      '',
      '..',
      `${id}.${since}.${signature}x`,
      String(other),
    ]) {
      assert.equal(devices.find(ann, `${name}=${forged}`), undefined, forged);
    }
    assert.equal(new KnownDevices().find(ann, cookie), undefined);
    assert.ok(new KnownDevices(devices.key).find(ann, cookie));
  });

  it('is identified by a cookie that scripts can’t read and only the sign-in gets', () => {
    assert.match(
      devices.remember(ann, undefined, false)[0] ?? '',
      /^clinic_device_[0-9a-f]{20}=[\w-]+\.\d+\.[\w-]+; Max-Age=15552000; Path=\/identitytoolkit\.googleapis\.com; HttpOnly; SameSite=Strict$/,
    );
    assert.match(devices.remember(ann, undefined, true)[0] ?? '', /; Secure$/);
  });

  it('is forgotten half a year after the last sign-in', (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 0 });
    const cookie = kept(...devices.remember(ann, undefined, false));
    t.mock.timers.setTime(15_552_000_000 - 1);
    assert.ok(devices.find(ann, cookie));
    t.mock.timers.setTime(15_552_000_000);
    assert.equal(devices.find(ann, cookie), undefined);
  });

  it('is known for up to twenty accounts; the least recent sign-in is dropped', (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 0 });
    let cookies = '';
    for (let one = 0; one < 20; one += 1) {
      t.mock.timers.setTime(one * 1_000);
      const fields = devices.remember(`${one}@mail.example`, cookies, false);
      assert.equal(fields.length, 1);
      cookies = [cookies, kept(...fields)].filter((text) => text !== '').join('; ');
    }
    const [, removal = ''] = devices.remember('last@mail.example', cookies, false);
    assert.match(removal, /; Max-Age=0; Path=\/identitytoolkit\.googleapis\.com; /);
    assert.equal(removal.split('=', 1)[0], cookies.split('=', 1)[0]);
  });
});
