import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SettingsError } from '@clinic/service-kit';

/** Where container engines put secrets. Nobody else is in the container; on the host the folder keeps others out (docker/make-secrets.sh). */
const engineSecrets = '/run/secrets/';

/**
 * Refuses a private key that others on this machine may read: whoever has it can make sessions of anybody.
 *
 * @param setting - that names the file
 * @throws SettingsError when its mode lets anybody but its owner in
 */
export async function refuseExposedKey(setting: string, path: string): Promise<void> {
  // Windows has no such modes.
  if (process.platform === 'win32') return;
  // That it isn't there is said by who reads it.
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? undefined : Promise.reject(error)));
  if (!found) return;
  const { mode } = found;
  const others = resolve(path).startsWith(engineSecrets) ? 0o022 : 0o077;
  if ((mode & others) === 0) return;
  throw new SettingsError(`${setting} is wrong: others than its owner may use ${path} (mode ${(mode & 0o777).toString(8)}); it must be a file with mode 600 or 400, for example after chmod 600 ${path}`);
}
