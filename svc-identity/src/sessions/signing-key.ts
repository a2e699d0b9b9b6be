import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { SettingsError, sessionToken } from '@clinic/service-kit';
import { rejectExposedKey } from '../private-file.ts';

/** The key that signs session tokens. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly kid: string;
  /** Returned by `GET /jwt/keys`. */
  readonly publicJwk: JWK;
}

const expected = (setting: string): string =>
  `it must be the path of a private Ed25519 key (PEM or JWK), for example ${setting}=/run/secrets/session-key.pem`;

/**
 * Reads the signing key.
 *
 * @param path - a PEM or JWK file
 * @param mayCreate - demo mode: create the key if there is none (for all replicas on the machine), and accept one that
 *   others can read
 * @param setting - the variable that names it
 * @throws SettingsError if there is no usable key, or others can read it
 */
export async function loadSigningKey(
  path: string,
  mayCreate: boolean,
  setting = 'SESSION_KEY_FILE',
): Promise<SigningKey> {
  let text = await read(path, setting);
  if (text === undefined) {
    if (!mayCreate) throw new SettingsError(`${setting} is wrong: there is no file ${path}; ${expected(setting)}`);
    await create(path);
    text = (await read(path, setting)) ?? '';
  }
  if (!mayCreate) await rejectExposedKey(setting, path);
  const privateKey = parse(text);
  if (privateKey?.asymmetricKeyType !== 'ed25519')
    throw new SettingsError(`${setting} is wrong: ${path} holds no such key; ${expected(setting)}`);
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' }) as JWK;
  const kid = await calculateJwkThumbprint(jwk);
  return { privateKey, kid, publicJwk: { ...jwk, kid, alg: sessionToken.algorithm, use: 'sig' } };
}

async function read(path: string, setting: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new SettingsError(`${setting} is wrong: ${path} can't be read (${code}); ${expected(setting)}`);
  }
}

/** Writes a new key; if another replica is faster, its key stays. */
async function create(path: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('ed25519');
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' });
  try {
    // Linking is atomic and never replaces a file: nobody reads a partial key.
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
}

function parse(text: string): KeyObject | undefined {
  try {
    return text.trimStart().startsWith('{')
      ? createPrivateKey({ key: JSON.parse(text) as JWK as Record<string, string>, format: 'jwk' })
      : createPrivateKey(text);
  } catch {
    // Node's errors about keys don't help an operator; the caller's message says what is expected.
    return undefined;
  }
}
