import { z } from 'zod';
import type { Site } from './site.ts';

/** Names and versions in reports of visitors' browsers. */
export const remoteName = z.string().regex(/^[a-z][a-z0-9-]{0,60}$/);
export const versionName = z.string().regex(/^[\w.+-]{1,60}$/);

/**
 * Labels for metrics. Reports come from browsers, so names and versions that we don't publish must not create series.
 *
 * @param reported - without a remote it is the shell
 */
export function releaseOf(
  { remote = 'shell', version }: { readonly remote?: string | undefined; readonly version?: string | undefined },
  site: Pick<Site, 'versionsOf'>,
): { remote: string; version: string } {
  const known = site.versionsOf(remote);
  if (known.length === 0) return { remote: 'unknown', version: '' };
  if (version === undefined) return { remote, version: '' };
  return { remote, version: known.includes(version) ? version : 'other' };
}
