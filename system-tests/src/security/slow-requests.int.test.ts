import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { send, countByStatus, meanwhile, Line, head, drip, startForTests } from './attacks.ts';

startForTests();

describe('requests that never end', () => {
  test('three hundred unfinished heads are cut off after ten seconds', { timeout: 300_000 }, async () => {
    const lines = Array.from({ length: 300 }, () => new Line());
    for (const { socket } of lines) socket.write(head('203.0.113.10', 'GET /appoinments'));
    const stop = drip(lines, 'X-Slow: yes\r\n');
    await meanwhile(Promise.all(lines.map(({ ended }) => ended)));
    stop();
    assert.deepEqual(countByStatus(lines), { 408: 300 });
    for (const { received } of lines) assert.match(received, /"code":"request_timeout"/);
  });

  test(
    'eight hundred bodies get no more than their share, and leave others theirs',
    { timeout: 300_000 },
    async (t) => {
      const lines = Array.from({ length: 800 }, () => new Line());
      t.after(() => lines.forEach(({ socket }) => socket.destroy()));
      const length = 100_000;
      for (const { socket } of lines)
        socket.write(
          head(
            '203.0.113.11',
            'POST /orderMedi',
            `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`,
          ),
        );
      const stop = drip(lines, ' ');
      t.after(stop);
      // 64 MiB in total; anything beyond that gets 503.
      const kept = Math.floor((64 * 1024 * 1024) / length);
      await waitUntil(() => lines.filter(({ status }) => status === 503).length === 800 - kept);
      await meanwhile(Promise.resolve());
      assert.deepEqual(countByStatus(lines), { 0: kept, 503: 800 - kept });
      const one = () =>
        send('203.0.113.11', '/orderMedi', {
          method: 'POST',
          json: { items: [], deliveryAddress: 'x'.repeat(20_000) },
        });
      assert.equal((await one()).status, 503);
      stop();
      for (const { socket } of lines) socket.destroy();
      await Promise.all(lines.map(({ ended }) => ended));
      // Once these requests have ended, everything works as before, for their address too.
      await waitUntil(async () => assert.equal((await one()).status, 401));
    },
  );

  test('endless uploads, or ones of ten gigabytes, are rejected unread', { timeout: 300_000 }, async () => {
    const lines = Array.from({ length: 40 }, () => new Line());
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    const stop = drip(lines, chunk);
    for (const [index, { socket }] of lines.entries()) {
      const path = ['/orderMedi', '/appoinments', '/users', '/identitytoolkit.googleapis.com/v1/accounts:signUp'][
        index % 4
      ];
      socket.write(
        head('203.0.113.12', `POST ${path}`, 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n') +
          chunk,
      );
    }
    const promised = Array.from({ length: 40 }, () => new Line());
    for (const { socket } of promised)
      socket.write(
        head(
          '203.0.113.12',
          'POST /appoinments',
          'Content-Type: application/json\r\nContent-Length: 10737418240\r\n\r\n{"patientname":"',
        ),
      );
    await meanwhile(Promise.all([...lines, ...promised].map(({ ended }) => ended)));
    stop();
    assert.deepEqual(countByStatus(promised), { 413: 40 });
    // The emulator's own path answers in plain text, as its SDK expects; the status is the same.
    assert.deepEqual(countByStatus(lines.filter((_, index) => index % 4 !== 3)), { 413: 30 });
    for (const line of lines) assert.ok(line.status >= 400, line.received.slice(0, 200));
  });
});
