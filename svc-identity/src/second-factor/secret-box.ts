import { boxKey, SecretBox, type BoxKey } from '@clinic/service-kit';
import type { SigningKey } from '../sessions/signing-key.ts';

/**
 * Encrypts secrets of authenticator apps, each for its account. The key is derived from the signing key of session tokens, so an
 * installation has no further secret to manage.
 *
 * @param previous - the previous signing key, to decrypt what it encrypted
 */
export function secretBoxOf(key: SigningKey, previous?: SigningKey): SecretBox {
  return new SecretBox(derived(key), ...(previous ? [derived(previous)] : []));
}

function derived({ privateKey, kid }: SigningKey): BoxKey {
  return boxKey(kid, privateKey.export({ format: 'der', type: 'pkcs8' }), 'clinic: secrets of second factors');
}
