import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SettingsError } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import { schemaChanges } from '../schema-changes.ts';
import type { MessagesContext } from '../settings.ts';
import { startMessages } from '../testing/messages.ts';
import { webhooksOf } from './webhook-record.ts';
import { sealSecrets, signingSecrets, webhookBox } from './webhook-secrets.ts';

const first = 'the-first-key-of-more-than-32-characters';
const second = 'the-second-key-of-more-than-32-characters';
const url = 'http://127.0.0.1:1/hook';

const service = await startMessages({ WEBHOOK_PRIVATE: 'true', WEBHOOK_KEY: first });
after(() => service.close());

/** A replica with other keys and the same database. */
const replica = (keys: Partial<MessagesContext['settings']>): MessagesContext => ({
  ...service.context,
  settings: { ...service.context.settings, ...keys },
});
const inDatabase = async (): Promise<string> => JSON.stringify(await webhooksOf(service).find().toArray());
const signedBy = async (context: MessagesContext, id: string): Promise<string[]> => {
  const webhook = await webhooksOf(service).findOne({ _id: new ObjectId(id) });
  return signingSecrets(context, webhook ?? assert.fail('no webhook'), new Date());
};

test('the database has no secret in plain text, and a change of the key keeps them all', async () => {
  const answer = await service.as('admin')('/messages/webhooks', { method: 'POST', json: { url } });
  const { _id, secret } = (await answer.json()) as { readonly _id: string; readonly secret: string };
  assert.match(secret, /^whsec_/);
  assert.ok(!(await inDatabase()).includes('whsec_'));
  assert.deepEqual(await signedBy(service.context, _id), [secret]);

  const changing = replica({ WEBHOOK_KEY: `${second}\n${first}` });
  assert.deepEqual(await signedBy(changing, _id), [secret]);
  const changed = await Promise.all([sealSecrets(changing), sealSecrets(changing)]);
  assert.equal(changed[0] + changed[1], 1);
  assert.deepEqual(await signedBy(replica({ WEBHOOK_KEY: second }), _id), [secret]);
  await assert.rejects(signedBy(service.context, _id), /can’t be decrypted/);
});

test('a schema change encrypts secrets stored in plain text, once', async () => {
  const clear = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const _id = new ObjectId();
  const until = new Date(Date.now() + 60_000);
  await webhooksOf(service).insertOne({
    _id,
    url: `${url}/old`,
    kinds: [],
    enabled: false,
    secrets: [{ value: clear }, { value: `${clear.slice(0, -2)}A=`, until }],
    createdAt: new Date(),
  });
  const [change] = schemaChanges;
  await change?.up(service.context);
  const stored = await inDatabase();
  assert.ok(!stored.includes('whsec_'));
  assert.deepEqual(await signedBy(service.context, _id.toHexString()), [clear, `${clear.slice(0, -2)}A=`]);
  await change?.up(service.context);
  assert.equal(await inDatabase(), stored);
});

test('a clinic outside demo mode needs its own key', () => {
  const real = { DEMO_MODE: false, NODE_ENV: 'production' } as const;
  for (const [key, why] of [
    [undefined, /^WEBHOOK_KEY is not set/],
    ['demo-only-key-of-the-secrets-of-webhooks', /^WEBHOOK_KEY is the demo key/],
    ['short', /^WEBHOOK_KEY is wrong: it must be at least 32 characters/],
  ] as const)
    assert.throws(
      () => webhookBox({ ...real, WEBHOOK_KEY: key }),
      (error) => error instanceof SettingsError && why.test(error.message),
    );
  assert.ok(webhookBox({ ...real, DEMO_MODE: true, WEBHOOK_KEY: undefined }));
});
