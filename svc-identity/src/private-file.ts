import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SettingsError } from '@clinic/service-kit';

/**
 * Where container engines mount secrets. Nobody else is in the container; on the host the folder's mode protects them
 * (docker/make-secrets.sh).
 */
const engineSecrets = '/run/secrets/';

/**
 * Rejects a private key that others on this machine can read: with it they could create anybody's session.
 *
 * @param setting - that names the file
 * @throws SettingsError if its mode allows anybody but its owner
 */
export async function rejectExposedKey(setting: string, path: string): Promise<void> {
  // Windows has no such modes.
  if (process.platform === 'win32') return;
  // A missing file is reported when it is read.
  const found = await stat(path).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? undefined : Promise.reject(error),
  );
  if (!found) return;
  const { mode } = found;
  const others = resolve(path).startsWith(engineSecrets) ? 0o022 : 0o077;
  if ((mode & others) === 0) return;
  throw new SettingsError(
    `${setting} is wrong: others than its owner may use ${path} (mode ${(mode & 0o777).toString(8)}); it must be a file with mode 600 or 400, for example after chmod 600 ${path}`,
  );
}
