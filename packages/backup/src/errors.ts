/** Something that the person who makes or restores a backup has to know or mend; shown as its message alone. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
