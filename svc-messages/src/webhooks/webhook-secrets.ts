import { createHash, randomBytes } from 'node:crypto';
import { boxKey, demoMark, SecretBox, SettingsError, type BoxKey } from '@clinic/service-kit';
import type { MessagesContext } from '../settings.ts';
import { webhooksOf, type WebhookRecord } from './webhook-record.ts';

type Settings = Pick<MessagesContext['settings'], 'WEBHOOK_KEY' | 'DEMO_MODE' | 'NODE_ENV'>;
type Owner = Pick<WebhookRecord, '_id'>;

/** The demo's key, which is public: it is in this repository. */
const demoKey = `${demoMark}-key-of-the-secrets-of-webhooks`;

/** Minimum length of the key in characters; `docker/make-secrets.sh` generates 64. */
const shortest = 32;

/** By settings, because the keys are derived once, not for each delivery. */
const boxes = new WeakMap<Settings, SecretBox>();

/**
 * The box that encrypts the secrets of webhooks; each is bound to its webhook.
 *
 * @throws SettingsError in production outside demo mode, if WEBHOOK_KEY is missing, too short, or the demo's
 */
export function webhookBox(settings: Settings): SecretBox {
  let box = boxes.get(settings);
  if (!box) {
    const [current, ...previous] = keysOf(settings).map(derived);
    if (!current) throw new Error('there is no key');
    box = new SecretBox(current, ...previous);
    boxes.set(settings, box);
  }
  return box;
}

/** The keys, latest first. @throws SettingsError as {@link webhookBox} */
export function keysOf({ WEBHOOK_KEY: text, DEMO_MODE, NODE_ENV }: Settings): string[] {
  const example = 'for example WEBHOOK_KEY_FILE=/run/secrets/webhook-key (docker/make-secrets.sh makes it)';
  const real = !DEMO_MODE && NODE_ENV === 'production';
  if (text === undefined) {
    if (real) throw new SettingsError(`WEBHOOK_KEY is not set: it must be a secret of your own, ${example}`);
    return [demoKey];
  }
  if (real && text.includes(demoMark))
    throw new SettingsError(`WEBHOOK_KEY is the demo key, which everyone can read: it must be your own, ${example}`);
  const keys = text.trim().split(/\s+/);
  if (keys.some((key) => key.length < shortest))
    throw new SettingsError(`WEBHOOK_KEY is wrong: it must be at least ${shortest} characters, ${example}`);
  return keys;
}

const derived = (key: string): BoxKey =>
  boxKey(createHash('sha256').update(key).digest('base64url').slice(0, 12), key, 'clinic: secrets of webhooks');

/** Creates a secret: in plain text for the receiver, and encrypted for the database. */
export function makeSecret({ settings }: { readonly settings: Settings }, { _id }: Owner) {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  return { secret, sealed: webhookBox(settings).seal(secret, _id.toHexString()) };
}

/**
 * The secrets that currently sign, in plain text.
 *
 * @throws Error if none can be decrypted: the key was lost
 */
export function signingSecrets(
  { settings }: { readonly settings: Settings },
  { _id, secrets }: Pick<WebhookRecord, '_id' | 'secrets'>,
  now: Date,
): string[] {
  const opened = secrets
    .filter(({ until }) => until === undefined || until > now)
    .map(({ value }) => webhookBox(settings).open(value, _id.toHexString()))
    .filter((secret) => secret !== undefined);
  if (opened.length === 0) throw new Error('The secret can’t be decrypted: give this webhook a new one');
  return opened;
}

/**
 * Encrypts secrets that are in plain text or under a previous key with the current one. Safe to repeat, and to run in
 * several replicas.
 *
 * @returns number of webhooks changed
 */
export async function sealSecrets(context: Pick<MessagesContext, 'db' | 'settings' | 'log'>): Promise<number> {
  const box = webhookBox(context.settings);
  let changed = 0;
  for await (const { _id, secrets } of webhooksOf(context).find({}, { projection: { secrets: 1 } })) {
    const owner = _id.toHexString();
    const sealed = secrets.map((secret) => {
      if (box.isCurrent(secret.value)) return secret;
      const clear = secret.value.startsWith('whsec_') ? secret.value : box.open(secret.value, owner);
      return clear === undefined ? secret : { ...secret, value: box.seal(clear, owner) };
    });
    if (!sealed.every(({ value }) => box.isCurrent(value)))
      context.log.error(
        { webhook: owner },
        'secret of a webhook is encrypted with an unknown key; it needs a new secret',
      );
    if (sealed.every((secret, at) => secret === secrets[at])) continue;
    // Only if nobody has given it a new secret meanwhile.
    const { modifiedCount } = await webhooksOf(context).updateOne({ _id, secrets }, { $set: { secrets: sealed } });
    changed += modifiedCount;
  }
  return changed;
}
