// Request and response of each REST call as JSON Schema, stored with each release so that later services stay compatible.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { CallTable } from '@clinic/contracts/calls';
import { contractVersion } from '@clinic/contracts/remotes';
import { z } from 'zod';
import { root } from '../stack/settings.ts';
import type { CallSnapshot, JsonSchema } from './compatibility.ts';

/** Every call of a release. */
export interface ReleaseSnapshot {
  /** Remotes with another contract version are rejected, so they need no compatibility. */
  readonly contractVersion: number;
  readonly calls: Readonly<Record<string, CallSnapshot>>;
}

/** One file per release, plus `accepted.json`: deliberate breaks in the words of the check, with the reason. */
export const releasesFolder = join(root, 'packages/contracts/releases');

/** Snapshot of a call table, as stored with a release. */
export function snapshotOf(calls: CallTable): ReleaseSnapshot {
  // Requests before parsing, responses as sent.
  const schemaOf = (schema: z.ZodType | undefined, io: 'input' | 'output'): JsonSchema | undefined => {
    if (!schema) return undefined;
    const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
    return rest as JsonSchema;
  };
  const entries = Object.entries(calls).map(([id, call]): [string, CallSnapshot] => [
    id,
    {
      method: call.method,
      path: call.path,
      status: call.status,
      paged: call.paged ?? false,
      idempotent: call.idempotent ?? false,
      media: call.media,
      params: schemaOf(call.params, 'input'),
      query: schemaOf(call.query, 'input'),
      body: schemaOf(call.body, 'input'),
      response: schemaOf(call.response, 'output'),
    },
  ]);
  // Drops undefined fields, as if it had been read from a file.
  return JSON.parse(
    JSON.stringify({ contractVersion, calls: Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))) }),
  ) as ReleaseSnapshot;
}

/** The releases whose remotes may still be deployed, by name. */
export function keptReleases(folder = releasesFolder): ReadonlyMap<string, ReleaseSnapshot> {
  const names = readdirSync(folder)
    .filter((name) => /^\d.*\.json$/.test(name))
    .toSorted();
  const all = names.map(
    (name) =>
      [name.replace('.json', ''), JSON.parse(readFileSync(join(folder, name), 'utf8')) as ReleaseSnapshot] as const,
  );
  return new Map(all.filter(([, release]) => release.contractVersion === contractVersion));
}

/** Deliberate breaks, with their reasons. */
export function acceptedBreaks(folder = releasesFolder): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(folder, 'accepted.json'), 'utf8')) as Record<string, string>;
}

/** Stores the calls of a release. @param name - name of the release, e.g. its date @returns the file, relative to the repository's root */
export function keepSnapshot(name: string, snapshot: ReleaseSnapshot, folder = releasesFolder): string {
  mkdirSync(folder, { recursive: true });
  // One line per call, for readable diffs.
  const lines = Object.entries(snapshot.calls).map(
    ([id, call]) => `    ${JSON.stringify(id)}: ${JSON.stringify(call)}`,
  );
  writeFileSync(
    join(folder, `${name}.json`),
    `{\n  "contractVersion": ${snapshot.contractVersion},\n  "calls": {\n${lines.join(',\n')}\n  }\n}\n`,
  );
  return relative(root, join(folder, `${name}.json`));
}
