import type { ReactNode } from 'react';

/** Names and values of one record, e.g. a profile. @param items - pairs of name and value */
export function Details({ items }: { readonly items: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="ui-details">
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
