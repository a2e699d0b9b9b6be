// What each REST call takes and gives, as JSON Schema: kept with each release, so that later services keep its promises.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { CallTable } from '@clinic/contracts/calls';
import { contractVersion } from '@clinic/contracts/remotes';
import { z } from 'zod';
import { root } from '../stack/settings.ts';
import type { CallSnapshot, JsonSchema } from './compatibility.ts';

/** Every call of a release. */
export interface ReleaseSnapshot {
  /** Remotes of another contract version are refused, so that nothing was promised to them. */
  readonly contractVersion: number;
  readonly calls: Readonly<Record<string, CallSnapshot>>;
}

/** Where they are kept, one file a release; beside them `accepted.json`: breaks that were decided on, with the reason, in the words of the check. */
export const releasesFolder = join(root, 'packages/contracts/releases');

/** The calls of a table as a release keeps them. */
export function snapshotOf(calls: CallTable): ReleaseSnapshot {
  // What callers send, before it is read; what they get, as it is sent.
  const schemaOf = (schema: z.ZodType | undefined, io: 'input' | 'output'): JsonSchema | undefined => {
    if (!schema) return undefined;
    const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
    return rest as JsonSchema;
  };
  const entries = Object.entries(calls).map(([id, call]): [string, CallSnapshot] => [id, {
    method: call.method, path: call.path, status: call.status, paged: call.paged ?? false, idempotent: call.idempotent ?? false, media: call.media,
    params: schemaOf(call.params, 'input'), query: schemaOf(call.query, 'input'), body: schemaOf(call.body, 'input'), response: schemaOf(call.response, 'output'),
  }]);
  // Without what is undefined, as it is read from a file.
  return JSON.parse(JSON.stringify({ contractVersion, calls: Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))) })) as ReleaseSnapshot;
}

/** The releases whose remotes may still be deployed, by their names. */
export function keptReleases(folder = releasesFolder): ReadonlyMap<string, ReleaseSnapshot> {
  const names = readdirSync(folder).filter((name) => /^\d.*\.json$/.test(name)).toSorted();
  const all = names.map((name) => [name.replace('.json', ''), JSON.parse(readFileSync(join(folder, name), 'utf8')) as ReleaseSnapshot] as const);
  return new Map(all.filter(([, release]) => release.contractVersion === contractVersion));
}

/** Breaks that were decided on, and why. */
export function acceptedBreaks(folder = releasesFolder): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(folder, 'accepted.json'), 'utf8')) as Record<string, string>;
}

/** Keeps the calls of a release. @param name - of the release, e.g. its day @returns the file, from the repository's root */
export function keepSnapshot(name: string, snapshot: ReleaseSnapshot, folder = releasesFolder): string {
  mkdirSync(folder, { recursive: true });
  // A line a call, so that a change is seen as such.
  const lines = Object.entries(snapshot.calls).map(([id, call]) => `    ${JSON.stringify(id)}: ${JSON.stringify(call)}`);
  writeFileSync(join(folder, `${name}.json`), `{\n  "contractVersion": ${snapshot.contractVersion},\n  "calls": {\n${lines.join(',\n')}\n  }\n}\n`);
  return relative(root, join(folder, `${name}.json`));
}
