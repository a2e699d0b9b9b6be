import type { Rollup } from '@clinic/service-kit';
import type { AppointmentStatus } from '../contract/transitions.ts';

/** Rollup of a doctor's appointments of a day by status, split into shards (see `rollupShard`) that the report adds up. */
export interface AppointmentRollup extends Rollup, Partial<Readonly<Record<AppointmentStatus, number>>> {
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  readonly date: string;
  /** Lower case. */
  readonly doctorEmail: string;
}
