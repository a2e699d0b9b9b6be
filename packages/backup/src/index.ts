export { backUp, type BackupOptions, type BackupResult } from './backup.ts';
export { identityFile, makeKey, type Encryption, type Key } from './encryption.ts';
export { BackupError } from './errors.ts';
export { openInput } from './input.ts';
export type { CollectionEntry, Manifest } from './manifest.ts';
export { restore, type RestoreOptions } from './restore.ts';
export { readEncryption, readIdentities, readSettings, type Settings } from './settings.ts';
export { readBackup } from './verify.ts';
