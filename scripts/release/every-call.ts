import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { CallTable } from '@clinic/contracts/calls';
import { root } from '../stack/settings.ts';

async function tablesOf(file: string): Promise<CallTable[]> {
  return Object.values((await import(join(root, file))) as Readonly<Record<string, CallTable>>);
}

const tables = await Promise.all(globSync('svc-*/src/contract/calls.ts', { cwd: root }).toSorted().map(tablesOf));

/** The calls of all services with their schemas, as each domain's `contract/calls.ts` exports them. */
export const everyCall: CallTable = Object.assign({}, ...tables.flat()) as CallTable;
