import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startServer } from '@clinic/mongo-embedded';
import { startService } from '@clinic/service-kit';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { shopService } from '@clinic/service-kit/testing/shop-service';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { openBrowser } from './testing/browser.ts';
import { startIdentityStack } from './testing/identity-stack.ts';

const port = await holdPort();
const engine = await startServer({ port });
const stack = await startIdentityStack({}, engine);
let again: Awaited<ReturnType<typeof startServer>> | undefined;
after(async () => {
  await stack.close();
  await again?.close();
});

test(
  'if identity can’t read its database, other services reject sessions, and recover',
  { timeout: 400_000 },
  async (t) => {
    const shopEngine = await startServer({ port: 0 });
    t.after(() => shopEngine.close());
    const shop = await startService(shopService, {
      env: {
        ...stack.env,
        MONGODB_URI: shopEngine.uri,
        MONGODB_DATABASE: 'shop',
        LOG_LEVEL: 'silent',
        IDENTITY_URL: stack.url,
      },
    });
    t.after(() => shop.close());
    const staff = await stack.login('staff@clinic.example', 'pharmacist');
    const atShop = openBrowser(shop.url, staff.cookies);
    const until = (status: number): Promise<void> =>
      waitUntil(async () => assert.equal((await atShop.fetch('/orderMedi')).status, status));
    await until(200);

    await engine.close();
    await until(503);
    assert.equal((await atShop.fetch('/medicine')).status, 200);
    assert.equal((await stack.internal('/internal/session-feed')).status, 503);
    assert.equal((await staff.fetch('/jwt/session')).status, 503);
    // Logging out still clears the browser's cookies.
    const leaving = await staff.fetch('/jwt', { method: 'DELETE' });
    assert.equal(leaving.status, 503);
    assert.equal(staff.cookies.size, 0);

    // After the limit nobody would close it.
    t.signal.throwIfAborted();
    again = await startServer({ port });
    await until(200);
  },
);
