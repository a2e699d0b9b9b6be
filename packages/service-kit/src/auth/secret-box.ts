import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Version prefix of the encrypted text: change it with the format. */
const form = 'v1';

/** A key of a {@link SecretBox}. */
export interface BoxKey {
  /** Identifies the key in what it encrypted. */
  readonly kid: string;
  readonly secret: Buffer;
}

/**
 * Derives a key from another secret (HKDF, RFC 5869).
 *
 * @param kid - identifies that secret
 * @param purpose - what the key is for; the same secret gives a different key for each purpose
 */
export function boxKey(kid: string, material: string | Buffer, purpose: string): BoxKey {
  return { kid, secret: Buffer.from(hkdfSync('sha256', material, Buffer.alloc(0), purpose, 32)) };
}

/** Encrypts secrets at rest (AES-256-GCM, NIST SP 800-38D), so that a copy of the database alone is no use. */
export class SecretBox {
  readonly #current: BoxKey;
  readonly #keys: readonly BoxKey[];

  /** @param previous - earlier keys, to decrypt what they encrypted */
  constructor(current: BoxKey, ...previous: readonly BoxKey[]) {
    this.#current = current;
    this.#keys = [current, ...previous];
  }

  /** @param owner - the record's id: the text can be decrypted for this record only */
  seal(text: string, owner: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#current.secret, nonce);
    cipher.setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [form, this.#current.kid, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  /** @returns `undefined` if it was encrypted with another key or for another record, or was altered */
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
      // Node only reports a failed authentication: the text was altered, or belongs to another record.
      return undefined;
    }
  }

  /** With what everything begins that the current key has encrypted. */
  get currentPrefix(): string {
    return `${form}.${this.#current.kid}.`;
  }

  /** Whether it was encrypted with the current key. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(this.currentPrefix);
  }
}
