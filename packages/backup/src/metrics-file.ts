import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Gauge, Registry } from 'prom-client';
import { writeFileWhole } from './output.ts';

/** Beside the backups, in the text format that Prometheus' node exporter collects from a folder. */
export const metricsFile = 'clinic-backup.prom';

/**
 * Records a completed backup for monitoring: the age of the last one shows whether backups still run.
 *
 * @param file - path of the backup
 * @throws BackupError if the folder can't be written
 */
export async function recordBackup(folder: string, file: string, madeAt: Date): Promise<void> {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: 'clinic_backup_last_success_timestamp_seconds',
    help: 'Time of the data in the newest complete backup, in seconds since 1970',
    registers,
  }).set(madeAt.getTime() / 1000);
  new Gauge({ name: 'clinic_backup_size_bytes', help: 'Size of the newest complete backup', registers }).set(
    (await stat(file)).size,
  );
  const text = await registry.metrics();
  await writeFileWhole(
    join(folder, metricsFile),
    (to) => pipeline(Readable.from([text]), to),
    async () => {},
  );
}
