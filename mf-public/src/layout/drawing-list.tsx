import { Drawing, type DrawingName } from './drawing.tsx';

export interface DrawingItem {
  readonly name: string;
  readonly drawing: DrawingName;
  readonly text: string;
}

/** A few things in a row, each with a drawing. */
export function DrawingList({ items }: { readonly items: readonly DrawingItem[] }) {
  return (
    <ul className="grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-4">
      {items.map(({ name, drawing, text }) => (
        <li key={name}>
          <Drawing name={drawing} />
          <h3 className="mt-4 text-heading font-semibold">{name}</h3>
          <p className="mt-2 text-sm text-muted">{text}</p>
        </li>
      ))}
    </ul>
  );
}
