import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KnownDevices } from './known-devices.ts';

const ann = 'ann@mail.example';
const devices = new KnownDevices();
/** What a browser sends of the cookies it was given. */
const kept = (...fields: string[]): string => fields.map((field) => field.split(';', 1)[0] ?? '').join('; ');

describe('a device from which somebody has signed in', () => {
  it('is known for this account, however its address is written, and for no other', () => {
    const [field = ''] = devices.remember(ann, undefined, false);
    const id = devices.find(ann, `other=1; ${kept(field)}`);
    assert.ok(id);
    assert.equal(devices.find(' Ann@Mail.Example', kept(field)), id);
    assert.equal(devices.find('bo@mail.example', kept(field)), undefined);
    assert.equal(devices.find(ann, undefined), undefined);
    assert.doesNotMatch(field, /ann|mail\.example/i);
  });

  it('keeps its id at the next sign-in, so that nobody gets new tries by signing in', () => {
    const first = kept(...devices.remember(ann, undefined, false));
    const second = kept(...devices.remember(ann, first, false));
    assert.equal(devices.find(ann, second), devices.find(ann, first));
  });

  it('can’t be made up, altered, taken to another account, or used with another key', () => {
    const cookie = kept(...devices.remember(ann, undefined, false));
    const [name = '', value = ''] = cookie.split('=');
    const [id, since, signature] = value.split('.');
    const other = kept(...devices.remember('eve@mail.example', undefined, false)).split('=')[1];
    for (const forged of [`x.${since}.${signature}`, `${id}.${Number(since) + 1}.${signature}`, `${id}.${since}.`, `${id}.${since}`, '', '..', `${id}.${since}.${signature}x`, String(other)]) {
      assert.equal(devices.find(ann, `${name}=${forged}`), undefined, forged);
    }
    assert.equal(new KnownDevices().find(ann, cookie), undefined);
    assert.ok(new KnownDevices(devices.key).find(ann, cookie));
  });

  it('is told by a cookie that no script reads and only the sign-in gets', () => {
    assert.match(devices.remember(ann, undefined, false)[0] ?? '', /^clinic_device_[0-9a-f]{20}=[\w-]+\.\d+\.[\w-]+; Max-Age=15552000; Path=\/identitytoolkit\.googleapis\.com; HttpOnly; SameSite=Strict$/);
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

  it('is known for twenty accounts: the one that signed in longest ago makes room', (t) => {
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
