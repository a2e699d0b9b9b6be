import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SigningKey } from '../sessions/signing-key.ts';

/** Version prefix of the encrypted text: change it with the format. */
const form = 'v1';

interface BoxKey {
  /** Identifies the signing key it was derived from. */
  readonly kid: string;
  readonly secret: Buffer;
}

/**
 * Encrypts secrets of authenticator apps at rest (AES-256-GCM, NIST SP 800-38D), so that a copy of the database alone can't
 * generate codes. The key is derived from the signing key of session tokens (HKDF, RFC 5869), so an installation has no
 * further secret to manage.
 */
export class SecretBox {
  readonly #current: BoxKey;
  readonly #keys: readonly BoxKey[];

  /** @param previous - the previous signing key, to decrypt what it encrypted */
  constructor(key: SigningKey, previous?: SigningKey) {
    this.#current = boxKey(key);
    this.#keys = [this.#current, ...(previous ? [boxKey(previous)] : [])];
  }

  /** @param owner - the account's id: the text can be decrypted for this account only */
  seal(text: string, owner: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#current.secret, nonce);
    cipher.setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [form, this.#current.kid, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  /** @returns `undefined` if it was encrypted with another key or for another account, or was altered */
  open(sealed: string, owner: string): string | undefined {
    const [version, kid, nonce = '', bytes = ''] = sealed.split('.');
    const key = this.#keys.find((each) => each.kid === kid);
    const data = Buffer.from(bytes, 'base64url');
    if (version !== form || !key || data.length < 16) return undefined;
    try {
      const decipher = createDecipheriv('aes-256-gcm', key.secret, Buffer.from(nonce, 'base64url'), {
        authTagLength: 16,
      });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(data.subarray(-16));
      return Buffer.concat([decipher.update(data.subarray(0, -16)), decipher.final()]).toString('utf8');
    } catch {
      // Node only reports a failed authentication: the text was altered, or belongs to another account.
      return undefined;
    }
  }

  /** Whether it was encrypted with the current key. */
  isCurrent(sealed: string): boolean {
    return sealed.split('.')[1] === this.#current.kid;
  }
}

function boxKey({ privateKey, kid }: SigningKey): BoxKey {
  const material = privateKey.export({ format: 'der', type: 'pkcs8' });
  return {
    kid,
    secret: Buffer.from(hkdfSync('sha256', material, Buffer.alloc(0), 'clinic: secrets of second factors', 32)),
  };
}
