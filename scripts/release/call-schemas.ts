// Request and response of each REST call as JSON Schema, stored with each release so that later services stay
// compatible.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { CallTable } from '@clinic/contracts/calls';
import { serviceContractVersion } from '@clinic/contracts/publication';
import { contractVersion } from '@clinic/contracts/remotes';
import { remoteWindow } from '@clinic/contracts/window/remotes';
import { z } from 'zod';
import { servicePublication } from '@clinic/contracts/schemas/publication';
import { remoteDescriptor } from '@clinic/contracts/schemas/remote-descriptor';
import { root } from '../stack/settings.ts';
import type { CallSnapshot, JsonSchema } from './compatibility.ts';

/** Every call of a release. */
export interface ReleaseSnapshot {
  /** Of remotes. Those outside the window are rejected, so they need no compatibility. */
  readonly contractVersion: number;
  /** Of services; 1 in older releases. */
  readonly serviceContractVersion?: number;
  /** What remotes and services could publish; missing in older releases. */
  readonly published?: { readonly remote: JsonSchema; readonly service: JsonSchema };
  readonly calls: Readonly<Record<string, CallSnapshot>>;
}

/** One file per release, plus `accepted.json`: deliberate breaks in the words of the check, with the reason. */
export const releasesFolder = join(root, 'packages/contracts/releases');

/** A schema as it is stored; requests before parsing, responses as sent. */
function schemaOf(schema: z.ZodType | undefined, io: 'input' | 'output'): JsonSchema | undefined {
  if (!schema) return undefined;
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest as JsonSchema;
}

/** Snapshot of a call table, as stored with a release. */
export function snapshotOf(calls: CallTable): ReleaseSnapshot {
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
    JSON.stringify({
      contractVersion,
      serviceContractVersion,
      published: { remote: schemaOf(remoteDescriptor, 'input'), service: schemaOf(servicePublication, 'input') },
      calls: Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    }),
  ) as ReleaseSnapshot;
}

/** The releases whose remotes may still be deployed, by name, oldest first. @param oldest - lowest contract version */
export function keptReleases(
  folder = releasesFolder,
  oldest = remoteWindow.oldest,
): ReadonlyMap<string, ReleaseSnapshot> {
  const names = readdirSync(folder)
    .filter((name) => /^\d.*\.json$/.test(name))
    .toSorted();
  const all = names.map(
    (name) =>
      [name.replace('.json', ''), JSON.parse(readFileSync(join(folder, name), 'utf8')) as ReleaseSnapshot] as const,
  );
  return new Map(all.filter(([, release]) => release.contractVersion >= oldest));
}

/** Deliberate breaks, with their reasons. */
export function acceptedBreaks(folder = releasesFolder): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(folder, 'accepted.json'), 'utf8')) as Record<string, string>;
}

/**
 * Stores the calls of a release.
 *
 * @param name - name of the release, e.g. its date
 * @returns the file, relative to the repository's root
 */
export function keepSnapshot(name: string, snapshot: ReleaseSnapshot, folder = releasesFolder): string {
  mkdirSync(folder, { recursive: true });
  // One line per call, for readable diffs.
  const { calls, ...rest } = snapshot;
  const linesOf = (values: object, indent: string): string =>
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `${indent}${JSON.stringify(key)}: ${JSON.stringify(value)}`)
      .join(',\n');
  writeFileSync(
    join(folder, `${name}.json`),
    `{\n${linesOf(rest, '  ')},\n  "calls": {\n${linesOf(calls, '    ')}\n  }\n}\n`,
  );
  return relative(root, join(folder, `${name}.json`));
}
