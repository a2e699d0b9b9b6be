import type { ComponentProps } from './build/component-props.ts';

/** A component's props as stored with a release: types by name, with a `?` in front if optional. */
export type ReleasedProps = Readonly<Record<string, string>>;

/** The components of a release. */
export interface Released {
  /** Its name: the day. */
  readonly release: string;
  readonly components: Readonly<Record<string, ReleasedProps>>;
}

/** What a component's users notice, in words. */
export interface Change {
  readonly kind: 'new' | 'changed';
  readonly lines: readonly string[];
}

/** A component's props in the form that is stored. */
export function releasedProps({ props, also }: Pick<ComponentProps, 'props' | 'also'>): ReleasedProps {
  const own = Object.fromEntries(props.map(({ name, type, optional }) => [name, `${optional ? '?' : ''}${type}`]));
  return also.length > 0 ? { ...own, '…': also.join(' & ') } : own;
}

/** Compares a component with the last release. @returns `undefined` if its props are the same */
export function changeOf(now: ReleasedProps, before: ReleasedProps | undefined): Change | undefined {
  if (!before) return { kind: 'new', lines: [] };
  const names = [...new Set([...Object.keys(now), ...Object.keys(before)])];
  const lines = names.flatMap((name) => {
    if (!(name in before)) return [`${name} is new`];
    if (!(name in now)) return [`${name} is gone`];
    return now[name] === before[name] ? [] : [`${name} was ${before[name]}`];
  });
  return lines.length > 0 ? { kind: 'changed', lines } : undefined;
}
