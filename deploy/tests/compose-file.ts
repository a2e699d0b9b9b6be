// docker-compose.yml as Compose reads it with some `.env`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { interpolate, type Env } from '../../scripts/compose/interpolate.ts';
import { root } from '../../scripts/stack/settings.ts';

/** A container of the Compose file, as far as it is compared. */
export interface ComposeService {
  readonly image: string;
  readonly build?: { readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly networks: readonly string[];
  readonly secrets?: readonly string[];
  readonly volumes?: readonly (string | { readonly target: string })[];
  readonly user?: string;
  readonly read_only: boolean;
  readonly tmpfs: readonly string[];
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
  readonly stop_grace_period: string;
  readonly deploy: { readonly resources: { readonly limits: { readonly cpus: string; readonly memory: string } } };
}

/** Reads the services of the Compose file by name. */
export function composeServices(env: Env): ReadonlyMap<string, ComposeService> {
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return interpolate(value, env);
    if (Array.isArray(value)) return value.map(fill);
    if (value !== null && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one)]));
    return value;
  };
  const { services } = fill(parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true })) as {
    services: Record<string, ComposeService>;
  };
  return new Map(Object.entries(services));
}
